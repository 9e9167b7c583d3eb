// Candidates for a lease: how they are written, judged and shown.
import type { FieldErrors } from '#api/field-error.ts';
import { configKeyProblems } from '#base/formats.ts';
import { validateLeaseStrategy } from '#kinds/coordination/v1/lease-strategy.ts';
import type { LeaseCandidate, LeaseCandidateSpec } from '#kinds/coordination/v1beta1/lease-candidate.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { compareSemanticVersions, parseSemanticVersion, type SemanticVersion, zeroVersion } from '#base/versions/semantic-versions.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import { validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

export const leaseCandidateStrategy: Strategy<LeaseCandidate> = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validate({ metadata, spec }, errors) {
    validateMetadata(metadata, { namespaced: true, name: configKeyProblems }, 'metadata', errors);
    validateSpec(spec, errors);
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateMetadataUpdate(metadata, old.metadata, 'metadata', errors);
    validateSpec(spec, errors);
    validateImmutable(spec.leaseName, old.spec.leaseName, 'spec.leaseName', errors);
  },
};

function validateSpec({ leaseName, binaryVersion, emulationVersion = '', strategy }: LeaseCandidateSpec, errors: FieldErrors): void {
  if (leaseName === '') errors.required('spec.leaseName');
  const emulation = versionAt(emulationVersion, 'spec.emulationVersion', errors);
  if (binaryVersion === '') errors.required('spec.binaryVersion');
  const binary = versionAt(binaryVersion, 'spec.binaryVersion', errors);
  if (binaryVersion !== '' && emulationVersion !== '' && compareSemanticVersions(binary, emulation) < 0) {
    errors.invalid('spec.binaryVersion', binaryVersion, 'must be greater than or equal to `emulationVersion`');
  }
  if (!strategy) return errors.required('spec.strategy');
  if (strategy === 'OldestEmulationVersion' && compareSemanticVersions(emulation, zeroVersion) === 0) {
    errors.required('spec.emulationVersion', "must be specified when `strategy` is 'OldestEmulationVersion'");
  }
  validateLeaseStrategy(strategy, errors);
}

/** A bad version goes on as 0.0.0. */
function versionAt(text: string, path: string, errors: FieldErrors): SemanticVersion {
  const version = text === '' ? zeroVersion : parseSemanticVersion(text);
  if (version === undefined) errors.invalid(path, text, 'must be a valid semantic version');
  return version ?? zeroVersion;
}

export const leaseCandidateColumns: readonly Column<LeaseCandidate>[] = [
  nameColumn(),
  { name: 'LeaseName', type: 'string', read: ({ spec }) => spec.leaseName },
  { name: 'BinaryVersion', type: 'string', read: ({ spec }) => spec.binaryVersion },
  { name: 'EmulationVersion', type: 'string', read: ({ spec }) => spec.emulationVersion ?? '' },
  ageColumn(),
];
