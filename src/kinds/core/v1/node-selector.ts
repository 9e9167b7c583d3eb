import { type Infer, list, optional, ref, required, string, struct } from '#schema/build.ts';

export const NodeSelector = struct(
  'io.k8s.api.core.v1.NodeSelector',
  () => ({
    nodeSelectorTerms: required(1, list(ref<NodeSelectorTerm>(NodeSelectorTerm)), { merge: 'atomic' }),
  }),
  { atomic: true },
);
export interface NodeSelector extends Infer<typeof NodeSelector> {}

export const NodeSelectorTerm = struct(
  'io.k8s.api.core.v1.NodeSelectorTerm',
  () => ({
    matchExpressions: optional(1, list(ref<NodeSelectorRequirement>(NodeSelectorRequirement)), { merge: 'atomic' }),
    matchFields: optional(2, list(ref<NodeSelectorRequirement>(NodeSelectorRequirement)), { merge: 'atomic' }),
  }),
  { atomic: true },
);
export interface NodeSelectorTerm extends Infer<typeof NodeSelectorTerm> {}

export const NodeSelectorRequirement = struct('io.k8s.api.core.v1.NodeSelectorRequirement', () => ({
  key: required(1, string),
  operator: required(2, string, { enum: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'], goType: 'v1.NodeSelectorOperator' }),
  values: optional(3, list(string), { merge: 'atomic' }),
}));
export interface NodeSelectorRequirement extends Infer<typeof NodeSelectorRequirement> {}
