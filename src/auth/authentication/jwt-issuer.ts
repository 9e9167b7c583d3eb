// Tokens of other issuers: OpenID Connect by flags, or the `jwt` part of an AuthenticationConfiguration.
import type { ClaimReader } from '#auth/authentication/claim-expressions.ts';
import { AUTHENTICATED, type User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import { parseJwt } from '#auth/authentication/jwt.ts';
import type { TokenAuthenticator, TokenVerdict } from '#auth/authentication/token-verdict.ts';

export interface PrefixedClaim {
  readonly claim: string;
  readonly prefix: string;
}

export interface JwtIssuerOptions {
  readonly url: string;
  /** Empty: below the issuer's URL. */
  readonly discoveryUrl: string;
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  /** Absent where an expression says it. */
  readonly username: PrefixedClaim | undefined;
  readonly groups: PrefixedClaim | undefined;
  readonly uidClaim: string | undefined;
  readonly requiredClaims: Readonly<Record<string, string>>;
  /** What expressions say about claims and users. */
  readonly expressions?: ClaimReader | undefined;
  readonly apiAudiences: readonly string[];
  /** GET of a JSON document; trusts the issuer's authority. */
  readonly fetchJson: (url: string) => Promise<unknown>;
  readonly clock: Clock;
}

type Claims = Readonly<Record<string, unknown>>;

export function jwtIssuer(options: JwtIssuerOptions): TokenAuthenticator {
  const keys = new IssuerKeys(options);
  return async (token, context) => {
    const parsed = parseJwt(token);
    if (parsed === undefined || parsed.claims['iss'] !== options.url) return undefined;
    const claims = await keys.verified(token);
    if (typeof claims === 'string') return { refused: `oidc: verify token: ${claims}` };
    const problem = problemWith(claims, options);
    if (problem !== undefined) return { refused: `oidc: ${problem}` };
    const user = judged(claims, options);
    if (typeof user === 'string') return { refused: user };
    const audiences = context.audiences.filter((audience) => options.apiAudiences.includes(audience));
    return audiences.length === 0 && context.audiences.length > 0 ? undefined : ({ user, audiences } satisfies TokenVerdict);
  };
}

/** An unknown key is looked for again, but not more often than this. */
const refetchMs = 10_000;

/** The keys of an issuer, fetched when a token needs them. */
class IssuerKeys {
  readonly #options: JwtIssuerOptions;
  #fetched: Promise<unknown> | undefined;
  #fetchedAt = Number.NEGATIVE_INFINITY;

  constructor(options: JwtIssuerOptions) {
    this.#options = options;
  }

  /** A text says why the signature does not count; it never contains the token. */
  async verified(token: string): Promise<Claims | string> {
    const { algorithms, clock } = this.#options;
    for (const again of [false, true]) {
      try {
        const jose = await import('jose');
        const keys = jose.createLocalJWKSet((await this.#keys(again)) as Parameters<typeof jose.createLocalJWKSet>[0]);
        const { payload } = await jose.compactVerify(token, keys, { algorithms: [...algorithms] });
        return JSON.parse(Buffer.from(payload).toString()) as Claims;
      } catch (error) {
        const unknownKey = (error as { code?: string }).code === 'ERR_JWKS_NO_MATCHING_KEY';
        if (!unknownKey) return this.#fetched === undefined ? 'fetching keys failed' : 'failed to verify signature';
        if (again || clock.now().getTime() - this.#fetchedAt < refetchMs) break;
      }
    }
    return 'failed to verify signature: no matching key';
  }

  async #keys(again: boolean): Promise<unknown> {
    if (this.#fetched === undefined || again) {
      this.#fetchedAt = this.#options.clock.now().getTime();
      this.#fetched = this.#fetch();
      this.#fetched.catch(() => (this.#fetched = undefined));
    }
    return this.#fetched;
  }

  async #fetch(): Promise<unknown> {
    const { url, discoveryUrl, fetchJson } = this.#options;
    const document = (await fetchJson(discoveryUrl || `${url.replace(/\/$/, '')}/.well-known/openid-configuration`)) as { issuer?: string; jwks_uri?: string };
    if (document.issuer !== url) throw new Error(`the discovery document is that of another issuer`);
    return fetchJson(document.jwks_uri ?? '');
  }
}

const notBeforeLeewaySeconds = 300;

function problemWith(claims: Claims, { audiences, requiredClaims, clock }: JwtIssuerOptions): string | undefined {
  const now = clock.now().getTime() / 1000;
  const { aud, exp, nbf } = claims;
  if (typeof exp !== 'number' || exp < now) return 'verify token: token is expired';
  if (typeof nbf === 'number' && now + notBeforeLeewaySeconds < nbf) return 'verify token: current time is before the nbf (not before) time';
  if (![aud].flat().some((audience) => audiences.includes(String(audience)))) return `verify token: expected audience in ${JSON.stringify(audiences)}`;
  for (const [claim, value] of Object.entries(requiredClaims)) {
    if (claims[claim] === undefined) return `required claim ${claim} not present in ID token`;
    if (claims[claim] !== value) return `required claim ${claim} value does not match`;
  }
  return undefined;
}

/** The user, or why there is none. */
function judged(claims: Claims, options: JwtIssuerOptions): User | string {
  const { expressions } = options;
  try {
    expressions?.checkClaims(claims);
    const user = userOf(claims, options);
    if (typeof user === 'string') return `oidc: ${user}`;
    const extra = { ...user.extra, ...expressions?.extra(claims) };
    const whole = { ...user, ...(Object.keys(extra).length > 0 && { extra }) };
    expressions?.checkUser(whole);
    return whole;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function nameOf(claims: Claims, { username, expressions }: JwtIssuerOptions): string | { readonly why: string } {
  if (expressions?.username !== undefined) return expressions.username(claims) || { why: 'username claim is empty' };
  if (username === undefined) return { why: 'no claim says the username' };
  const name = claims[username.claim];
  if (typeof name !== 'string') return { why: `parse username claims "${username.claim}": claim not present` };
  if (username.claim === 'email' && claims['email_verified'] !== undefined && claims['email_verified'] !== true) return { why: 'email not verified' };
  return name === '' ? { why: 'username claim is empty' } : `${username.prefix}${name}`;
}

function groupsOf(claims: Claims, { groups, expressions }: JwtIssuerOptions): readonly string[] | { readonly why: string } {
  if (expressions?.groups !== undefined) return expressions.groups(claims);
  const own = groups === undefined ? [] : [claims[groups.claim] ?? []].flat();
  if (!own.every((group) => typeof group === 'string')) return { why: `parse groups claim "${groups?.claim}": not a list of strings` };
  return own.map((group) => `${groups?.prefix ?? ''}${group}`);
}

function userOf(claims: Claims, options: JwtIssuerOptions): User | string {
  const { uidClaim, expressions } = options;
  const name = nameOf(claims, options);
  if (typeof name !== 'string') return name.why;
  const own = groupsOf(claims, options);
  if ('why' in own) return own.why;
  const uid = expressions?.uid?.(claims) ?? (uidClaim === undefined ? undefined : claims[uidClaim]);
  return {
    name,
    groups: [...own, AUTHENTICATED],
    ...(typeof uid === 'string' && { uid }),
    ...(typeof claims['jti'] === 'string' && { extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${claims['jti']}`] } }),
  };
}
