import { LocalSubjectAccessReview } from '#kinds/authorization/v1/local-subject-access-review.ts';
import { defineResource } from '#resource/definition.ts';

export const localsubjectaccessreviews = defineResource<LocalSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  singular: 'localsubjectaccessreview',
  namespaced: true,
  schema: LocalSubjectAccessReview,
  verbs: ['create'],
  lifecycle: { introduced: '1.19' },
});
