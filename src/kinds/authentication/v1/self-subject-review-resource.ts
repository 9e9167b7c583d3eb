import { SelfSubjectReview } from '#kinds/authentication/v1/self-subject-review.ts';
import { defineResource } from '#resource/definition.ts';

export const selfsubjectreviews = defineResource<SelfSubjectReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  singular: 'selfsubjectreview',
  namespaced: false,
  schema: SelfSubjectReview,
  verbs: ['create'],
  lifecycle: { introduced: '1.28' },
});
