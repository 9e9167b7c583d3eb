// How trust bundles are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength } from '#base/formats.ts';
import { attempt } from '#base/pki/attempt.ts';
import { parseCertificate } from '#base/pki/certificate.ts';
import { type PemBlock, pemBlocks } from '#base/pki/pem.ts';
import type { ClusterTrustBundle } from '#kinds/certificates/v1beta1/cluster-trust-bundle.ts';
import { nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { trustBundleNameRule, validateSignerName } from '#kinds/rules/signer-names.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const trustBundleStrategy: Strategy<ClusterTrustBundle> = {
  allowUnconditionalUpdate: false,
  selectableMetadata: ['metadata.name'],
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName ?? '' },
  validate(bundle, errors) {
    validateNames(bundle, errors);
    validateAnchors(bundle.spec.trustBundle, errors);
  },
  validateUpdate(bundle, old, errors) {
    validateNames(bundle, errors);
    if (bundle.spec.trustBundle !== old.spec.trustBundle) validateAnchors(bundle.spec.trustBundle, errors);
    validateObjectMetaUpdate(bundle.metadata, old.metadata, errors);
    validateImmutable(bundle.spec.signerName ?? '', old.spec.signerName ?? '', 'spec.signerName', errors);
  },
};

function validateNames({ metadata, spec: { signerName = '' } }: ClusterTrustBundle, errors: FieldErrors): void {
  validateObjectMeta(metadata, false, trustBundleNameRule(signerName), errors);
  if (signerName !== '') validateSignerName(signerName, 'spec.signerName', errors);
}

const path = 'spec.trustBundle';
const omitted = '<value omitted>';
const maxBytes = 1024 * 1024;

function validateAnchors(text: string, errors: FieldErrors): void {
  if (byteLength(text) > maxBytes) return errors.tooLong(path, maxBytes);
  const before = errors.list.length;
  const indices = new Map<string, number[]>();
  pemBlocks(text).forEach((block, index) => {
    const problem = anchorProblem(block);
    if (problem !== undefined) return errors.invalid(path, omitted, `entry ${index} ${problem}`);
    const identity = block.der.toString('base64');
    const same = indices.get(identity);
    if (same === undefined) indices.set(identity, [index]);
    else same.push(index);
  });
  if (errors.list.length > before) return;
  if (indices.size === 0) errors.invalid(path, omitted, 'at least one trust anchor must be provided');
  for (const same of indices.values()) if (same.length > 1) errors.invalid(path, omitted, `duplicate trust anchor (indices [${same.join(' ')}])`);
}

function anchorProblem({ type, hasHeaders, der }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const { value: certificate } = attempt(() => parseCertificate(der));
  if (certificate === undefined) return 'does not parse as X.509';
  return certificate.basicConstraints?.isAuthority ? undefined : 'does not have the CA bit set';
}

export const trustBundleColumns: readonly Column<ClusterTrustBundle>[] = [
  nameColumn(),
  { name: 'SignerName', type: 'string', read: ({ spec }) => spec.signerName || '<none>' },
];
