// Which credentials this server takes, in the order in which they are tried.
import { readFileSync } from 'node:fs';
import { anonymousUser } from '#api/user.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import type { AuthenticationOptions, ServerOptions } from '#app/flags/options.ts';
import type { AnonymousRule } from '#app/access/token-issuers.ts';
import { anonymous, anonymousAt } from '#auth/authentication/anonymous.ts';
import { bearerToken, tokenOfHeader } from '#auth/authentication/bearer-token.ts';
import { clientCertificate, verifierOf } from '#auth/authentication/client-certificate.ts';
import { requestHeader } from '#auth/authentication/request-header.ts';
import { tokenFile } from '#auth/authentication/token-file.ts';
import { judgeToken, type TokenAuthenticator, type TokenContext, type TokenVerdict } from '#auth/authentication/token-verdict.ts';
import { type Authenticator, firstOf, otherwise } from '#auth/authenticator.ts';
import type { Clock } from '#base/clock.ts';

export interface AuthenticationParts {
  readonly certificates: Pick<LiveCertificates, 'clientCa' | 'requestHeaderCa'>;
  readonly clock: Clock;
  readonly gate: (name: string) => boolean;
  /** What tokens must be meant for. */
  readonly audiences: readonly string[];
  /** Kinds of tokens beside the token file: service accounts, bootstrap tokens, OIDC … */
  readonly tokens: () => readonly TokenAuthenticator[];
  /** From a file; undefined: as the flag says. */
  readonly anonymous?: AnonymousRule | undefined;
}

export interface Authentication {
  readonly authenticate: Authenticator;
  /** The same without anonymous users. */
  readonly credentials: Authenticator;
  /** Only the tokens, for reviews. */
  readonly judgeToken: (token: string, context: TokenContext) => Promise<TokenVerdict>;
}

export function buildAuthentication({ authentication }: ServerOptions, parts: AuthenticationParts): Authentication {
  const { certificates, clock, gate, audiences, tokens } = parts;
  const fromFile = authentication.tokenFile === '' ? [] : [tokenFile(readFileSync(authentication.tokenFile, 'utf8'), audiences)];
  const known = joined(fromFile, tokens);
  const credentials = firstOf([
    ...frontProxy(authentication, certificates, clock),
    clientCertificate(() => certificates.clientCa.value.certificates, clock, gate('AllowParsingUserUIDFromCertAuth')),
    bearerToken(known, audiences),
  ]);
  return {
    credentials,
    authenticate: withAnonymous(credentials, parts.anonymous ?? { enabled: authentication.anonymous, paths: [] }),
    judgeToken: async (text, context) => {
      const token = tokenOfHeader({ headers: { authorization: `Bearer ${text}` }, warn: () => undefined });
      if (token !== undefined) return judgeToken(known(), token, context);
      // As the original has it: what does not read as a token at all shows no credentials.
      return authentication.anonymous ? { user: anonymousUser, audiences: context.audiences } : { refused: '' };
    },
  };
}

/** Joined once for each list that `later` hands out. */
function joined<T>(first: readonly T[], later: () => readonly T[]): () => readonly T[] {
  let last: readonly T[] | undefined;
  let all: readonly T[] = [];
  return () => {
    const now = later();
    if (now !== last) all = [...first, ...(last = now)];
    return all;
  };
}

function withAnonymous(credentials: Authenticator, { enabled, paths }: AnonymousRule): Authenticator {
  if (!enabled) return credentials;
  return otherwise(credentials, paths.length === 0 ? anonymous : anonymousAt(paths));
}

function frontProxy(
  { requestHeader: options }: AuthenticationOptions,
  { requestHeaderCa }: AuthenticationParts['certificates'],
  clock: Clock,
): readonly Authenticator[] {
  if (requestHeaderCa === undefined) return [];
  return [requestHeader({ ...options, verify: verifierOf(() => requestHeaderCa.value.certificates, clock) })];
}
