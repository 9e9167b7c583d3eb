// Checking a signature costs far more than anything else a token needs, so tokens whose signature was right are remembered.
// Everything else (times, bound objects) is looked at on each request: what is revoked ends at once.
import { createHash } from 'node:crypto';
import { isSignedBy, type ParsedJwt, parseJwt, type VerifyingKey } from '#auth/authentication/jwt.ts';

const maxRemembered = 4096;
/** Longer ones are checked each time: what is remembered of a token is as large as it is. */
const longestRemembered = 16 * 1024;

export class VerifiedTokens {
  readonly #keys: readonly VerifyingKey[];
  readonly #claims = new Map<string, ParsedJwt['claims']>();

  constructor(keys: readonly VerifyingKey[]) {
    this.#keys = keys;
  }

  /** The claims of a token that one of the keys signed, or why not; undefined when the text is no token of these issuers. */
  read(token: string, issuers: readonly string[]): ParsedJwt['claims'] | { readonly refused: string } | undefined {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = this.#claims.get(digest);
    if (known !== undefined) return issuers.includes(String(known['iss'])) ? known : undefined;
    const parsed = parseJwt(token);
    if (parsed === undefined || !issuers.includes(String(parsed.claims['iss']))) return undefined;
    const refused = this.#problemWith(parsed);
    if (refused !== undefined) return { refused };
    if (token.length > longestRemembered) return parsed.claims;
    if (this.#claims.size >= maxRemembered) this.#claims.clear();
    this.#claims.set(digest, parsed.claims);
    return parsed.claims;
  }

  /** A token that names its key is held to it; without a name any key may have signed it. */
  #problemWith(parsed: ParsedJwt): string | undefined {
    const { kid } = parsed.header;
    const candidates = typeof kid === 'string' && kid !== '' ? this.#keys.filter(({ id }) => id === kid) : this.#keys;
    if (candidates.length === 0) return 'invalid signature, no keys found';
    return candidates.some((key) => isSignedBy(parsed, key)) ? undefined : 'go-jose/go-jose: error in cryptographic primitive';
  }
}
