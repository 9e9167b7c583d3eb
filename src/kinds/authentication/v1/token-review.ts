import { UserInfo } from '#kinds/authentication/v1/user-info.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const TokenReview = rootStruct(
  'io.k8s.api.authentication.v1.TokenReview',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<TokenReviewSpec>(TokenReviewSpec)),
    status: embedded(3, ref<TokenReviewStatus>(TokenReviewStatus)),
  }),
  { gvks: [['authentication.k8s.io', 'v1', 'TokenReview']] },
);
export interface TokenReview extends Infer<typeof TokenReview> {}

export const TokenReviewSpec = struct('io.k8s.api.authentication.v1.TokenReviewSpec', () => ({
  token: required(1, string, { written: 'nonempty' }),
  audiences: optional(2, list(string), { merge: 'atomic' }),
}));
export interface TokenReviewSpec extends Infer<typeof TokenReviewSpec> {}

export const TokenReviewStatus = struct('io.k8s.api.authentication.v1.TokenReviewStatus', () => ({
  authenticated: optional(1, boolean),
  user: embedded(2, ref<UserInfo>(UserInfo)),
  audiences: optional(4, list(string), { merge: 'atomic' }),
  error: optional(3, string),
}));
export interface TokenReviewStatus extends Infer<typeof TokenReviewStatus> {}
