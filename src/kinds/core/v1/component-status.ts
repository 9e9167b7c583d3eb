import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ComponentStatus = rootStruct(
  'io.k8s.api.core.v1.ComponentStatus',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    conditions: optional(2, list(ref<ComponentCondition>(ComponentCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  }),
  { gvks: [['', 'v1', 'ComponentStatus']] },
);
export interface ComponentStatus extends Infer<typeof ComponentStatus> {}

export const ComponentStatusList = rootStruct(
  'io.k8s.api.core.v1.ComponentStatusList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ComponentStatus>(ComponentStatus))),
  }),
  { gvks: [['', 'v1', 'ComponentStatusList']] },
);
export interface ComponentStatusList extends Infer<typeof ComponentStatusList> {}

export const ComponentCondition = struct('io.k8s.api.core.v1.ComponentCondition', () => ({
  type: required(1, string, { goType: 'v1.ComponentConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  message: optional(3, string),
  error: optional(4, string),
}));
export interface ComponentCondition extends Infer<typeof ComponentCondition> {}
