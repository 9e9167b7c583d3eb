// How claims are written: two ways to name a data source become one, and a spec that hardly changes.
import { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import type { PersistentVolumeClaim, PersistentVolumeClaimStatus } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import { PersistentVolumeClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec.ts';
import { type ClaimSpecRules, validateClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec-validation.ts';
import { validateBasicQuantity } from '#kinds/core/v1/volume/persistent-volume-spec-validation.ts';
import { claimSpecWarnings } from '#kinds/core/v1/volume/volume-warnings.ts';
import { differenceOf } from '#kinds/rules/differences.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { compareQuantities } from '#kinds/rules/quantities.ts';
import { roundResourceLists } from '#kinds/rules/resource-lists.ts';
import { isNativeResource } from '#kinds/rules/resource-names.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

export function defaultClaimStatus(status: PersistentVolumeClaimStatus): void {
  status.phase ||= 'Pending';
  roundResourceLists(status.capacity, status.allocatedResources);
}

export const persistentVolumeClaimStrategy: Strategy<PersistentVolumeClaim> = {
  returnsDeleted: true,
  prepareForCreate(claim, context) {
    claim.status = { phase: 'Pending' };
    settleDataSources(claim.spec, undefined, context);
  },
  validate(claim, errors) {
    validateClaim(claim, errors, {});
  },
  warnOnCreate: claimWarnings,

  prepareForUpdate(claim, old, context) {
    claim.status = old.status;
    settleDataSources(claim.spec, old.spec, context);
  },
  validateUpdate(claim, old, errors) {
    validateObjectMetaUpdate(claim.metadata, old.metadata, errors);
    validateClaim(claim, errors, rulesFrom(old.spec));
    validateClaimUpdate(claim, old, errors);
  },
  warnOnUpdate: claimWarnings,

  subresources: {
    status: statusStrategy<PersistentVolumeClaim>({ validateUpdate: validateStatusUpdate }),
  },
};

function rulesFrom({ selector, dataSource, dataSourceRef }: PersistentVolumeClaimSpec): ClaimSpecRules {
  const errors = new FieldErrors();
  validateLabelSelector(selector, '', errors);
  return { anySelectorValue: !errors.empty, anyApiGroup: dataSource?.apiGroup !== undefined || dataSourceRef?.apiGroup !== undefined };
}

function settleDataSources(spec: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec | undefined, { gate }: StrategyContext): void {
  if (spec.dataSourceRef?.namespace && !gate('CrossNamespaceVolumeDataSource') && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const inUse = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  // The old field is only for claims and snapshots; anything else in it was ignored from the start.
  if (!inUse && spec.dataSourceRef === undefined && !isClaimOrSnapshot(spec.dataSource)) delete spec.dataSource;
  mirrorDataSources(spec);
}

function isClaimOrSnapshot(source: PersistentVolumeClaimSpec['dataSource']): boolean {
  const { kind, apiGroup = '' } = source ?? {};
  return (kind === 'PersistentVolumeClaim' && apiGroup === '') || (kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io');
}

function mirrorDataSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined && dataSourceRef === undefined) spec.dataSourceRef = { ...dataSource };
  else if (dataSourceRef !== undefined && dataSource === undefined && !dataSourceRef.namespace) {
    const { namespace: _, ...local } = dataSourceRef;
    spec.dataSource = local;
  }
}

function validateClaim({ metadata, spec }: PersistentVolumeClaim, errors: FieldErrors, rules: ClaimSpecRules): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  validateClaimSpec(spec, 'spec', errors, rules);
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

function validateClaimUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  const before = comparableOld(claim, old);
  const after = comparableNew(claim, old, errors);
  if (!semanticEqual(after, before)) {
    const difference = differenceOf(PersistentVolumeClaimSpec, before, after);
    const rule = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.forbidden('spec', `${rule}\n${difference}`);
  }
  validateSize(claim, old, errors);
  validateImmutable(claim.spec.volumeMode, old.spec.volumeMode, 'volumeMode', errors);
  validateAttributesClass(claim, old, errors);
}

/** A claim may be bound to a volume once. */
function comparableOld({ spec }: PersistentVolumeClaim, { spec: old }: PersistentVolumeClaim): PersistentVolumeClaimSpec {
  const before = { ...old };
  mirrorDataSources(before);
  return old.volumeName || spec.volumeName === undefined ? before : { ...before, volumeName: spec.volumeName };
}

/** The new spec, with the old values of what may change. */
function comparableNew(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): PersistentVolumeClaimSpec {
  const after = { ...claim.spec };
  if (movesClassToField(claim, old)) delete after.storageClassName;
  else {
    const annotation = claim.metadata.annotations?.[classAnnotation] ?? '';
    const oldAnnotation = old.metadata.annotations?.[classAnnotation] ?? '';
    if (annotation !== oldAnnotation) errors.invalid(`metadata.annotations.${classAnnotation}`, annotation, 'field is immutable');
    if (getsFirstClass(claim, old)) delete after.storageClassName;
  }
  if (claim.status.phase === 'Bound') {
    const { requests } = after.resources;
    if (requests !== undefined) after.resources = { ...after.resources, requests: { ...requests, storage: old.spec.resources.requests?.['storage'] ?? '0' } };
    after.volumeAttributesClassName = old.spec.volumeAttributesClassName;
  }
  return after;
}

/** From the annotation of old to the field, with the same class. */
function movesClassToField(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const annotation = claim.metadata.annotations?.[classAnnotation];
  const oldAnnotation = old.metadata.annotations?.[classAnnotation];
  const { storageClassName } = claim.spec;
  if (oldAnnotation === undefined || old.spec.storageClassName !== undefined) return false;
  return storageClassName === oldAnnotation && (annotation === undefined || annotation === oldAnnotation);
}

function getsFirstClass({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const oldAnnotation = old.metadata.annotations?.[classAnnotation];
  if (spec.storageClassName === undefined || old.spec.storageClassName !== undefined) return false;
  return oldAnnotation === undefined || spec.storageClassName === oldAnnotation;
}

function validateSize({ spec }: PersistentVolumeClaim, { spec: oldSpec, status }: PersistentVolumeClaim, errors: FieldErrors): void {
  const storageOf = (list: Readonly<Record<string, string>> | undefined) => list?.['storage'] ?? '0';
  const size = storageOf(spec.resources.requests);
  if (compareQuantities(size, storageOf(oldSpec.resources.requests)) >= 0) return;
  if (compareQuantities(size, storageOf(status.capacity)) <= 0) {
    errors.forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity');
  }
}

function validateAttributesClass({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  const { volumeAttributesClassName: name } = spec;
  if (name === old.spec.volumeAttributesClassName || old.status.currentVolumeAttributesClassName === undefined || name) return;
  const what = name === undefined ? 'nil' : 'empty string';
  errors.forbidden('spec.volumeAttributesClassName', `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`);
}

const resizeStatuses = ['ControllerResizeInProgress', 'ControllerResizeInfeasible', 'NodeResizePending', 'NodeResizeInProgress', 'NodeResizeInfeasible'];

function validateStatusUpdate(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldErrors): void {
  const { capacity = {}, allocatedResourceStatuses = {}, allocatedResources = {} } = claim.status;
  validateObjectMetaUpdate(claim.metadata, old.metadata, errors);
  if (!claim.metadata.resourceVersion) errors.required('resourceVersion');
  if (!claim.spec.accessModes?.length) errors.required('Spec.accessModes');
  for (const name in capacity) validateBasicQuantity(capacity[name] ?? '0', `status.capacity[${name}]`, errors);
  for (const name in allocatedResourceStatuses) {
    validateResourceKey(name, 'status.allocatedResourceStatuses', errors);
    if (!resizeStatuses.includes(allocatedResourceStatuses[name] ?? '')) {
      errors.notSupported('status.allocatedResourceStatuses', name, resizeStatuses.toSorted());
    }
  }
  for (const name in allocatedResources) {
    if (!validateResourceKey(name, 'status.allocatedResources', errors)) continue;
    validateBasicQuantity(allocatedResources[name] ?? '0', `status.allocatedResources[${name}]`, errors);
  }
}

function validateResourceKey(name: string, path: string, errors: FieldErrors): boolean {
  const problems = labelKeyProblems(name);
  errors.invalidEach(path, name, problems);
  if (problems.length > 0) return false;
  if (!isNativeResource(name) || name === 'storage') return true;
  errors.notSupported(path, name, ['storage']);
  return false;
}

function claimWarnings({ metadata, spec }: PersistentVolumeClaim): readonly string[] {
  const annotated = metadata.annotations?.[classAnnotation] !== undefined;
  const advice = `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`;
  return [...(annotated ? [advice] : []), ...claimSpecWarnings(spec, 'spec')];
}
