import { FieldSelectorRequirement, LabelSelectorRequirement } from '#kinds/meta/v1/label-selector.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, list, map, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const SubjectAccessReview = rootStruct(
  'io.k8s.api.authorization.v1.SubjectAccessReview',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<SubjectAccessReviewSpec>(SubjectAccessReviewSpec)),
    status: embedded(3, ref<SubjectAccessReviewStatus>(SubjectAccessReviewStatus)),
  }),
  { gvks: [['authorization.k8s.io', 'v1', 'SubjectAccessReview']] },
);
export interface SubjectAccessReview extends Infer<typeof SubjectAccessReview> {}

export const FieldSelectorAttributes = struct('io.k8s.api.authorization.v1.FieldSelectorAttributes', () => ({
  rawSelector: optional(1, string),
  requirements: optional(2, list(ref<FieldSelectorRequirement>(FieldSelectorRequirement)), { merge: 'atomic' }),
}));
export interface FieldSelectorAttributes extends Infer<typeof FieldSelectorAttributes> {}

export const LabelSelectorAttributes = struct('io.k8s.api.authorization.v1.LabelSelectorAttributes', () => ({
  rawSelector: optional(1, string),
  requirements: optional(2, list(ref<LabelSelectorRequirement>(LabelSelectorRequirement)), { merge: 'atomic' }),
}));
export interface LabelSelectorAttributes extends Infer<typeof LabelSelectorAttributes> {}

export const SubjectAccessReviewSpec = struct('io.k8s.api.authorization.v1.SubjectAccessReviewSpec', () => ({
  resourceAttributes: pointer(1, ref<ResourceAttributes>(ResourceAttributes)),
  nonResourceAttributes: pointer(2, ref<NonResourceAttributes>(NonResourceAttributes)),
  user: optional(3, string),
  groups: optional(4, list(string), { merge: 'atomic' }),
  extra: optional(5, map(list(string, { wrapped: 'io.k8s.api.authorization.v1.ExtraValue' })), { goType: 'map[string]v1.ExtraValue' }),
  uid: optional(6, string),
}));
export interface SubjectAccessReviewSpec extends Infer<typeof SubjectAccessReviewSpec> {}

export const ResourceAttributes = struct('io.k8s.api.authorization.v1.ResourceAttributes', () => ({
  namespace: optional(1, string),
  verb: optional(2, string),
  group: optional(3, string),
  version: optional(4, string),
  resource: optional(5, string),
  subresource: optional(6, string),
  name: optional(7, string),
  fieldSelector: pointer(8, ref<FieldSelectorAttributes>(FieldSelectorAttributes)),
  labelSelector: pointer(9, ref<LabelSelectorAttributes>(LabelSelectorAttributes)),
}));
export interface ResourceAttributes extends Infer<typeof ResourceAttributes> {}

export const NonResourceAttributes = struct('io.k8s.api.authorization.v1.NonResourceAttributes', () => ({
  path: optional(1, string),
  verb: optional(2, string),
}));
export interface NonResourceAttributes extends Infer<typeof NonResourceAttributes> {}

export const SubjectAccessReviewStatus = struct('io.k8s.api.authorization.v1.SubjectAccessReviewStatus', () => ({
  allowed: required(1, boolean),
  denied: optional(4, boolean),
  reason: optional(2, string),
  evaluationError: optional(3, string),
}));
export interface SubjectAccessReviewStatus extends Infer<typeof SubjectAccessReviewStatus> {}
