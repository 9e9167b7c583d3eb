import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const DeviceTaintRule = rootStruct(
  'io.k8s.api.resource.v1alpha3.DeviceTaintRule',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<DeviceTaintRuleSpec>(DeviceTaintRuleSpec)),
    status: embedded(3, ref<DeviceTaintRuleStatus>(DeviceTaintRuleStatus)),
  }),
  { gvks: [['resource.k8s.io', 'v1alpha3', 'DeviceTaintRule']] },
);
export interface DeviceTaintRule extends Infer<typeof DeviceTaintRule> {}

export const DeviceTaintRuleList = rootStruct(
  'io.k8s.api.resource.v1alpha3.DeviceTaintRuleList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<DeviceTaintRule>(DeviceTaintRule))),
  }),
  { gvks: [['resource.k8s.io', 'v1alpha3', 'DeviceTaintRuleList']] },
);
export interface DeviceTaintRuleList extends Infer<typeof DeviceTaintRuleList> {}

export const DeviceTaint = struct('io.k8s.api.resource.v1alpha3.DeviceTaint', () => ({
  key: required(1, string),
  value: optional(2, string),
  effect: required(3, string, { enum: ['NoExecute', 'NoSchedule', 'None'], goType: 'v1alpha3.DeviceTaintEffect' }),
  timeAdded: pointer(4, time),
}));
export interface DeviceTaint extends Infer<typeof DeviceTaint> {}

export const DeviceTaintRuleSpec = struct('io.k8s.api.resource.v1alpha3.DeviceTaintRuleSpec', () => ({
  deviceSelector: pointer(1, ref<DeviceTaintSelector>(DeviceTaintSelector)),
  taint: embedded(2, ref<DeviceTaint>(DeviceTaint), { mandatory: true }),
}));
export interface DeviceTaintRuleSpec extends Infer<typeof DeviceTaintRuleSpec> {}

export const DeviceTaintSelector = struct('io.k8s.api.resource.v1alpha3.DeviceTaintSelector', () => ({
  driver: pointer(2, string),
  pool: pointer(3, string),
  device: pointer(4, string),
}));
export interface DeviceTaintSelector extends Infer<typeof DeviceTaintSelector> {}

export const DeviceTaintRuleStatus = struct('io.k8s.api.resource.v1alpha3.DeviceTaintRuleStatus', () => ({
  conditions: optional(1, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface DeviceTaintRuleStatus extends Infer<typeof DeviceTaintRuleStatus> {}
