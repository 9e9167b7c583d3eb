// Tokens that another server knows (`--authentication-token-webhook-config-file`).
import { createHash } from 'node:crypto';
import { AUTHENTICATED, type User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import { ExpiringMap } from '#auth/expiring-map.ts';
import type { ReviewCall } from '#auth/remote-review.ts';
import type { TokenAuthenticator, TokenContext, TokenVerdict } from '#auth/authentication/token-verdict.ts';

export interface WebhookTokenParts {
  readonly call: ReviewCall;
  readonly version: 'v1' | 'v1beta1';
  readonly apiAudiences: readonly string[];
}

interface TokenReviewStatus {
  readonly authenticated?: boolean;
  readonly error?: string;
  readonly audiences?: readonly string[];
  readonly user?: {
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}

export function webhookToken({ call, version, apiAudiences }: WebhookTokenParts): TokenAuthenticator {
  return async (token, context) => {
    const spec = { token, audiences: context.audiences };
    let status: TokenReviewStatus;
    try {
      status = ((await call({ apiVersion: `authentication.k8s.io/${version}`, kind: 'TokenReview', spec })).status ?? {}) as TokenReviewStatus;
    } catch {
      // What went wrong is between us and that server.
      return { refused: 'webhook token authentication failed' };
    }
    return verdictOf(status, context, apiAudiences);
  };
}

function verdictOf(status: TokenReviewStatus, { audiences: asked }: TokenContext, apiAudiences: readonly string[]): TokenVerdict | undefined {
  if (!status.authenticated) return status.error ? { refused: status.error } : undefined;
  const good = status.audiences?.length ? status.audiences : apiAudiences;
  const audiences = asked.filter((audience) => good.includes(audience));
  if (audiences.length === 0 && asked.length > 0) return undefined;
  return { user: userOf(status.user ?? {}), audiences };
}

function userOf({ username = '', uid, groups = [], extra }: NonNullable<TokenReviewStatus['user']>): User {
  return { name: username, groups: [...groups, AUTHENTICATED], ...(uid && { uid }), ...(extra && { extra }) };
}

/** Remembers users, and with `unknownMs` also that nobody knows a token; never a failure to find out. */
export function remembered(authenticate: TokenAuthenticator, clock: Clock, knownMs: number, unknownMs = 0): TokenAuthenticator {
  const verdicts = new ExpiringMap<{ readonly verdict: TokenVerdict | undefined }>(clock);
  return async (token, context) => {
    // The token itself is not kept.
    const key = createHash('sha256')
      .update(JSON.stringify([token, context.audiences]))
      .digest('base64');
    const known = verdicts.get(key);
    if (known !== undefined) return known.verdict;
    const verdict = await authenticate(token, context);
    if (verdict === undefined) verdicts.set(key, { verdict }, unknownMs);
    else if (!('refused' in verdict)) verdicts.set(key, { verdict }, knownMs);
    return verdict;
  };
}
