import { type Infer, list, map, optional, string, struct } from '#schema/build.ts';

export const UserInfo = struct('io.k8s.api.authentication.v1.UserInfo', () => ({
  username: optional(1, string),
  uid: optional(2, string),
  groups: optional(3, list(string), { merge: 'atomic' }),
  extra: optional(4, map(list(string, { wrapped: 'io.k8s.api.authentication.v1.ExtraValue' })), { goType: 'map[string]v1.ExtraValue' }),
}));
export interface UserInfo extends Infer<typeof UserInfo> {}
