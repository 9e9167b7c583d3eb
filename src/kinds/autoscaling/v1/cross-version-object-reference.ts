import { type Infer, optional, required, string, struct } from '#schema/build.ts';

export const CrossVersionObjectReference = struct(
  'io.k8s.api.autoscaling.v1.CrossVersionObjectReference',
  () => ({
    kind: required(1, string),
    name: required(2, string),
    apiVersion: optional(3, string),
  }),
  { atomic: true },
);
export interface CrossVersionObjectReference extends Infer<typeof CrossVersionObjectReference> {}
