import { TokenReview } from '#kinds/authentication/v1/token-review.ts';
import { defineResource } from '#resource/definition.ts';

export const tokenreviews = defineResource<TokenReview>({
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  singular: 'tokenreview',
  namespaced: false,
  schema: TokenReview,
  verbs: ['create'],
  lifecycle: { introduced: '1.6' },
});
