import { NodeSelector, NodeSelectorTerm } from '#kinds/core/v1/node-selector.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { type Infer, int32, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const Affinity = struct('io.k8s.api.core.v1.Affinity', () => ({
  nodeAffinity: pointer(1, ref<NodeAffinity>(NodeAffinity)),
  podAffinity: pointer(2, ref<PodAffinity>(PodAffinity)),
  podAntiAffinity: pointer(3, ref<PodAntiAffinity>(PodAntiAffinity)),
}));
export interface Affinity extends Infer<typeof Affinity> {}

export const NodeAffinity = struct('io.k8s.api.core.v1.NodeAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: pointer(1, ref<NodeSelector>(NodeSelector)),
  preferredDuringSchedulingIgnoredDuringExecution: optional(2, list(ref<PreferredSchedulingTerm>(PreferredSchedulingTerm)), { merge: 'atomic' }),
}));
export interface NodeAffinity extends Infer<typeof NodeAffinity> {}

export const PreferredSchedulingTerm = struct('io.k8s.api.core.v1.PreferredSchedulingTerm', () => ({
  weight: required(1, int32),
  preference: required(2, ref<NodeSelectorTerm>(NodeSelectorTerm)),
}));
export interface PreferredSchedulingTerm extends Infer<typeof PreferredSchedulingTerm> {}

export const PodAffinity = struct('io.k8s.api.core.v1.PodAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: optional(1, list(ref<PodAffinityTerm>(PodAffinityTerm)), { merge: 'atomic' }),
  preferredDuringSchedulingIgnoredDuringExecution: optional(2, list(ref<WeightedPodAffinityTerm>(WeightedPodAffinityTerm)), { merge: 'atomic' }),
}));
export interface PodAffinity extends Infer<typeof PodAffinity> {}

export const PodAffinityTerm = struct('io.k8s.api.core.v1.PodAffinityTerm', () => ({
  labelSelector: pointer(1, ref<LabelSelector>(LabelSelector)),
  namespaces: optional(2, list(string), { merge: 'atomic' }),
  topologyKey: required(3, string),
  namespaceSelector: pointer(4, ref<LabelSelector>(LabelSelector)),
  matchLabelKeys: optional(5, list(string), { merge: 'atomic' }),
  mismatchLabelKeys: optional(6, list(string), { merge: 'atomic' }),
}));
export interface PodAffinityTerm extends Infer<typeof PodAffinityTerm> {}

export const WeightedPodAffinityTerm = struct('io.k8s.api.core.v1.WeightedPodAffinityTerm', () => ({
  weight: required(1, int32),
  podAffinityTerm: required(2, ref<PodAffinityTerm>(PodAffinityTerm)),
}));
export interface WeightedPodAffinityTerm extends Infer<typeof WeightedPodAffinityTerm> {}

export const PodAntiAffinity = struct('io.k8s.api.core.v1.PodAntiAffinity', () => ({
  requiredDuringSchedulingIgnoredDuringExecution: optional(1, list(ref<PodAffinityTerm>(PodAffinityTerm)), { merge: 'atomic' }),
  preferredDuringSchedulingIgnoredDuringExecution: optional(2, list(ref<WeightedPodAffinityTerm>(WeightedPodAffinityTerm)), { merge: 'atomic' }),
}));
export interface PodAntiAffinity extends Infer<typeof PodAntiAffinity> {}
