// How certificate requests for pods are written, judged and shown.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { type FieldErrors, OMITTED } from '#api/field-error.ts';
import { byteLength, nameIsSubdomain } from '#base/formats.ts';
import { attempt } from '#base/pki/attempt.ts';
import { parseCertificateRequest } from '#base/pki/certificate-request.ts';
import type { PodCertificateRequest, PodCertificateRequestSpec } from '#kinds/certificates/v1beta1/pod-certificate-request.ts';
import { validateVerdict, verdicts } from '#kinds/certificates/v1beta1/pod-certificate-verdict.ts';
import { validateUserAnnotations } from '#kinds/core/v1/volume/projected-volume-validation.ts';
import { labelsCell, nameColumn } from '#kinds/rules/cells.ts';
import { shownMap } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { isKubernetesSigner, validateSignerName } from '#kinds/rules/signer-names.ts';
import { keepMetadataForStatus } from '#kinds/rules/status-updates.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const podCertificateRequestStrategy: Strategy<PodCertificateRequest> = {
  allowUnconditionalUpdate: false,
  selectableMetadata: ['metadata.name'],
  selectableFields: {
    'spec.signerName': ({ spec }) => spec.signerName,
    'spec.podName': ({ spec }) => spec.podName,
    'spec.nodeName': ({ spec }) => spec.nodeName,
  },
  prepareForCreate(request) {
    request.status = {};
  },
  validate({ metadata, spec }, errors) {
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validateSpec(spec, errors);
  },
  prepareForUpdate(request, old) {
    request.status = old.status;
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    if (!semanticEqual(spec, old.spec)) errors.invalid('spec', shownSpec(spec), 'field is immutable');
  },
  subresources: {
    status: {
      resetFields: [['metadata'], ['spec']],
      prepareForUpdate(request, old) {
        request.spec = old.spec;
        keepMetadataForStatus(request.metadata, old.metadata);
      },
      validateUpdate({ metadata, status }, old, errors, { now }) {
        validateObjectMetaUpdate(metadata, old.metadata, errors);
        if (errors.empty) validateVerdict(status, old, now, errors);
      },
    },
  },
};

const maxBytes = 10 * 1024;

function validateSpec(spec: PodCertificateRequestSpec, errors: FieldErrors): void {
  validateSignerName(spec.signerName, 'spec.signerName', errors);
  for (const owner of ['pod', 'serviceAccount', 'node'] as const) {
    const [name, uid] = [spec[`${owner}Name`], spec[`${owner}UID`]];
    errors.invalidEach(`spec.${owner}Name`, name, nameIsSubdomain(name, false));
    if (uid === '') errors.invalid(`spec.${owner}UID`, uid, 'must not be empty');
    if (byteLength(uid) > 128) errors.tooLong(`spec.${owner}UID`, 128);
  }
  const { maxExpirationSeconds: lifetime } = spec;
  if (lifetime === undefined) return errors.required('spec.maxExpirationSeconds', 'must be set');
  const longest = isKubernetesSigner(spec.signerName) ? 86_400 : 7_862_400;
  if (lifetime < 3600 || lifetime > longest) errors.invalid('spec.maxExpirationSeconds', lifetime, `must be in the range [3600, ${longest}]`);
  validateUserAnnotations(spec.unverifiedUserAnnotations, 'spec.unverifiedUserAnnotations', errors);
  validateKey(spec, errors);
}

function validateKey({ stubPKCS10Request: stub = '', pkixPublicKey, proofOfPossession }: PodCertificateRequestSpec, errors: FieldErrors): void {
  if (stub !== '' && !pkixPublicKey && !proofOfPossession) return validateStub(Buffer.from(stub, 'base64'), errors);
  if (stub === '' && pkixPublicKey && proofOfPossession) return validatePublicKey(Buffer.from(pkixPublicKey, 'base64'), errors);
  errors.invalid('spec', OMITTED, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set');
}

function validateStub(der: Buffer, errors: FieldErrors): void {
  const path = 'spec.stubPKCS10Request';
  if (der.length > maxBytes) return errors.tooLong(path, maxBytes);
  const { value: request } = attempt(() => parseCertificateRequest(der));
  if (request === undefined) return errors.invalid(path, OMITTED, 'must be a valid PKCS#10 CSR');
  const before = errors.list.length;
  validateKeyKind(request.publicKey, path, errors);
  if (errors.list.length === before && request.signatureProblem() !== undefined) errors.invalid(path, OMITTED, 'invalid signature');
}

function validatePublicKey(der: Buffer, errors: FieldErrors): void {
  const path = 'spec.pkixPublicKey';
  if (der.length > maxBytes) return errors.tooLong(path, maxBytes);
  try {
    validateKeyKind(createPublicKey({ key: der, format: 'der', type: 'spki' }), path, errors);
  } catch {
    errors.invalid(path, der.toString('base64'), 'must be a valid PKIX-serialized public key');
  }
}

function validateKeyKind(key: KeyObject | undefined, path: string, errors: FieldErrors): void {
  const { namedCurve = '', modulusLength = 0 } = key?.asymmetricKeyDetails ?? {};
  if (key?.asymmetricKeyType === 'ed25519') return;
  if (key?.asymmetricKeyType === 'ec') {
    if (['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve)) return;
    return errors.invalid(path, `curve ${namedCurve}`, 'elliptic public keys must use curve P256, P384, or P521');
  }
  if (key?.asymmetricKeyType !== 'rsa') return errors.invalid(path, OMITTED, 'unknown public key type; supported types are Ed25519, ECDSA, and RSA');
  if (modulusLength !== 3072 && modulusLength !== 4096) errors.invalid(path, `${modulusLength}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
}

function shownSpec(spec: PodCertificateRequestSpec): object {
  return {
    SignerName: spec.signerName,
    PodName: spec.podName,
    PodUID: spec.podUID,
    ServiceAccountName: spec.serviceAccountName,
    ServiceAccountUID: spec.serviceAccountUID,
    NodeName: spec.nodeName,
    NodeUID: spec.nodeUID,
    MaxExpirationSeconds: spec.maxExpirationSeconds ?? null,
    PKIXPublicKey: spec.pkixPublicKey ?? null,
    ProofOfPossession: spec.proofOfPossession ?? null,
    StubPKCS10Request: spec.stubPKCS10Request ?? null,
    UnverifiedUserAnnotations: shownMap(spec.unverifiedUserAnnotations),
  };
}

export const podCertificateRequestColumns: readonly Column<PodCertificateRequest>[] = [
  nameColumn(),
  { name: 'PodName', type: 'string', read: ({ spec }) => spec.podName },
  { name: 'ServiceAccountName', type: 'string', read: ({ spec }) => spec.serviceAccountName },
  { name: 'NodeName', type: 'string', read: ({ spec }) => spec.nodeName },
  { name: 'SignerName', type: 'string', read: ({ spec }) => spec.signerName },
  { name: 'State', type: 'string', read: ({ status }) => status.conditions?.findLast(({ type }) => verdicts.includes(type))?.type ?? 'Pending' },
  { name: 'UnverifiedUserAnnotations', type: 'string', read: ({ spec }) => labelsCell(spec.unverifiedUserAnnotations) },
];
