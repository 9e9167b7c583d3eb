import { Condition } from '#kinds/meta/v1/condition.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import {
  embedded,
  type Infer,
  int32,
  int64,
  intOrString,
  list,
  map,
  optional,
  pointer,
  ref,
  required,
  rootStruct,
  string,
  struct,
  time,
} from '#schema/build.ts';

export const PodDisruptionBudget = rootStruct(
  'io.k8s.api.policy.v1.PodDisruptionBudget',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<PodDisruptionBudgetSpec>(PodDisruptionBudgetSpec)),
    status: embedded(3, ref<PodDisruptionBudgetStatus>(PodDisruptionBudgetStatus)),
  }),
  { gvks: [['policy', 'v1', 'PodDisruptionBudget']] },
);
export interface PodDisruptionBudget extends Infer<typeof PodDisruptionBudget> {}

export const PodDisruptionBudgetList = rootStruct(
  'io.k8s.api.policy.v1.PodDisruptionBudgetList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PodDisruptionBudget>(PodDisruptionBudget))),
  }),
  { gvks: [['policy', 'v1', 'PodDisruptionBudgetList']] },
);
export interface PodDisruptionBudgetList extends Infer<typeof PodDisruptionBudgetList> {}

export const PodDisruptionBudgetSpec = struct('io.k8s.api.policy.v1.PodDisruptionBudgetSpec', () => ({
  minAvailable: pointer(1, intOrString),
  selector: pointer(2, ref<LabelSelector>(LabelSelector), { patch: { strategy: 'replace' } }),
  maxUnavailable: pointer(3, intOrString),
  unhealthyPodEvictionPolicy: pointer(4, string, { enum: ['AlwaysAllow', 'IfHealthyBudget'], goType: 'v1.UnhealthyPodEvictionPolicyType' }),
}));
export interface PodDisruptionBudgetSpec extends Infer<typeof PodDisruptionBudgetSpec> {}

export const PodDisruptionBudgetStatus = struct('io.k8s.api.policy.v1.PodDisruptionBudgetStatus', () => ({
  observedGeneration: optional(1, int64),
  disruptedPods: optional(2, map(time)),
  disruptionsAllowed: optional(3, int32, { written: 'always' }),
  currentHealthy: optional(4, int32, { written: 'always' }),
  desiredHealthy: optional(5, int32, { written: 'always' }),
  expectedPods: optional(6, int32, { written: 'always' }),
  conditions: optional(7, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface PodDisruptionBudgetStatus extends Infer<typeof PodDisruptionBudgetStatus> {}
