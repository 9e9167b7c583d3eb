// The rules of a claim's spec, wherever it stands: the claim itself, an ephemeral volume, a stateful set.
import { wasGivenEmpty } from '#schema/given-empty.ts';
import type { FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems, dns1123SubdomainProblems } from '#base/formats.ts';
import type { PersistentVolumeClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec.ts';
import type { PersistentVolumeClaimTemplate } from '#kinds/core/v1/volume/volume.ts';
import { validateLabelSelector } from '#kinds/rules/label-selectors.ts';
import { quantitySign, validatePositiveQuantity } from '#kinds/rules/quantities.ts';
import { validateResourceQuantity } from '#kinds/rules/resource-names.ts';
import { validateAnnotations, validateLabels } from '#resource/metadata-rules.ts';

export interface ClaimSpecRules {
  /** The stored claim has a selector that is not valid. */
  readonly anySelectorValue?: boolean;
  /** The stored claim names an API group in its data source. */
  readonly anyApiGroup?: boolean;
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: string, errors: FieldErrors, rules: ClaimSpecRules = {}): void {
  if (!spec.accessModes?.length) errors.required(`${path}.accessModes`, 'at least 1 access mode is required');
  validateLabelSelector(spec.selector, `${path}.selector`, errors, { anyValue: rules.anySelectorValue === true });
  validateAccessModes(spec.accessModes ?? [], `${path}.accessModes`, errors);
  validateStorageRequest(spec.resources.requests?.['storage'], `${path}.resources[storage]`, errors);
  validateClassName(spec.storageClassName, `${path}.storageClassName`, errors);
  if (spec.volumeMode !== undefined && !['Block', 'Filesystem'].includes(spec.volumeMode)) {
    errors.notSupported(`${path}.volumeMode`, spec.volumeMode, ['Block', 'Filesystem']);
  }
  validateDataSources(spec, path, errors, rules.anyApiGroup === true);
  validateClassName(spec.volumeAttributesClassName, `${path}.volumeAttributesClassName`, errors);
}

export function validateAccessModes(modes: readonly string[], path: string, errors: FieldErrors): void {
  for (const mode of modes) if (!accessModes.includes(mode)) errors.notSupported(path, mode, accessModes);
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))) {
    errors.forbidden(path, 'may not use ReadWriteOncePod with other access modes');
  }
}

function validateStorageRequest(quantity: string | undefined, path: string, errors: FieldErrors): void {
  if (quantity === undefined) errors.required(path);
  else if (quantitySign(quantity) <= 0) validatePositiveQuantity(quantity, path, errors);
  else validateResourceQuantity('storage', quantity, path, errors);
}

function validateClassName(name: string | undefined, path: string, errors: FieldErrors): void {
  if (name) errors.invalidEach(path, name, dns1123SubdomainProblems(name));
}

function validateDataSources(spec: PersistentVolumeClaimSpec, path: string, errors: FieldErrors, anyApiGroup: boolean): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined) validateDataSource(dataSource, `${path}.dataSource`, errors, anyApiGroup);
  if (dataSourceRef !== undefined) validateDataSource(dataSourceRef, `${path}.dataSourceRef`, errors, anyApiGroup);
  if (dataSource === undefined || dataSourceRef === undefined) return;
  // Upstream shows a field path here, which prints as an empty struct.
  if (dataSourceRef.namespace) errors.invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified');
  else if (!sameSource(dataSource, dataSourceRef)) errors.invalid(path, {}, 'must match dataSourceRef');
}

interface DataSource {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

function validateDataSource({ apiGroup = '', kind, name, namespace }: DataSource, path: string, errors: FieldErrors, anyApiGroup: boolean): void {
  if (name === '') errors.required(`${path}.name`);
  if (kind === '') errors.required(`${path}.kind`);
  if (apiGroup === '' && kind !== 'PersistentVolumeClaim') {
    errors.invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (apiGroup !== '' && !anyApiGroup) errors.invalidEach(`${path}.apiGroup`, apiGroup, dns1123SubdomainProblems(apiGroup));
  if (namespace) errors.invalidEach(`${path}.namespace`, namespace, dns1123LabelProblems(namespace));
}

function sameSource(a: DataSource, b: DataSource): boolean {
  return a.apiGroup === b.apiGroup && a.kind === b.kind && a.name === b.name;
}

/** Fields of metadata that a template may not set, in the order and with the names that the original prints. */
const foreignMetadata = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const;

export function validateClaimTemplate({ metadata, spec }: PersistentVolumeClaimTemplate, path: string, errors: FieldErrors): void {
  validateTemplateMetadata(metadata, `${path}.metadata`, errors);
  validateClaimSpec(spec, `${path}.spec`, errors);
}

/** Metadata of objects made from a template: only labels and annotations. */
export function validateTemplateMetadata(metadata: PersistentVolumeClaimTemplate['metadata'], path: string, errors: FieldErrors): void {
  validateAnnotations(metadata.annotations, `${path}.annotations`, errors);
  validateLabels(metadata.labels, `${path}.labels`, errors);
  for (const field of foreignMetadata) {
    if (metadata[field] !== undefined || wasGivenEmpty(metadata, field)) errors.forbidden(`${path}.${field === 'uid' ? 'uID' : field}`, 'cannot be set');
  }
}
