// The rules of a persistent volume's spec, also where it stands inside an attachment.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1123SubdomainProblems } from '#base/formats.ts';
import { validateNodeSelector } from '#kinds/core/v1/container/affinity-validation.ts';
import { validateAccessModes } from '#kinds/core/v1/volume/persistent-volume-claim-spec-validation.ts';
import { validatePersistentSource } from '#kinds/core/v1/volume/persistent-volume-source-validation.ts';
import type { PersistentVolumeSpec } from '#kinds/core/v1/volume/persistent-volume-spec.ts';
import { shownMap } from '#kinds/rules/label-selectors.ts';
import { quantityValue, validatePositiveQuantity } from '#kinds/rules/quantities.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

export interface VolumeSpecRules {
  /** The name of the volume. */
  readonly name: string;
  /** The stored volume's node affinity has values that are no label values. */
  readonly anyLabelValue: boolean;
}

export function validateVolumeSpec(spec: PersistentVolumeSpec, path: string, errors: FieldErrors, { name, anyLabelValue }: VolumeSpecRules): void {
  validateModes(spec, path, errors);
  validateCapacity(spec, `${path}.capacity`, errors);
  const { persistentVolumeReclaimPolicy: policy, nodeAffinity, volumeMode } = spec;
  const policies = ['Delete', 'Recycle', 'Retain'];
  if (policy && !policies.includes(policy)) errors.notSupported(`${path}.persistentVolumeReclaimPolicy`, policy, policies);
  if (nodeAffinity !== undefined) validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`, errors, anyLabelValue);
  validatePersistentSource(spec, name, path, errors);
  refuseRecycledRoot(spec, path, errors);
  if (spec.storageClassName) errors.invalidEach(`${path}.storageClassName`, spec.storageClassName, dns1123SubdomainProblems(spec.storageClassName));
  const modes = ['Block', 'Filesystem'];
  if (volumeMode !== undefined && !modes.includes(volumeMode)) errors.notSupported(`${path}.volumeMode`, volumeMode, modes);
  validateAttributesClassName(spec, path, errors);
}

/** A volume that exists only in an attachment. */
export function validateInlineVolumeSpec(spec: PersistentVolumeSpec, path: string, errors: FieldErrors): void {
  const inContext = 'in the context of inline volumes';
  const { persistentVolumeReclaimPolicy: policy, volumeMode } = spec;
  if (spec.claimRef !== undefined) errors.forbidden(`${path}.claimRef`, `may not be specified ${inContext}`);
  if (Object.keys(spec.capacity ?? {}).length > 0) errors.forbidden(`${path}.capacity`, `may not be specified ${inContext}`);
  if (spec.csi === undefined) errors.required(`${path}.csi`, `has to be specified ${inContext}`);
  validateModes(spec, path, errors);
  if (policy && policy !== 'Retain') errors.forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${inContext}`);
  if (spec.nodeAffinity !== undefined) errors.forbidden(`${path}.nodeAffinity`, `may not be specified ${inContext}`);
  validatePersistentSource({ ...spec, nodeAffinity: undefined }, '', path, errors);
  refuseRecycledRoot(spec, path, errors);
  if (spec.storageClassName) errors.forbidden(`${path}.storageClassName`, `may not be specified ${inContext}`);
  if (volumeMode !== undefined && volumeMode !== 'Filesystem') {
    errors.forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${inContext}`);
  }
}

function validateModes({ accessModes = [] }: PersistentVolumeSpec, path: string, errors: FieldErrors): void {
  if (accessModes.length === 0) errors.required(`${path}.accessModes`);
  validateAccessModes(accessModes, `${path}.accessModes`, errors);
}

function validateCapacity(spec: PersistentVolumeSpec, path: string, errors: FieldErrors): void {
  const { capacity } = spec;
  const names = Object.keys(capacity ?? {});
  if (names.length === 0) errors.required(path);
  if (names.length !== 1 || names[0] !== 'storage') errors.notSupported(path, wasGivenEmpty(spec, 'capacity') ? {} : shownMap(capacity), ['storage']);
  for (const name of names) {
    const amount = capacity?.[name] ?? '0';
    validateBasicQuantity(amount, `${path}[${name}]`, errors);
    validatePositiveQuantity(amount, `${path}[${name}]`, errors);
  }
}

/** Not below zero; the message shows the rounded number. */
export function validateBasicQuantity(quantity: string, path: string, errors: FieldErrors): void {
  // The original counts in 64 bits here, so that very large amounts are negative.
  const value = BigInt.asIntN(64, quantityValue(quantity));
  if (value < 0n) errors.invalid(path, value, 'must be a valid resource quantity');
}

function validateNodeAffinity({ required }: NonNullable<PersistentVolumeSpec['nodeAffinity']>, path: string, errors: FieldErrors, anyValue: boolean): void {
  if (required === undefined) errors.required(`${path}.required`, 'must specify required node constraints');
  else validateNodeSelector(required, `${path}.required`, errors, { anyValue });
}

/** Recycling empties the folder. */
function refuseRecycledRoot({ hostPath, persistentVolumeReclaimPolicy: policy }: PersistentVolumeSpec, path: string, errors: FieldErrors): void {
  if (policy === 'Recycle' && hostPath !== undefined && /^(?:\/\.?)+$/.test(hostPath.path)) {
    errors.forbidden(`${path}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'");
  }
}

function validateAttributesClassName({ volumeAttributesClassName: name, csi }: PersistentVolumeSpec, path: string, errors: FieldErrors): void {
  if (name === undefined) return;
  const at = `${path}.volumeAttributesClassName`;
  if (name === '') errors.required(at, 'an empty string is disallowed');
  else errors.invalidEach(at, name, dns1123SubdomainProblems(name));
  if (csi === undefined) errors.required(`${path}.csi`, 'has to be specified when using volumeAttributesClassName');
}
