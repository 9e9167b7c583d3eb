import { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, ref, struct } from '#schema/build.ts';

export const PodTemplateSpec = struct('io.k8s.api.core.v1.PodTemplateSpec', () => ({
  metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
  spec: embedded(2, ref<PodSpec>(PodSpec)),
}));
export interface PodTemplateSpec extends Infer<typeof PodTemplateSpec> {}
