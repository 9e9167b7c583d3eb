import { type Infer, list, optional, ref, required, string, struct } from '#schema/build.ts';

export const PodGroupSchedulingConstraints = struct('io.k8s.api.scheduling.v1alpha2.PodGroupSchedulingConstraints', () => ({
  topology: optional(1, list(ref<TopologyConstraint>(TopologyConstraint)), { merge: 'atomic' }),
}));
export interface PodGroupSchedulingConstraints extends Infer<typeof PodGroupSchedulingConstraints> {}

export const TopologyConstraint = struct('io.k8s.api.scheduling.v1alpha2.TopologyConstraint', () => ({
  key: required(1, string),
}));
export interface TopologyConstraint extends Infer<typeof TopologyConstraint> {}
