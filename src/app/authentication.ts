// Which credentials this server takes, in the order in which they are tried.
import { readFileSync } from 'node:fs';
import type { ServerOptions } from '#app/options.ts';
import { anonymous } from '#auth/authentication/anonymous.ts';
import { bearerToken, type TokenAuthenticator } from '#auth/authentication/bearer-token.ts';
import { clientCertificate, parseCertificates } from '#auth/authentication/client-certificate.ts';
import { tokenFile } from '#auth/authentication/token-file.ts';
import { type Authenticator, firstOf, otherwise } from '#auth/authenticator.ts';
import type { Clock } from '#base/clock.ts';

export interface AuthenticationParts {
  readonly clientCa: string;
  readonly clock: Clock;
  /** Kinds of tokens beside the token file: service accounts, bootstrap tokens, OIDC … */
  readonly tokens?: readonly TokenAuthenticator[];
  /** Tried before client certificates: the front proxy. */
  readonly first?: readonly Authenticator[];
}

export function buildAuthenticator({ authentication }: ServerOptions, { clientCa, clock, tokens = [], first = [] }: AuthenticationParts): Authenticator {
  const fromFile = authentication.tokenFile === '' ? [] : [tokenFile(readFileSync(authentication.tokenFile, 'utf8'))];
  const credentials = firstOf([...first, clientCertificate(parseCertificates(clientCa), clock), bearerToken([...fromFile, ...tokens])]);
  return authentication.anonymous ? otherwise(credentials, anonymous) : credentials;
}
