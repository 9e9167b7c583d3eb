// Service accounts as users: which keys sign and check their tokens, who takes them, and what others may know of it.
import type { Lister, Writer } from '#api/lister.ts';
import type { Certificates } from '#app/certificates/certificates.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { signingKey, type VerifyingKey, verifyingKeys } from '#auth/authentication/jwt.ts';
import { legacyServiceAccountToken } from '#auth/authentication/legacy-service-account-token.ts';
import { type OpenIdDocuments, openIdDocuments } from '#auth/authentication/openid-metadata.ts';
import { serviceAccountIssuer } from '#auth/authentication/service-account-issuer.ts';
import { serviceAccountToken } from '#auth/authentication/service-account-token.ts';
import type { TokenAuthenticator } from '#auth/authentication/token-verdict.ts';
import { VerifiedTokens } from '#auth/authentication/verified-tokens.ts';
import type { Clock } from '#base/clock.ts';
import { TokenRequest } from '#kinds/authentication/v1/token-request.ts';
import type { TokenRequestServices } from '#verbs/subresources/token-request.ts';

export interface ServiceAccountParts {
  readonly certificates: Certificates;
  readonly audiences: readonly string[];
  readonly clock: Clock;
  readonly lister: Lister;
  readonly writer: Writer;
  /** host:port under which others reach us. */
  readonly serverAddress: string;
}

export interface ServiceAccounts {
  readonly authenticators: readonly TokenAuthenticator[];
  readonly requests: TokenRequestServices;
  readonly openId: OpenIdDocuments | undefined;
}

const extendedSeconds = 365 * 24 * 3600;

export function buildServiceAccounts({ serviceAccounts: options }: ServerOptions, parts: ServiceAccountParts): ServiceAccounts {
  const { certificates, audiences, clock, lister, writer, serverAddress } = parts;
  const keys: readonly VerifyingKey[] = certificates.serviceAccounts.publicKeys.flatMap(verifyingKeys);
  const tokens = new VerifiedTokens(keys);
  const issuer = options.issuers[0] ?? '';
  return {
    authenticators: [
      legacyServiceAccountToken({ tokens, apiAudiences: audiences, lookup: options.lookup, lister, writer, clock }),
      serviceAccountToken({ issuers: options.issuers, tokens, lister, clock }),
    ],
    requests: {
      schema: TokenRequest,
      audiences,
      maxSeconds: options.maxExpirationMs / 1000,
      extendedSeconds: options.extendExpiration ? extendedSeconds : 0,
      issue: serviceAccountIssuer(issuer, signingKey(certificates.serviceAccounts.signingKey), clock),
    },
    openId: openIdDocuments(issuer, options.jwksUri === '' ? `https://${serverAddress}/openid/v1/jwks` : options.jwksUri, keys),
  };
}
