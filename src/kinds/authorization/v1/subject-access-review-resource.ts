import { SubjectAccessReview } from '#kinds/authorization/v1/subject-access-review.ts';
import { defineResource } from '#resource/definition.ts';

export const subjectaccessreviews = defineResource<SubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  singular: 'subjectaccessreview',
  namespaced: false,
  schema: SubjectAccessReview,
  verbs: ['create'],
  lifecycle: { introduced: '1.6' },
});
