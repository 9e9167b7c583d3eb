import { type Infer, int64, optional, pointer, string, struct } from '#schema/build.ts';

export const DeviceToleration = struct('io.k8s.api.resource.v1beta2.DeviceToleration', () => ({
  key: optional(1, string),
  operator: optional(2, string, { default: 'Equal', enum: ['Equal', 'Exists'], goType: 'v1beta2.DeviceTolerationOperator' }),
  value: optional(3, string),
  effect: optional(4, string, { enum: ['NoExecute', 'NoSchedule', 'None'], goType: 'v1beta2.DeviceTaintEffect' }),
  tolerationSeconds: pointer(5, int64),
}));
export interface DeviceToleration extends Infer<typeof DeviceToleration> {}
