// Tokens that serviceaccounts/token made: signed by us, for an audience, good while what they are bound to exists.
import type { Lister } from '#api/lister.ts';
import type { GroupResource } from '#api/names.ts';
import type { Clock } from '#base/clock.ts';
import { type ObjectRef, subjectOf, type TokenSubject, userOfSubject } from '#auth/authentication/service-account-claims.ts';
import type { TokenAuthenticator, TokenContext, TokenVerdict } from '#auth/authentication/token-verdict.ts';
import type { VerifiedTokens } from '#auth/authentication/verified-tokens.ts';

export interface ServiceAccountTokenParts {
  readonly issuers: readonly string[];
  readonly tokens: VerifiedTokens;
  /** Asked for on each use: it does not exist yet when authenticators are built. */
  readonly lister: Lister;
  readonly clock: Clock;
}

type Claims = Readonly<Record<string, unknown>>;

export function serviceAccountToken({ issuers, tokens, lister, clock }: ServiceAccountTokenParts): TokenAuthenticator {
  return async (token, context) => {
    const claims = tokens.read(token, issuers);
    if (claims === undefined || 'refused' in claims) return claims as TokenVerdict | undefined;
    const subject = subjectOf(claims);
    if (subject === undefined) return { refused: 'service account token claims could not be validated' };
    const audiences = commonAudiences(claims, context);
    if (typeof audiences === 'string') return { refused: audiences };
    const refused = problemWithTimes(claims, clock.now()) ?? (await problemWithBinding(subject, lister, clock.now()));
    return refused === undefined ? { user: userOfSubject(subject, textClaim(claims, 'jti')), audiences } : { refused };
  };
}

/** A text says why the token is not meant for those who ask. */
function commonAudiences(claims: Claims, { audiences: asked }: TokenContext): readonly string[] | string {
  const own = [claims['aud'] ?? asked].flat().map(String);
  const common = asked.filter((audience) => own.includes(audience));
  return common.length === 0 && asked.length > 0 ? `token audiences ${goList(own)} is invalid for the target audiences ${goList(asked)}` : common;
}

function goList(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}

/** Clocks of different machines may differ by this much. */
const leewaySeconds = 60;

export function problemWithTimes(claims: Claims, now: Date): string | undefined {
  const seconds = now.getTime() / 1000;
  const at = (name: string) => (typeof claims[name] === 'number' ? claims[name] : undefined);
  if (seconds + leewaySeconds < (at('nbf') ?? 0)) return 'service account token is not valid yet';
  if (seconds - leewaySeconds > (at('exp') ?? Number.POSITIVE_INFINITY)) return 'service account token has expired';
  if (seconds + leewaySeconds < (at('iat') ?? 0)) return 'service account token is issued in the future';
  return undefined;
}

const accounts = { group: '', resource: 'serviceaccounts' };
const invalidated = 'service account token has been invalidated';

async function problemWithBinding({ namespace, account, secret, pod, node }: TokenSubject, lister: Lister, now: Date): Promise<string | undefined> {
  const live = await lister.get(accounts, namespace, account.name);
  if (live === undefined) return `serviceaccounts "${account.name}" not found`;
  if (live.metadata.uid !== account.uid) return `service account UID (${live.metadata.uid}) does not match claim (${account.uid})`;
  if (isGone(live.metadata.deletionTimestamp, now)) return `service account ${namespace}/${account.name} has been deleted`;
  const bound = (resource: string, inNamespace: string, ref: ObjectRef | undefined) =>
    ref === undefined ? undefined : problemWithBound(lister, { group: '', resource }, inNamespace, ref, now);
  // The node of a pod is information; only a token without a pod is bound to its node.
  return (await bound('secrets', namespace, secret)) ?? (await bound('pods', namespace, pod)) ?? (pod ? undefined : await bound('nodes', '', node));
}

async function problemWithBound(lister: Lister, resource: GroupResource, namespace: string, ref: ObjectRef, now: Date): Promise<string | undefined> {
  const live = await lister.get(resource, namespace, ref.name);
  if (live === undefined || isGone(live.metadata.deletionTimestamp, now)) return invalidated;
  const kind = resource.resource.slice(0, -1);
  return live.metadata.uid === ref.uid ? undefined : `${kind} UID (${live.metadata.uid}) does not match service account ${kind} ref claim (${ref.uid})`;
}

function isGone(deletionTimestamp: string | undefined, now: Date): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < now.getTime() - leewaySeconds * 1000;
}

function textClaim(claims: Claims, name: string): string {
  return typeof claims[name] === 'string' ? claims[name] : '';
}
