// Bootstrap tokens as they lie in Secrets of kube-system.
import type { KubernetesObject } from '#api/object.ts';
import type { Secret } from '#kinds/core/v1/secret.ts';

export type StoredSecret = Secret & KubernetesObject;

export const tokenNamespace = 'kube-system';
const secretType = 'bootstrap.kubernetes.io/token';
const namePrefix = 'bootstrap-token-';

export function isBootstrapToken({ type }: StoredSecret): boolean {
  return type === secretType;
}

/** In milliseconds since 1970; undefined: it never expires. A time that cannot be read has passed, as in the original. */
export function expiryOf(secret: StoredSecret): number | undefined {
  const text = dataOf(secret, 'expiration');
  if (text === '') return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? -Infinity : time;
}

/** The id and the secret of a token that may sign at this moment; undefined: it may not. */
export function signingToken(secret: StoredSecret, now: number): { readonly id: string; readonly secret: string } | undefined {
  const [id, own] = [dataOf(secret, 'token-id'), dataOf(secret, 'token-secret')];
  if (id === '' || own === '' || secret.metadata.name !== `${namePrefix}${id}` || !/^[a-z0-9]{6}$/.test(id)) return undefined;
  const expiry = expiryOf(secret);
  if ((expiry !== undefined && expiry < now) || dataOf(secret, 'usage-bootstrap-signing') !== 'true') return undefined;
  return { id, secret: own };
}

function dataOf({ data }: StoredSecret, key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString();
}
