// Tokens of new nodes, kept as secrets `bootstrap-token-<id>` in kube-system: `<id>.<secret>`.
import { timingSafeEqual } from 'node:crypto';
import type { Lister } from '#api/lister.ts';
import type { KubernetesObject } from '#api/object.ts';
import { AUTHENTICATED } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import { knownFor, type TokenAuthenticator } from '#auth/authentication/token-verdict.ts';

export interface BootstrapTokenParts {
  readonly lister: Lister;
  readonly clock: Clock;
  readonly apiAudiences: readonly string[];
}

type Secret = KubernetesObject & { readonly type?: string; readonly data?: Readonly<Record<string, string>> };

/** A token of this form that is wrong in any way is simply not known. */
export function bootstrapToken({ lister, clock, apiAudiences }: BootstrapTokenParts): TokenAuthenticator {
  return async (token, context) => {
    const [, id = '', secret = ''] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
    if (id === '') return undefined;
    const stored = await lister.get<Secret>({ group: '', resource: 'secrets' }, 'kube-system', `bootstrap-token-${id}`);
    if (stored === undefined || !isUsable(stored, id, secret, clock.now())) return undefined;
    const groups = groupsOf(field(stored, 'auth-extra-groups'));
    if (groups === undefined) return undefined;
    return knownFor({ name: `system:bootstrap:${id}`, groups: [...groups, AUTHENTICATED] }, context, apiAudiences);
  };
}

function isUsable(stored: Secret, id: string, secret: string, now: Date): boolean {
  if (stored.metadata.deletionTimestamp !== undefined || stored.type !== 'bootstrap.kubernetes.io/token') return false;
  if (!sameText(field(stored, 'token-secret'), secret) || field(stored, 'token-id') !== id) return false;
  if (field(stored, 'usage-bootstrap-authentication') !== 'true') return false;
  const expiration = field(stored, 'expiration');
  // A time that cannot be read counts as past.
  return expiration === '' || Date.parse(expiration) > now.getTime();
}

function field({ data }: Secret, name: string): string {
  return Buffer.from(data?.[name] ?? '', 'base64').toString();
}

const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Undefined when one of them is not a group that bootstrap tokens may have. */
function groupsOf(extra: string): readonly string[] | undefined {
  const groups = extra === '' ? [] : extra.split(',');
  if (!groups.every((group) => groupPattern.test(group))) return undefined;
  return [...new Set(['system:bootstrappers', ...groups])].sort();
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
