// What a service account token says: the claims that are signed, and their reading.
import type { User } from '#api/user.ts';
import { AUTHENTICATED } from '#api/user.ts';

export interface ObjectRef {
  readonly name: string;
  readonly uid: string;
}

/** For whom a token is made and what ends it early. A pod's token may name the node beside the pod. */
export interface TokenSubject {
  readonly namespace: string;
  readonly account: ObjectRef;
  readonly pod?: ObjectRef | undefined;
  readonly secret?: ObjectRef | undefined;
  readonly node?: ObjectRef | undefined;
}

export interface TokenLife {
  readonly audiences: readonly string[];
  readonly seconds: number;
  /** From when on the use of the token is stale; absent for tokens that simply end. */
  readonly warnAfterSeconds?: number | undefined;
}

export interface TokenClaims {
  readonly issuer: string;
  readonly id: string;
  readonly now: Date;
}

export function claimsOf({ namespace, account, pod, secret, node }: TokenSubject, life: TokenLife, { issuer, id, now }: TokenClaims): object {
  const seconds = Math.floor(now.getTime() / 1000);
  return {
    aud: life.audiences,
    exp: seconds + life.seconds,
    iat: seconds,
    iss: issuer,
    jti: id,
    'kubernetes.io': {
      namespace,
      ...(node && { node: reference(node) }),
      ...(pod && { pod: reference(pod) }),
      ...(secret && { secret: reference(secret) }),
      serviceaccount: reference(account),
      ...(life.warnAfterSeconds && { warnafter: seconds + life.warnAfterSeconds }),
    },
    nbf: seconds,
    sub: accountUser(namespace, account.name),
  };
}

function reference({ name, uid }: ObjectRef): object {
  return { name, ...(uid !== '' && { uid }) };
}

/** Undefined when the claims are not those of a service account. */
export function subjectOf(claims: Readonly<Record<string, unknown>>): TokenSubject | undefined {
  const own = claims['kubernetes.io'];
  if (typeof own !== 'object' || own === null) return undefined;
  const { namespace, serviceaccount, pod, secret, node } = own as Record<string, unknown>;
  const account = readReference(serviceaccount);
  if (typeof namespace !== 'string' || namespace === '' || account === undefined) return undefined;
  return { namespace, account, pod: readReference(pod), secret: readReference(secret), node: readReference(node) };
}

function readReference(value: unknown): ObjectRef | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name = '', uid = '' } = value as { name?: unknown; uid?: unknown };
  return { name: String(name), uid: String(uid) };
}

export function accountUser(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

const extraPrefix = 'authentication.kubernetes.io';

/** The user that a token stands for; `id` is its `jti`. */
export function userOfSubject({ namespace, account, pod, node }: TokenSubject, id: string): User {
  const extra = {
    ...(id !== '' && { [`${extraPrefix}/credential-id`]: [`JTI=${id}`] }),
    ...(node && { [`${extraPrefix}/node-name`]: [node.name], ...(node.uid !== '' && { [`${extraPrefix}/node-uid`]: [node.uid] }) }),
    ...(pod && { [`${extraPrefix}/pod-name`]: [pod.name], [`${extraPrefix}/pod-uid`]: [pod.uid] }),
  };
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED];
  return { name: accountUser(namespace, account.name), uid: account.uid, groups, ...(Object.keys(extra).length > 0 && { extra }) };
}
