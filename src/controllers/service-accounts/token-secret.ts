// A Secret that holds the token of a service account: what it says about its account, and what it should hold.
import type { KubernetesObject } from '#api/object.ts';
import type { SourceItem } from '#api/source.ts';
import { pathOf } from '#base/json-scan.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import type { Secret } from '#kinds/core/v1/secret.ts';
import type { ServiceAccount } from '#kinds/core/v1/service-account.ts';

export type StoredSecret = Secret & KubernetesObject;
export type StoredAccount = ServiceAccount & KubernetesObject;

export const secrets: ResourceAddress = { group: '', version: 'v1', resource: 'secrets', namespaced: true };
export const serviceAccounts: ResourceAddress = { group: '', version: 'v1', resource: 'serviceaccounts', namespaced: true };

const nameAnnotation = 'kubernetes.io/service-account.name';
const uidAnnotation = 'kubernetes.io/service-account.uid';
const typePath = pathOf('type');

export interface AccountReference {
  readonly name: string;
  /** Undefined until the controller has filled the Secret. */
  readonly uid: string | undefined;
}

/** Secrets of other types are never parsed. */
export function isTokenSecret(item: SourceItem<StoredSecret>): boolean {
  return item.valueAt(typePath) === 'kubernetes.io/service-account-token';
}

export function accountOf({ metadata: { annotations = {} } }: KubernetesObject): AccountReference {
  return { name: annotations[nameAnnotation] ?? '', uid: annotations[uidAnnotation] || undefined };
}

export function isAccount(account: KubernetesObject | undefined, { uid }: AccountReference): boolean {
  return account !== undefined && (uid === undefined || uid === account.metadata.uid);
}

export interface TokenContents {
  /** PEM; empty: whatever the Secret holds stays. */
  readonly rootCa: string;
  readonly sign: (claims: object) => string;
}

/** The Secret with everything that a pod needs of it; undefined when it has that. */
export function filledSecret(secret: StoredSecret, account: KubernetesObject, { rootCa, sign }: TokenContents): StoredSecret | undefined {
  const data = (secret.data ?? {}) as Readonly<Record<string, string>>;
  const missing = {
    ...(rootCa !== '' && data['ca.crt'] !== base64(rootCa) && { 'ca.crt': base64(rootCa) }),
    ...(!data['namespace'] && { namespace: base64(secret.metadata.namespace ?? '') }),
    ...(!data['token'] && { token: base64(sign(legacyClaims(account, secret))) }),
  };
  if (Object.keys(missing).length === 0) return undefined;
  const { name = '', uid = '' } = account.metadata;
  const annotations = { ...secret.metadata.annotations, [nameAnnotation]: name, [uidAnnotation]: uid };
  return { ...secret, metadata: { ...secret.metadata, annotations }, data: { ...data, ...missing } } as StoredSecret;
}

/** Of a token that never ends: the issuer is that of all such tokens. */
function legacyClaims({ metadata: { name = '', uid = '' } }: KubernetesObject, secret: KubernetesObject): object {
  const namespace = secret.metadata.namespace ?? '';
  return {
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': namespace,
    'kubernetes.io/serviceaccount/secret.name': secret.metadata.name,
    'kubernetes.io/serviceaccount/service-account.name': name,
    'kubernetes.io/serviceaccount/service-account.uid': uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
