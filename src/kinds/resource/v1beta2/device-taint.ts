import { type Infer, optional, pointer, required, string, struct, time } from '#schema/build.ts';

export const DeviceTaint = struct('io.k8s.api.resource.v1beta2.DeviceTaint', () => ({
  key: required(1, string),
  value: optional(2, string),
  effect: required(3, string, { enum: ['NoExecute', 'NoSchedule', 'None'], goType: 'v1beta2.DeviceTaintEffect' }),
  timeAdded: pointer(4, time),
}));
export interface DeviceTaint extends Infer<typeof DeviceTaint> {}
