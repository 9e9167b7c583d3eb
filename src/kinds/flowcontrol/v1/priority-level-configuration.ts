import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const PriorityLevelConfiguration = rootStruct(
  'io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<PriorityLevelConfigurationSpec>(PriorityLevelConfigurationSpec)),
    status: embedded(3, ref<PriorityLevelConfigurationStatus>(PriorityLevelConfigurationStatus)),
  }),
  { gvks: [['flowcontrol.apiserver.k8s.io', 'v1', 'PriorityLevelConfiguration']] },
);
export interface PriorityLevelConfiguration extends Infer<typeof PriorityLevelConfiguration> {}

export const PriorityLevelConfigurationList = rootStruct(
  'io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PriorityLevelConfiguration>(PriorityLevelConfiguration))),
  }),
  { gvks: [['flowcontrol.apiserver.k8s.io', 'v1', 'PriorityLevelConfigurationList']] },
);
export interface PriorityLevelConfigurationList extends Infer<typeof PriorityLevelConfigurationList> {}

export const ExemptPriorityLevelConfiguration = struct('io.k8s.api.flowcontrol.v1.ExemptPriorityLevelConfiguration', () => ({
  nominalConcurrencyShares: pointer(1, int32),
  lendablePercent: pointer(2, int32),
}));
export interface ExemptPriorityLevelConfiguration extends Infer<typeof ExemptPriorityLevelConfiguration> {}

export const LimitResponse = struct(
  'io.k8s.api.flowcontrol.v1.LimitResponse',
  () => ({
    type: required(1, string, { goType: 'v1.LimitResponseType' }),
    queuing: pointer(2, ref<QueuingConfiguration>(QueuingConfiguration)),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { queuing: 'Queuing' } }] },
);
export interface LimitResponse extends Infer<typeof LimitResponse> {}

export const QueuingConfiguration = struct('io.k8s.api.flowcontrol.v1.QueuingConfiguration', () => ({
  queues: optional(1, int32, { written: 'always' }),
  handSize: optional(2, int32, { written: 'always' }),
  queueLengthLimit: optional(3, int32, { written: 'always' }),
}));
export interface QueuingConfiguration extends Infer<typeof QueuingConfiguration> {}

export const LimitedPriorityLevelConfiguration = struct('io.k8s.api.flowcontrol.v1.LimitedPriorityLevelConfiguration', () => ({
  nominalConcurrencyShares: pointer(1, int32, { written: 'always' }),
  limitResponse: embedded(2, ref<LimitResponse>(LimitResponse)),
  lendablePercent: pointer(3, int32),
  borrowingLimitPercent: pointer(4, int32),
}));
export interface LimitedPriorityLevelConfiguration extends Infer<typeof LimitedPriorityLevelConfiguration> {}

export const PriorityLevelConfigurationSpec = struct(
  'io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec',
  () => ({
    type: required(1, string, { goType: 'v1.PriorityLevelEnablement' }),
    limited: pointer(2, ref<LimitedPriorityLevelConfiguration>(LimitedPriorityLevelConfiguration)),
    exempt: pointer(3, ref<ExemptPriorityLevelConfiguration>(ExemptPriorityLevelConfiguration)),
  }),
  { unions: [{ discriminator: 'type', 'fields-to-discriminateBy': { exempt: 'Exempt', limited: 'Limited' } }] },
);
export interface PriorityLevelConfigurationSpec extends Infer<typeof PriorityLevelConfigurationSpec> {}

export const PriorityLevelConfigurationStatus = struct('io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationStatus', () => ({
  conditions: optional(1, list(ref<PriorityLevelConfigurationCondition>(PriorityLevelConfigurationCondition)), {
    merge: { keys: ['type'] },
    patch: { strategy: 'merge', key: 'type' },
  }),
}));
export interface PriorityLevelConfigurationStatus extends Infer<typeof PriorityLevelConfigurationStatus> {}

export const PriorityLevelConfigurationCondition = struct('io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationCondition', () => ({
  type: optional(1, string, { goType: 'v1.PriorityLevelConfigurationConditionType' }),
  status: optional(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface PriorityLevelConfigurationCondition extends Infer<typeof PriorityLevelConfigurationCondition> {}
