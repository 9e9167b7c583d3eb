// The rules of certificate signing requests.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { goQuote } from '#base/go-text.ts';
import { attempt } from '#base/pki/attempt.ts';
import { parseConcatenated } from '#base/pki/certificate.ts';
import { parseRequestPem } from '#base/pki/certificate-request.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import { repeatedAt } from '#base/repeated.ts';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '#kinds/certificates/v1/certificate-signing-request.ts';
import { knownUsages } from '#kinds/certificates/v1/key-usages.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateSignerName } from '#kinds/rules/signer-names.ts';

const legacySigner = 'kubernetes.io/legacy-unknown';

type Old = CertificateSigningRequest | undefined;

export function validateSigningRequest(request: CertificateSigningRequest, errors: FieldErrors, old?: CertificateSigningRequest): void {
  const { metadata, spec } = request;
  validateObjectMeta(metadata, false, () => [], errors);
  validateRequestBytes(spec.request, errors);
  validateUsages(spec.usages ?? [], old?.spec.usages ?? [], errors);
  if (spec.signerName === legacySigner && old?.spec.signerName !== legacySigner) {
    errors.invalid('spec.signerName', spec.signerName, 'the legacy signerName is not allowed via this API version');
  } else validateSignerName(spec.signerName, 'spec.signerName', errors);
  const { expirationSeconds } = spec;
  if (expirationSeconds !== undefined && expirationSeconds < 600) {
    errors.invalid('spec.expirationSeconds', expirationSeconds, 'may not specify a duration less than 600 seconds (10 minutes)');
  }
  validateConditions(request.status.conditions ?? [], old?.status.conditions ?? [], errors);
  validateCertificate(request, old, errors);
}

function validateRequestBytes(base64: string | undefined, errors: FieldErrors): void {
  const problem = requestProblem(base64 ?? '');
  if (problem !== undefined) errors.invalid('spec.request', base64 ?? null, problem);
}

function requestProblem(base64: string): string | undefined {
  const { value: request, problem } = attempt(() => parseRequestPem(Buffer.from(base64, 'base64')));
  return problem ?? request?.signatureProblem();
}

function validateUsages(usages: readonly string[], old: readonly string[], errors: FieldErrors): void {
  if (usages.length === 0) errors.required('spec.usages');
  const ratchetUnknown = old.some((usage) => !knownUsages.includes(usage));
  const ratchetTwice = new Set(old).size < old.length;
  usages.forEach((usage, index) => {
    if (!ratchetUnknown && !knownUsages.includes(usage)) errors.notSupported(`spec.usages[${index}]`, usage, knownUsages);
  });
  const repeated = repeatedAt(usages);
  usages.forEach((usage, index) => {
    if (!ratchetTwice && repeated[index]) errors.duplicate(`spec.usages[${index}]`, asJson(usage));
  });
}

type Conditions = readonly CertificateSigningRequestCondition[];

function validateConditions(conditions: Conditions, old: Conditions, errors: FieldErrors): void {
  const oldTypes = new Set(old.map(({ type }) => type));
  const before = new Set<string>();
  conditions.forEach(({ type, status }, index) => {
    const at = `status.conditions[${index}]`;
    if (type === '' && !oldTypes.has('')) errors.required(`${at}.type`);
    validateConditionStatus(type, status, `${at}.status`, errors);
    const opposite = { Approved: 'Denied', Denied: 'Approved' }[type];
    if (opposite !== undefined && before.has(opposite) && !(oldTypes.has('Approved') && oldTypes.has('Denied'))) {
      errors.invalid('status.conditions', type, 'Approved and Denied conditions are mutually exclusive');
    }
    if (before.has(type) && oldTypes.size === old.length) errors.duplicate(`${at}.type`, asJson(type));
    before.add(type);
  });
}

function validateConditionStatus(type: string, status: string, path: string, errors: FieldErrors): void {
  const allowed = ['Approved', 'Denied', 'Failed'].includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') errors.required(path);
  else if (!allowed.includes(status)) errors.notSupported(path, status, allowed);
}

function validateCertificate({ status }: CertificateSigningRequest, old: Old, errors: FieldErrors): void {
  if (old !== undefined && status.certificate === old.status.certificate) return;
  if (old !== undefined && certificateProblem(old.status.certificate) !== undefined) return;
  const problem = certificateProblem(status.certificate);
  if (problem !== undefined) errors.invalid('status.certificate', '<certificate data>', problem);
}

function certificateProblem(base64: string | undefined): string | undefined {
  if (!base64) return undefined;
  const blocks = pemBlocks(Buffer.from(base64, 'base64'));
  for (const { type, hasHeaders, der } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (der.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    const { problem } = attempt(() => parseConcatenated(der));
    if (problem !== undefined) return problem;
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

export interface UpdateRights {
  readonly approves?: boolean;
  readonly issues?: boolean;
}

export function validateSigningRequestUpdate(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  errors: FieldErrors,
  rights: UpdateRights,
): void {
  validateSigningRequest(request, errors, old);
  validateConditionChanges(request, old, errors, rights.approves === true);
  if ((request.status.certificate ?? '') !== (old.status.certificate ?? '')) {
    if (!rights.issues) errors.forbidden('status.certificate', 'updates may not set certificate content');
    else if (old.status.certificate) errors.forbidden('status.certificate', 'updates may not modify existing certificate content');
  }
  validateObjectMetaUpdate(request.metadata, old.metadata, errors);
}

function validateConditionChanges(request: CertificateSigningRequest, old: CertificateSigningRequest, errors: FieldErrors, approves: boolean): void {
  const path = 'status.conditions';
  const ofType = ({ status }: CertificateSigningRequest, wanted: string) => (status.conditions ?? []).filter(({ type }) => type === wanted);
  for (const type of ['Approved', 'Denied', 'Failed']) {
    if (ofType(request, type).length < ofType(old, type).length) errors.forbidden(path, `updates may not remove a condition of type "${type}"`);
  }
  if (approves) return;
  for (const type of ['Approved', 'Denied']) {
    const [now, before] = [ofType(request, type), ofType(old, type)];
    if (now.length > before.length) errors.forbidden(path, `updates may not add a condition of type "${type}"`);
    else if (now.length === before.length && !semanticEqual(now, before)) errors.forbidden(path, `updates may not modify a condition of type "${type}"`);
  }
}
