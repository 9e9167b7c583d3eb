import { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from '#kinds/authorization/v1/subject-access-review.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, ref, required, rootStruct } from '#schema/build.ts';

export const LocalSubjectAccessReview = rootStruct(
  'io.k8s.api.authorization.v1.LocalSubjectAccessReview',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<SubjectAccessReviewSpec>(SubjectAccessReviewSpec)),
    status: embedded(3, ref<SubjectAccessReviewStatus>(SubjectAccessReviewStatus)),
  }),
  { gvks: [['authorization.k8s.io', 'v1', 'LocalSubjectAccessReview']] },
);
export interface LocalSubjectAccessReview extends Infer<typeof LocalSubjectAccessReview> {}
