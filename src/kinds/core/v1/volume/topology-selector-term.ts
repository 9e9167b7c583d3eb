import { type Infer, list, optional, ref, required, string, struct } from '#schema/build.ts';

export const TopologySelectorTerm = struct(
  'io.k8s.api.core.v1.TopologySelectorTerm',
  () => ({
    matchLabelExpressions: optional(1, list(ref<TopologySelectorLabelRequirement>(TopologySelectorLabelRequirement)), { merge: 'atomic' }),
  }),
  { atomic: true },
);
export interface TopologySelectorTerm extends Infer<typeof TopologySelectorTerm> {}

export const TopologySelectorLabelRequirement = struct('io.k8s.api.core.v1.TopologySelectorLabelRequirement', () => ({
  key: required(1, string),
  values: required(2, list(string), { merge: 'atomic' }),
}));
export interface TopologySelectorLabelRequirement extends Infer<typeof TopologySelectorLabelRequirement> {}
