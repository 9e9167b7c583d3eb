import { type Infer, list, map, optional, ref, required, string, struct } from '#schema/build.ts';

export const LabelSelector = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
  () => ({
    matchLabels: optional(1, map(string)),
    matchExpressions: optional(2, list(ref<LabelSelectorRequirement>(LabelSelectorRequirement)), { merge: 'atomic' }),
  }),
  { atomic: true },
);
export interface LabelSelector extends Infer<typeof LabelSelector> {}

export const LabelSelectorRequirement = struct('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement', () => ({
  key: required(1, string),
  operator: required(2, string, { goType: 'v1.LabelSelectorOperator' }),
  values: optional(3, list(string), { merge: 'atomic' }),
}));
export interface LabelSelectorRequirement extends Infer<typeof LabelSelectorRequirement> {}

export const FieldSelectorRequirement = struct('io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement', () => ({
  key: required(1, string),
  operator: required(2, string, { goType: 'v1.FieldSelectorOperator' }),
  values: optional(3, list(string), { merge: 'atomic' }),
}));
export interface FieldSelectorRequirement extends Infer<typeof FieldSelectorRequirement> {}
