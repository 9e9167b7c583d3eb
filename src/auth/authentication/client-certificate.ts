// Client certificates: signed by one of our authorities, valid now, meant for clients. CN is the user, each O a group.
import { X509Certificate } from 'node:crypto';
import { AUTHENTICATED, type User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import { unauthorized } from '#auth/authentication/bearer-token.ts';
import type { Authenticator } from '#auth/authenticator.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const anyPurpose = '2.5.29.37.0';
const uidAttribute = '1.3.6.1.4.1.57683.2';

export interface VerifiedCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
  /** SHA-256 in lower-case hex. */
  readonly fingerprint: string;
}

/** Asked for on each request: another list (not a changed one) is another trust. */
export type Authorities = () => readonly X509Certificate[];

/** `readUid`: gate AllowParsingUserUIDFromCertAuth. */
export function clientCertificate(authorities: Authorities, clock: Clock, readUid = true): Authenticator {
  const verified = verifierOf(authorities, clock);
  const users = new WeakMap<VerifiedCertificate, User>();
  return async ({ clientCertificates }) => {
    if (clientCertificates.length === 0) return undefined;
    const certificate = verified(clientCertificates);
    const known = users.get(certificate) ?? userOf(certificate, readUid);
    if (known !== undefined) users.set(certificate, known);
    return known;
  };
}

/** Also for the front proxy, which has authorities of its own. Throws 401. */
export function verifierOf(authorities: Authorities, clock: Clock): (chain: readonly Buffer[]) => VerifiedCertificate {
  // A connection shows the same chain on each request; only its end of life is looked at again.
  const known = new WeakMap<readonly Buffer[], Judged>();
  // Thrown on each request of a client whom another authenticator knows: not worth a stack each time.
  const strange = unauthorized();
  return (chain) => {
    const by = authorities();
    let judged = known.get(chain);
    if (judged?.by !== by) known.set(chain, (judged = { by, found: trustedOf(chain, by) }));
    const { found } = judged;
    if (found === 'refused') throw strange;
    refuseOutsideValidity(found.path, clock.now().getTime());
    return found.certificate;
  };
}

interface Judged {
  readonly by: readonly X509Certificate[];
  readonly found: Trusted | 'refused';
}

interface Trusted {
  readonly certificate: VerifiedCertificate;
  readonly path: readonly Validity[];
}

function trustedOf(chain: readonly Buffer[], authorities: readonly X509Certificate[]): Trusted | 'refused' {
  const path = trustPath(chain, authorities);
  return path === undefined ? 'refused' : { certificate: subjectOf(path[0] as X509Certificate), path: path.map(validityOf) };
}

export function parseCertificates(pem: string): X509Certificate[] {
  return (pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []).map((block) => new X509Certificate(block));
}

/** From the leaf to an authority that signed it, over intermediates that the client showed. */
function trustPath(chain: readonly Buffer[], authorities: readonly X509Certificate[]): readonly X509Certificate[] | undefined {
  const [leaf, ...intermediates] = chain.map((der) => new X509Certificate(der));
  if (leaf === undefined || !isForClients(leaf)) return undefined;
  const path = [leaf];
  for (let current = leaf; path.length <= 8; ) {
    const authority = authorities.find((candidate) => isIssuer(candidate, current));
    if (authority !== undefined) return [...path, authority];
    const next = intermediates.find((candidate) => candidate.ca && !path.includes(candidate) && isIssuer(candidate, current));
    if (next === undefined) break;
    path.push(next);
    current = next;
  }
  return undefined;
}

function isIssuer(candidate: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(candidate) && certificate.verify(candidate.publicKey);
}

function isForClients({ keyUsage }: X509Certificate): boolean {
  return keyUsage !== undefined && (keyUsage.includes(clientAuth) || keyUsage.includes(anyPurpose));
}

interface Validity {
  readonly from: number;
  readonly to: number;
}

function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
}

function refuseOutsideValidity(path: readonly Validity[], now: number): void {
  for (const { from, to } of path) if (now < from || now > to) throw unauthorized();
}

/** A certificate without a common name says nothing about who shows it. */
function userOf({ commonName, organizations, uids, fingerprint }: VerifiedCertificate, readUid: boolean): User | undefined {
  if (commonName === '') return undefined;
  const [uid] = readUid ? uids : [];
  if (readUid && (uids.length > 1 || uid === '')) throw unauthorized('the certificate names more than one uid, or an empty one');
  const extra = { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] };
  return { name: commonName, groups: [...organizations, AUTHENTICATED], extra, ...(uid !== undefined && { uid }) };
}

/** OpenSSL prints one relative name per line, its attributes joined by ` + `; such characters inside values are escaped. */
function subjectOf({ subject, fingerprint256 }: X509Certificate): VerifiedCertificate {
  const attributes = (subject ?? '').split(/\n| \+ /).map((text) => text.split(/=(.*)/s));
  const values = (name: string) => attributes.filter(([key]) => key === name).map(([, value = '']) => unescapeValue(value));
  return {
    commonName: values('CN').at(-1) ?? '',
    organizations: values('O'),
    uids: values(uidAttribute),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/** Control characters come as two hex digits, everything else special behind a backslash. */
function unescapeValue(text: string): string {
  return text.replace(/\\([0-9A-F]{2})|\\(.)/g, (_, hex: string | undefined, character: string) =>
    hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
