import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const SelfSubjectRulesReview = rootStruct(
  'io.k8s.api.authorization.v1.SelfSubjectRulesReview',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<SelfSubjectRulesReviewSpec>(SelfSubjectRulesReviewSpec)),
    status: embedded(3, ref<SubjectRulesReviewStatus>(SubjectRulesReviewStatus)),
  }),
  { gvks: [['authorization.k8s.io', 'v1', 'SelfSubjectRulesReview']] },
);
export interface SelfSubjectRulesReview extends Infer<typeof SelfSubjectRulesReview> {}

export const NonResourceRule = struct('io.k8s.api.authorization.v1.NonResourceRule', () => ({
  verbs: required(1, list(string), { merge: 'atomic' }),
  nonResourceURLs: optional(2, list(string), { merge: 'atomic' }),
}));
export interface NonResourceRule extends Infer<typeof NonResourceRule> {}

export const ResourceRule = struct('io.k8s.api.authorization.v1.ResourceRule', () => ({
  verbs: required(1, list(string), { merge: 'atomic' }),
  apiGroups: optional(2, list(string), { merge: 'atomic' }),
  resources: optional(3, list(string), { merge: 'atomic' }),
  resourceNames: optional(4, list(string), { merge: 'atomic' }),
}));
export interface ResourceRule extends Infer<typeof ResourceRule> {}

export const SelfSubjectRulesReviewSpec = struct('io.k8s.api.authorization.v1.SelfSubjectRulesReviewSpec', () => ({
  namespace: optional(1, string),
}));
export interface SelfSubjectRulesReviewSpec extends Infer<typeof SelfSubjectRulesReviewSpec> {}

export const SubjectRulesReviewStatus = struct('io.k8s.api.authorization.v1.SubjectRulesReviewStatus', () => ({
  resourceRules: required(1, list(ref<ResourceRule>(ResourceRule)), { merge: 'atomic' }),
  nonResourceRules: required(2, list(ref<NonResourceRule>(NonResourceRule)), { merge: 'atomic' }),
  incomplete: required(3, boolean),
  evaluationError: optional(4, string),
}));
export interface SubjectRulesReviewStatus extends Infer<typeof SubjectRulesReviewStatus> {}
