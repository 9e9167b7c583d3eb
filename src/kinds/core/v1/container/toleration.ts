import { type Infer, int64, optional, pointer, string, struct } from '#schema/build.ts';

export const Toleration = struct('io.k8s.api.core.v1.Toleration', () => ({
  key: optional(1, string),
  operator: optional(2, string, { enum: ['Equal', 'Exists', 'Gt', 'Lt'], goType: 'v1.TolerationOperator' }),
  value: optional(3, string),
  effect: optional(4, string, { enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'], goType: 'v1.TaintEffect' }),
  tolerationSeconds: pointer(5, int64),
}));
export interface Toleration extends Infer<typeof Toleration> {}
