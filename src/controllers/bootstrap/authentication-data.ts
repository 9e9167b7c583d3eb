// What extension servers are told about how requests are authenticated here: the data of a ConfigMap, to which every API server of a cluster
// adds its own. What others have written stays, so that servers with other authorities do not take turns in overwriting each other.
import { parseCertificates } from '#base/pki/certificate.ts';
import { toPem } from '#base/x509.ts';

export interface RequestHeaderFacts {
  readonly clientCa: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface AuthenticationFacts {
  /** PEM, empty without one. */
  readonly clientCa: string;
  readonly requestHeader: RequestHeaderFacts;
  readonly now: () => Date;
}

type Data = Readonly<Record<string, string>>;

/** Expired authorities are dropped after this time: clocks differ. */
const slackMs = 5 * 60_000;

/** What is stored cannot be read. The original leaves it alone, too, until somebody mends or deletes it. */
export class UnreadableAuthenticationError extends Error {}

/** Throws UnreadableAuthenticationError. */
export function authenticationData(stored: Data, { clientCa, requestHeader: header, now }: AuthenticationFacts): Data {
  const notBefore = now().getTime() - slackMs;
  const clients = joinedAuthorities([stored['client-ca-file'], clientCa], notBefore);
  const proxies = joinedAuthorities([stored['requestheader-client-ca-file'], header.clientCa], notBefore);
  const list = (key: string, own: readonly string[]) => JSON.stringify([...new Set([...storedList(stored, key), ...own])]);
  const lists = {
    'requestheader-allowed-names': list('requestheader-allowed-names', header.allowedNames),
    'requestheader-extra-headers-prefix': list('requestheader-extra-headers-prefix', header.extraHeaderPrefixes),
    'requestheader-group-headers': list('requestheader-group-headers', header.groupHeaders),
    'requestheader-username-headers': list('requestheader-username-headers', header.usernameHeaders),
  };
  const uids = list('requestheader-uid-headers', header.uidHeaders);
  return {
    ...(clients !== '' && { 'client-ca-file': clients }),
    ...(proxies !== '' && { 'requestheader-client-ca-file': proxies, ...lists, ...(uids !== '[]' && { 'requestheader-uid-headers': uids }) }),
  };
}

function joinedAuthorities(bundles: readonly (string | undefined)[], notBefore: number): string {
  const all = bundles.filter((bundle) => bundle !== undefined && bundle !== '').flatMap((bundle) => certificatesOf(bundle as string));
  const byFingerprint = new Map(all.filter(({ notAfter }) => notAfter > notBefore).map((each) => [each.fingerprint, each]));
  return [...byFingerprint.values()].map(({ raw }) => toPem(raw)).join('');
}

function certificatesOf(bundle: string): ReturnType<typeof parseCertificates> {
  const certificates = readable(() => parseCertificates(bundle));
  if (certificates.length === 0) throw new UnreadableAuthenticationError('data does not contain any valid RSA or ECDSA certificates');
  return certificates;
}

function storedList(stored: Data, key: string): readonly string[] {
  const text = stored[key] ?? '';
  if (text === '') return [];
  const value = readable(() => JSON.parse(text) as unknown) ?? [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) throw new UnreadableAuthenticationError(`${key} is no list of texts`);
  return value as string[];
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableAuthenticationError((error as Error).message, { cause: error });
  }
}
