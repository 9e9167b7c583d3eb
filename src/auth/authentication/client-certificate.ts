// Client certificates: signed by one of our authorities, valid now, meant for clients. CN is the user, each O a group.
// The chain is judged in base/pki, as Go's verifier would: TLS itself only asks for certificates.
import { AUTHENTICATED, type User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import { attempt } from '#base/pki/attempt.ts';
import { type Certificate, parseCertificate } from '#base/pki/certificate.ts';
import { commonNameOf, organizationsOf, valuesOf } from '#base/pki/distinguished-name.ts';
import { isTrustedClient } from '#base/pki/verify-chain.ts';
import { unauthorized } from '#auth/authentication/bearer-token.ts';
import type { Authenticator } from '#auth/authenticator.ts';

const uidAttribute = '1.3.6.1.4.1.57683.2';

export interface VerifiedCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
  /** SHA-256 in lower-case hex. */
  readonly fingerprint: string;
}

/** Asked for on each request: another list (not a changed one) is another trust. */
export type Authorities = () => readonly Certificate[];

/** `readUid`: gate AllowParsingUserUIDFromCertAuth. */
export function clientCertificate(authorities: Authorities, clock: Clock, readUid = true): Authenticator {
  const verified = verifierOf(authorities, clock);
  const users = new WeakMap<VerifiedCertificate, User>();
  return ({ clientCertificates }) => {
    if (clientCertificates.length === 0) return undefined;
    const certificate = verified(clientCertificates);
    const known = users.get(certificate) ?? userOf(certificate, readUid);
    if (known !== undefined) users.set(certificate, known);
    return known;
  };
}

/** Also for the front proxy, which has authorities of its own. Throws 401. */
export function verifierOf(authorities: Authorities, clock: Clock): (chain: readonly Buffer[]) => VerifiedCertificate {
  // A connection shows the same chain on each request; it is judged again when the authorities or the time may change the verdict.
  const known = new WeakMap<readonly Buffer[], Verdict>();
  // Thrown on each request of a client whom another authenticator knows: not worth a stack each time.
  const strange = unauthorized();
  return (chain) => {
    const by = authorities();
    const now = clock.now().getTime();
    let verdict = known.get(chain);
    if (verdict === undefined || verdict.by !== by || now < verdict.from || now >= verdict.until) known.set(chain, (verdict = judge(chain, by, now)));
    if (verdict.certificate === undefined) throw strange;
    return verdict.certificate;
  };
}

/** Holds from `from` until just before `until`. */
interface Verdict {
  readonly by: readonly Certificate[];
  readonly from: number;
  readonly until: number;
  /** Undefined: refused. */
  readonly certificate: VerifiedCertificate | undefined;
}

/** Go's TLS takes no longer ones, for what it costs to verify with them. */
const maxRsaBits = 8192;

function judge(chain: readonly Buffer[], by: readonly Certificate[], now: number): Verdict {
  const { value: shown = [] } = attempt(() => chain.map(parseCertificate));
  const [leaf, ...intermediates] = shown;
  const isCheap = shown.every(({ publicKey }) => (publicKey?.asymmetricKeyDetails?.modulusLength ?? 0) <= maxRsaBits);
  const isTrusted = leaf !== undefined && isCheap && isTrustedClient({ leaf, intermediates, roots: by, now });
  return { by, ...steadyPeriod([...shown, ...by], now), certificate: isTrusted ? verifiedOf(leaf) : undefined };
}

/** The time changes a verdict only when one of the certificates begins or ends. */
function steadyPeriod(certificates: readonly Certificate[], now: number): { from: number; until: number } {
  let [from, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { notBefore, notAfter } of certificates) {
    for (const turn of [notBefore, notAfter + 1]) {
      if (turn <= now) from = Math.max(from, turn);
      else until = Math.min(until, turn);
    }
  }
  return { from, until };
}

/** A certificate without a common name says nothing about who shows it. */
function userOf({ commonName, organizations, uids, fingerprint }: VerifiedCertificate, readUid: boolean): User | undefined {
  if (commonName === '') return undefined;
  const [uid] = readUid ? uids : [];
  if (readUid && (uids.length > 1 || uid === '')) throw unauthorized('the certificate names more than one uid, or an empty one');
  const extra = { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] };
  return { name: commonName, groups: [...organizations, AUTHENTICATED], extra, ...(uid !== undefined && { uid }) };
}

function verifiedOf({ subject, fingerprint }: Certificate): VerifiedCertificate {
  return { commonName: commonNameOf(subject), organizations: organizationsOf(subject), uids: valuesOf(subject, uidAttribute), fingerprint };
}
