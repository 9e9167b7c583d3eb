import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int64, list, optional, pointer, ref, rootStruct, string, struct, time } from '#schema/build.ts';

export const TokenRequest = rootStruct(
  'io.k8s.api.authentication.v1.TokenRequest',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<TokenRequestSpec>(TokenRequestSpec), { written: 'always' }),
    status: embedded(3, ref<TokenRequestStatus>(TokenRequestStatus)),
  }),
  { gvks: [['authentication.k8s.io', 'v1', 'TokenRequest']] },
);
export interface TokenRequest extends Infer<typeof TokenRequest> {}

export const BoundObjectReference = struct('io.k8s.api.authentication.v1.BoundObjectReference', () => ({
  kind: optional(1, string),
  apiVersion: optional(2, string),
  name: optional(3, string),
  uid: optional(4, string, { protoName: 'uID', goType: 'types.UID' }),
}));
export interface BoundObjectReference extends Infer<typeof BoundObjectReference> {}

export const TokenRequestSpec = struct('io.k8s.api.authentication.v1.TokenRequestSpec', () => ({
  audiences: optional(1, list(string), { written: 'always', merge: 'atomic' }),
  expirationSeconds: pointer(4, int64, { written: 'always' }),
  boundObjectRef: pointer(3, ref<BoundObjectReference>(BoundObjectReference), { written: 'always' }),
}));
export interface TokenRequestSpec extends Infer<typeof TokenRequestSpec> {}

export const TokenRequestStatus = struct('io.k8s.api.authentication.v1.TokenRequestStatus', () => ({
  token: optional(1, string, { written: 'always' }),
  expirationTimestamp: optional(2, time, { written: 'always' }),
}));
export interface TokenRequestStatus extends Infer<typeof TokenRequestStatus> {}
