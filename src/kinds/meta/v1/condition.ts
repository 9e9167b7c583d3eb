import { type Infer, int64, optional, required, string, struct, time } from '#schema/build.ts';

export const Condition = struct('io.k8s.apimachinery.pkg.apis.meta.v1.Condition', () => ({
  type: required(1, string),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  observedGeneration: optional(3, int64),
  lastTransitionTime: required(4, time),
  reason: required(5, string),
  message: required(6, string),
}));
export interface Condition extends Infer<typeof Condition> {}
