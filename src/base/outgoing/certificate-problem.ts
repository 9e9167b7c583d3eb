// What is wrong with the certificate of a server, judged and said as Go's crypto/x509 does: its time, then its names, then who signed it.
import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { goTime } from '#base/outgoing/go-time.ts';

export interface ShownCertificate {
  readonly certificate: X509Certificate | undefined;
  /** OpenSSL's verdict on the chain: undefined when it leads to a trusted authority. */
  readonly verdict: string | undefined;
}

/** Undefined when there is nothing wrong. A common name counts for nothing, as in Go since 1.15. */
export function certificateProblem({ certificate, verdict }: ShownCertificate, host: string, now: Date): string | undefined {
  if (certificate === undefined) return 'tls: server did not show a certificate';
  const problem = timeProblem(certificate, now) ?? nameProblem(certificate, host) ?? chainProblem(verdict);
  return problem === undefined ? undefined : `tls: failed to verify certificate: x509: ${problem}`;
}

function timeProblem({ validFrom, validTo }: X509Certificate, now: Date): string | undefined {
  const expired = 'certificate has expired or is not yet valid: current time';
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  if (now < from) return `${expired} ${goTime(now)} is before ${goTime(from)}`;
  return now > to ? `${expired} ${goTime(now)} is after ${goTime(to)}` : undefined;
}

function nameProblem(certificate: X509Certificate, host: string): string | undefined {
  const isAddress = isIP(host) !== 0;
  const fits = isAddress ? certificate.checkIP(host) : certificate.checkHost(host, { subject: 'never' });
  if (fits !== undefined) return undefined;
  const { dns, addresses } = alternativeNames(certificate.subjectAltName);
  const hasNone = certificate.subjectAltName === undefined;
  if (hasNone && !isAddress && certificate.checkHost(host, { subject: 'always' }) !== undefined) {
    return 'certificate relies on legacy Common Name field, use SANs instead';
  }
  if (isAddress && addresses.length === 0) return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  const valid = (isAddress ? addresses : dns).join(', ');
  return valid === '' ? `certificate is not valid for any names, but wanted to match ${host}` : `certificate is valid for ${valid}, not ${host}`;
}

/** `DNS:a, IP Address:10.0.0.1`; Node quotes a name in which a separator stands. */
function alternativeNames(text = ''): { readonly dns: readonly string[]; readonly addresses: readonly string[] } {
  const names = text.split(', ');
  const of = (kind: string) => names.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));
  return { dns: of('DNS:'), addresses: of('IP Address:') };
}

function chainProblem(verdict: string | undefined): string | undefined {
  if (verdict === undefined) return undefined;
  if (verdict === 'INVALID_PURPOSE') return 'certificate specifies an incompatible key usage';
  return verdict === 'CA_MD_TOO_WEAK' ? 'cannot verify signature: insecure algorithm SHA1-RSA' : 'certificate signed by unknown authority';
}
