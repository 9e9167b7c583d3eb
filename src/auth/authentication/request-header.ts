// A proxy in front of us that has authenticated already: it shows a certificate of its own authority and names the user in headers.
import { headerText } from '#auth/header-text.ts';
import { AUTHENTICATED, type User } from '#api/user.ts';
import { unauthorized } from '#auth/authentication/bearer-token.ts';
import type { VerifiedCertificate } from '#auth/authentication/client-certificate.ts';
import type { Authenticator, Credentials } from '#auth/authenticator.ts';
import { extraInHeaders } from '#auth/extra-in-headers.ts';

export interface RequestHeaderOptions {
  /** Throws when the certificate is not of the proxy's authority. */
  readonly verify: (chain: readonly Buffer[]) => VerifiedCertificate;
  /** Common names of proxies; empty: any that the authority signed. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Without a proxy's certificate the headers mean nothing; another certificate is refused only if nobody else takes it. */
export function requestHeader(options: RequestHeaderOptions): Authenticator {
  return (request) => {
    // Every client with a certificate of its own comes by here; only one that names a user can mean it.
    if (request.clientCertificates.length === 0 || firstValue(request, options.usernameHeaders) === '') return undefined;
    const { commonName } = options.verify(request.clientCertificates);
    if (options.allowedNames.length > 0 && !options.allowedNames.includes(commonName)) {
      throw unauthorized('the common name is not one of a proxy');
    }
    return userInHeaders(request, options);
  };
}

function userInHeaders(request: Credentials, options: RequestHeaderOptions): User | undefined {
  const name = firstValue(request, options.usernameHeaders);
  if (name === '') return undefined;
  const uid = firstValue(request, options.uidHeaders);
  const groups = options.groupHeaders.flatMap((header) => request.headerValues(header.toLowerCase()).map(headerText));
  const extra = extraInHeaders(request, options.extraHeaderPrefixes, unescapeKey);
  return { name, groups: withAuthenticated(groups), ...(uid !== '' && { uid }), ...(Object.keys(extra).length > 0 && { extra }) };
}

function withAuthenticated(groups: readonly string[]): readonly string[] {
  return groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
}

function firstValue(request: Credentials, headers: readonly string[]): string {
  for (const header of headers) {
    const [value = ''] = request.headerValues(header.toLowerCase()).map(headerText);
    if (value !== '') return value;
  }
  return '';
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key).toLowerCase();
  } catch {
    return key.toLowerCase();
  }
}
