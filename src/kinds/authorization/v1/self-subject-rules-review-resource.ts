import { SelfSubjectRulesReview } from '#kinds/authorization/v1/self-subject-rules-review.ts';
import { defineResource } from '#resource/definition.ts';

export const selfsubjectrulesreviews = defineResource<SelfSubjectRulesReview>({
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  singular: 'selfsubjectrulesreview',
  namespaced: false,
  schema: SelfSubjectRulesReview,
  verbs: ['create'],
  lifecycle: { introduced: '1.19' },
});
