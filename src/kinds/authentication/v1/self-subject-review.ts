import { UserInfo } from '#kinds/authentication/v1/user-info.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, ref, rootStruct, struct } from '#schema/build.ts';

export const SelfSubjectReview = rootStruct(
  'io.k8s.api.authentication.v1.SelfSubjectReview',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    status: embedded(2, ref<SelfSubjectReviewStatus>(SelfSubjectReviewStatus)),
  }),
  { gvks: [['authentication.k8s.io', 'v1', 'SelfSubjectReview']] },
);
export interface SelfSubjectReview extends Infer<typeof SelfSubjectReview> {}

export const SelfSubjectReviewStatus = struct('io.k8s.api.authentication.v1.SelfSubjectReviewStatus', () => ({
  userInfo: embedded(1, ref<UserInfo>(UserInfo)),
}));
export interface SelfSubjectReviewStatus extends Infer<typeof SelfSubjectReviewStatus> {}
