import { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from '#kinds/authorization/v1/subject-access-review.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, pointer, ref, required, rootStruct, struct } from '#schema/build.ts';

export const SelfSubjectAccessReview = rootStruct(
  'io.k8s.api.authorization.v1.SelfSubjectAccessReview',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<SelfSubjectAccessReviewSpec>(SelfSubjectAccessReviewSpec)),
    status: embedded(3, ref<SubjectAccessReviewStatus>(SubjectAccessReviewStatus)),
  }),
  { gvks: [['authorization.k8s.io', 'v1', 'SelfSubjectAccessReview']] },
);
export interface SelfSubjectAccessReview extends Infer<typeof SelfSubjectAccessReview> {}

export const SelfSubjectAccessReviewSpec = struct('io.k8s.api.authorization.v1.SelfSubjectAccessReviewSpec', () => ({
  resourceAttributes: pointer(1, ref<ResourceAttributes>(ResourceAttributes)),
  nonResourceAttributes: pointer(2, ref<NonResourceAttributes>(NonResourceAttributes)),
}));
export interface SelfSubjectAccessReviewSpec extends Infer<typeof SelfSubjectAccessReviewSpec> {}
