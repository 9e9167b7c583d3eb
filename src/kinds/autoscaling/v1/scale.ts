import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Scale = rootStruct(
  'io.k8s.api.autoscaling.v1.Scale',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ScaleSpec>(ScaleSpec)),
    status: embedded(3, ref<ScaleStatus>(ScaleStatus)),
  }),
  { gvks: [['autoscaling', 'v1', 'Scale']] },
);
export interface Scale extends Infer<typeof Scale> {}

export const ScaleSpec = struct('io.k8s.api.autoscaling.v1.ScaleSpec', () => ({
  replicas: optional(1, int32, { published: 0 }),
}));
export interface ScaleSpec extends Infer<typeof ScaleSpec> {}

export const ScaleStatus = struct('io.k8s.api.autoscaling.v1.ScaleStatus', () => ({
  replicas: required(1, int32),
  selector: optional(2, string),
}));
export interface ScaleStatus extends Infer<typeof ScaleStatus> {}
