// How leases are written, judged and shown.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import type { Lease, LeaseSpec } from '#kinds/coordination/v1/lease.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';
import { validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy } from '#resource/strategy.ts';

export const leaseStrategy: Strategy<Lease> = {
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  prepareForCreate: ({ spec }, { gate }) => dropCoordination(spec, undefined, gate),
  validate({ metadata, spec }, errors) {
    validateMetadata(metadata, { namespaced: true, name: nameIsSubdomain }, 'metadata', errors);
    validateSpec(spec, errors);
  },
  prepareForUpdate: ({ spec }, old, { gate }) => dropCoordination(spec, old.spec, gate),
  validateUpdate({ metadata, spec }, old, errors) {
    validateMetadataUpdate(metadata, old.metadata, 'metadata', errors);
    validateSpec(spec, errors);
  },
};

function dropCoordination(spec: LeaseSpec, old: LeaseSpec | undefined, gate: (name: string) => boolean): void {
  if (gate('CoordinatedLeaderElection')) return;
  if (old?.strategy === undefined) delete spec.strategy;
  if (old?.preferredHolder === undefined) delete spec.preferredHolder;
}

function validateSpec({ leaseDurationSeconds, leaseTransitions, strategy, preferredHolder }: LeaseSpec, errors: FieldErrors): void {
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    errors.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0');
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    errors.invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0');
  }
  if (strategy !== undefined) validateLeaseStrategy(strategy, errors);
  if (preferredHolder && !strategy) errors.forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined');
}

/** The path is what upstream reports, once too deep. */
export function validateLeaseStrategy(strategy: string, errors: FieldErrors): void {
  const path = 'spec.strategy.strategy';
  if (strategy.includes('/')) errors.invalidEach(path, asJson(strategy), labelKeyProblems(strategy));
  else if (strategy !== 'OldestEmulationVersion') errors.notSupported(path, strategy, ['OldestEmulationVersion']);
}

export const leaseColumns: readonly Column<Lease>[] = [
  nameColumn(),
  { name: 'Holder', type: 'string', read: ({ spec }) => spec.holderIdentity ?? '' },
  ageColumn(),
];
