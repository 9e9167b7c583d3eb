// Makes service account tokens.
import { randomUUID } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { type SigningKey, signJwt } from '#auth/authentication/jwt.ts';
import { claimsOf, type TokenLife, type TokenSubject } from '#auth/authentication/service-account-claims.ts';

export interface IssuedToken {
  readonly token: string;
  /** As users of the token are marked with: `JTI=…`. */
  readonly credentialId: string;
}

export type TokenIssuer = (subject: TokenSubject, life: TokenLife) => IssuedToken;

export function serviceAccountIssuer(issuer: string, key: SigningKey, clock: Clock): TokenIssuer {
  return (subject, life) => {
    const id = randomUUID();
    return { token: signJwt(claimsOf(subject, life, { issuer, id, now: clock.now() }), key), credentialId: `JTI=${id}` };
  };
}
