import { SelfSubjectAccessReview } from '#kinds/authorization/v1/self-subject-access-review.ts';
import { defineResource } from '#resource/definition.ts';

export const selfsubjectaccessreviews = defineResource<SelfSubjectAccessReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  singular: 'selfsubjectaccessreview',
  namespaced: false,
  schema: SelfSubjectAccessReview,
  verbs: ['create'],
  lifecycle: { introduced: '1.19' },
});
