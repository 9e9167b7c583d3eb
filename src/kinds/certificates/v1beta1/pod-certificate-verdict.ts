// What a signer may say about the request of a pod: issued, denied or failed, once and for all.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type FieldErrors, OMITTED } from '#api/field-error.ts';
import { byteLength } from '#base/formats.ts';
import { attempt } from '#base/pki/attempt.ts';
import { type Certificate, parseCertificate } from '#base/pki/certificate.ts';
import { parseCertificateRequest } from '#base/pki/certificate-request.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import type { PodCertificateRequest, PodCertificateRequestSpec, PodCertificateRequestStatus } from '#kinds/certificates/v1beta1/pod-certificate-request.ts';
import { validateConditions } from '#kinds/rules/conditions.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { millisecondsOf, timestamp } from '#kinds/rules/timestamps.ts';

export const verdicts: readonly string[] = ['Issued', 'Denied', 'Failed'];

const chainPath = 'status.certificateChain';
const maxChainBytes = 100 * 1024;
const minute = 60_000;

export function validateVerdict(status: PodCertificateRequestStatus, old: PodCertificateRequest, now: Date, errors: FieldErrors): void {
  validateKnownConditions(status.conditions ?? [], errors);
  validateConditions(status.conditions, 'status.conditions', errors);
  if (!errors.empty) return;
  const verdict = verdictIn(status);
  if (verdictIn(old.status) !== undefined) {
    validateSame(status, old.status, 'immutable after PodCertificateRequest is issued, denied, or failed', errors);
  } else if (verdict === undefined) {
    validateSame(status, old.status, 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"', errors);
  } else if (verdict === 'Issued') validateIssued(status, old.spec, now, errors);
  else {
    const why = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
    validateSame(status, { conditions: status.conditions }, why, errors);
  }
}

function verdictIn({ conditions }: PodCertificateRequestStatus): string | undefined {
  return conditions?.find(({ type }) => verdicts.includes(type))?.type;
}

function validateSame(status: PodCertificateRequestStatus, wanted: PodCertificateRequestStatus, why: string, errors: FieldErrors): void {
  if (!semanticEqual(status, wanted)) errors.invalid('status', OMITTED, why);
}

function validateKnownConditions(conditions: readonly { readonly type: string; readonly status: string }[], errors: FieldErrors): void {
  let known = 0;
  conditions.forEach(({ type, status }, index) => {
    // Upstream builds these paths with a dot before the index.
    const path = `status.conditions.[${index}]`;
    if (!verdicts.includes(type)) return errors.notSupported(`${path}.type`, type, verdicts);
    known++;
    if (known > 1) errors.invalid(`${path}.type`, type, 'There may be at most one condition with type "Issued", "Denied", or "Failed"');
    if (status !== 'True') errors.notSupported(`${path}.status`, status, ['True']);
  });
}

function validateIssued(status: PodCertificateRequestStatus, spec: PodCertificateRequestSpec, now: Date, errors: FieldErrors): void {
  const { certificateChain: chain = '' } = status;
  if (byteLength(chain) > maxChainBytes) return errors.tooLong(chainPath, maxChainBytes);
  const [first, ...rest] = pemBlocks(chain);
  if (first === undefined) return errors.invalid(chainPath, chain, 'issued certificate chain must contain at least one certificate');
  if (first.type !== 'CERTIFICATE') return errors.invalid(chainPath, chain, 'issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  const { value: leaf } = attempt(() => parseCertificate(first.der));
  if (leaf === undefined) return errors.invalid(chainPath, chain, 'leaf certificate does not parse as valid X.509');
  if (leaf.publicKey === undefined || requestedKey(spec)?.equals(leaf.publicKey) !== true) {
    return errors.invalid(chainPath, chain, 'leaf certificate was not issued to the requested public key');
  }
  const before = errors.list.length;
  validateTimes(status, leaf, spec, now, errors);
  if (errors.list.length > before) return;
  for (const { type, der } of rest) {
    if (type !== 'CERTIFICATE') return errors.invalid(chainPath, chain, 'issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    if (attempt(() => parseCertificate(der)).value === undefined)
      return errors.invalid(chainPath, chain, 'intermediate certificate does not parse as valid X.509');
  }
}

function requestedKey({ stubPKCS10Request, pkixPublicKey = '' }: PodCertificateRequestSpec): KeyObject | undefined {
  if (stubPKCS10Request) return parseCertificateRequest(Buffer.from(stubPKCS10Request, 'base64')).publicKey;
  return createPublicKey({ key: Buffer.from(pkixPublicKey, 'base64'), format: 'der', type: 'spki' });
}

/** One thing at a time, as upstream. */
function validateTimes(status: PodCertificateRequestStatus, leaf: Certificate, spec: PodCertificateRequestSpec, now: Date, errors: FieldErrors): void {
  const { notBefore, notAfter, beginRefreshAt } = status;
  const consistent = 'must be present and consistent with the issued certificate';
  if (notBefore === undefined) errors.required('status.notBefore', consistent);
  if (notAfter === undefined) errors.required('status.notAfter', consistent);
  if (beginRefreshAt === undefined) errors.required('status.beginRefreshAt', 'must be present and in the range [notbefore+10min, notafter-10min]');
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined) return;
  const [start, end, refresh] = [notBefore, notAfter, beginRefreshAt].map(millisecondsOf) as [number, number, number];
  const refuse = (field: string, time: number, why: string) => errors.invalid(`status.${field}`, timestamp(new Date(time)), why);
  if (start !== leaf.notBefore) return refuse('notBefore', start, 'must be set to the NotBefore time encoded in the leaf certificate');
  if (Math.abs(start - now.getTime()) >= 5 * minute) return refuse('notBefore', start, "must be set to within 5 minutes of kube-apiserver's current time");
  if (end !== leaf.notAfter) return refuse('notAfter', end, 'must be set to the NotAfter time encoded in the leaf certificate');
  if (!validateLifetime(end - start, spec.maxExpirationSeconds ?? 0, errors)) return;
  if (refresh < start + 10 * minute) return refuse('beginRefreshAt', refresh, 'must be at least 10 minutes after status.notBefore');
  if (refresh > end - 10 * minute) refuse('beginRefreshAt', refresh, 'must be at least 10 minutes before status.notAfter');
}

/** Go prints a duration as its nanoseconds. */
function validateLifetime(milliseconds: number, maxSeconds: number, errors: FieldErrors): boolean {
  const shown = milliseconds * 1_000_000;
  const before = errors.list.length;
  if (milliseconds < 60 * minute) errors.invalid(chainPath, shown, 'leaf certificate lifetime must be >= 1 hour');
  else if (milliseconds > maxSeconds * 1000) {
    errors.invalid(chainPath, shown, `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`);
  }
  return errors.list.length === before;
}
