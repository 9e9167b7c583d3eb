// What one kind of bearer token says about a token, and how several kinds are asked.
import type { User } from '#api/user.ts';

export interface TokenContext {
  /** Who the token is shown to; it must be meant for one of them. */
  readonly audiences: readonly string[];
  warn(text: string): void;
}

export interface KnownToken {
  readonly user: User;
  /** Those of the asked audiences that the token is good for. */
  readonly audiences: readonly string[];
}

/** The reason is for reviews and logs; it never contains the token. */
export type TokenVerdict = KnownToken | { readonly refused: string };

/** Undefined: not a token of this kind. */
export type TokenAuthenticator = (token: string, context: TokenContext) => Promise<TokenVerdict | undefined>;

export const invalidToken = 'invalid bearer token';

/** The first that knows the token wins; otherwise all the reasons there are. */
export async function judgeToken(authenticators: readonly TokenAuthenticator[], token: string, context: TokenContext): Promise<TokenVerdict> {
  const reasons: string[] = [invalidToken];
  for (const authenticate of authenticators) {
    const verdict = await authenticate(token, context);
    if (verdict === undefined) continue;
    if (!('refused' in verdict)) return verdict;
    reasons.push(verdict.refused);
  }
  return { refused: reasons.length === 1 ? invalidToken : `[${reasons.join(', ')}]` };
}

/** For tokens that know no audiences: they are good for those of this server. */
export function knownFor(user: User | undefined, { audiences }: TokenContext, apiAudiences: readonly string[]): KnownToken | undefined {
  if (user === undefined) return undefined;
  const common = audiences.filter((audience) => apiAudiences.includes(audience));
  return common.length === 0 && apiAudiences.length > 0 ? undefined : { user, audiences: common };
}
