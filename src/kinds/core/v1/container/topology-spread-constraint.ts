import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { type Infer, int32, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const TopologySpreadConstraint = struct('io.k8s.api.core.v1.TopologySpreadConstraint', () => ({
  maxSkew: required(1, int32),
  topologyKey: required(2, string),
  whenUnsatisfiable: required(3, string, { enum: ['DoNotSchedule', 'ScheduleAnyway'], goType: 'v1.UnsatisfiableConstraintAction' }),
  labelSelector: pointer(4, ref<LabelSelector>(LabelSelector)),
  minDomains: pointer(5, int32),
  nodeAffinityPolicy: pointer(6, string, { enum: ['Honor', 'Ignore'], goType: 'v1.NodeInclusionPolicy' }),
  nodeTaintsPolicy: pointer(7, string, { enum: ['Honor', 'Ignore'], goType: 'v1.NodeInclusionPolicy' }),
  matchLabelKeys: optional(8, list(string), { merge: 'atomic' }),
}));
export interface TopologySpreadConstraint extends Infer<typeof TopologySpreadConstraint> {}
