// What is valid metadata for any object, built-in or custom. The verbs run `validateCommonMetadata*` around every strategy, as the
// original does; strategies of built-in kinds add kinds/rules/object-meta.ts. Running both is why upstream repeats some causes.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems, type NameRule, nameIsPathSegment } from '#base/formats.ts';
import { goQuote, isPrintable, isPrintableAscii } from '#base/go-text.ts';
import { labelKeyProblems, labelValueProblems } from '#base/label-syntax.ts';
import { parseApiVersion } from '#api/names.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '#api/object.ts';

export interface MetadataRules {
  readonly namespaced: boolean;
  readonly name: NameRule;
}

/** On create, after a strategy that found nothing wrong. */
export function validateCommonMetadata(metadata: ObjectMeta, namespaced: boolean, errors: FieldErrors): void {
  validateMetadata(metadata, { namespaced, name: nameIsPathSegment }, 'metadata', errors);
}

/** On update, before the strategy. */
export function validateCommonMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta, namespaced: boolean, errors: FieldErrors): void {
  validateCommonMetadata(metadata, namespaced, errors);
  validateMetadataUpdate(metadata, old, 'metadata', errors);
}

/** The metadata of a new object; a generated name is already there. */
export function validateMetadata(metadata: ObjectMeta, rules: MetadataRules, path: string, errors: FieldErrors): void {
  const { name, generateName } = metadata;
  if (generateName) errors.invalidEach(`${path}.generateName`, generateName, rules.name(generateName, true));
  if (!name) errors.required(`${path}.name`, 'name or generateName is required');
  else errors.invalidEach(`${path}.name`, name, rules.name(name, false));
  validateNamespace(metadata.namespace, rules.namespaced, `${path}.namespace`, errors);
  validateNonNegative(metadata.generation, `${path}.generation`, errors);
  validateLabels(metadata.labels, `${path}.labels`, errors);
  validateAnnotations(metadata.annotations, `${path}.annotations`, errors);
  validateOwnerReferences(metadata.ownerReferences, `${path}.ownerReferences`, errors);
  validateFinalizers(metadata.finalizers, `${path}.finalizers`, errors);
  validateManagedFields(metadata.managedFields, `${path}.managedFields`, errors);
}

export function validateMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta, path: string, errors: FieldErrors): void {
  if (old.deletionTimestamp !== undefined) validateNoNewFinalizers(metadata.finalizers, old.finalizers, `${path}.finalizers`, errors);
  if (!metadata.resourceVersion) errors.invalid(`${path}.resourceVersion`, '', 'must be specified for an update');
  if ((metadata.generation ?? 0) < (old.generation ?? 0)) errors.invalid(`${path}.generation`, metadata.generation ?? 0, 'must not be decremented');
  for (const field of ['name', 'namespace', 'uid'] as const) validateSame(metadata[field] ?? '', old[field] ?? '', `${path}.${field}`, errors);
  for (const field of ['creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
    validateSame(metadata[field], old[field], `${path}.${field}`, errors);
  }
  validateLabels(metadata.labels, `${path}.labels`, errors);
  validateAnnotations(metadata.annotations, `${path}.annotations`, errors);
  validateOwnerReferences(metadata.ownerReferences, `${path}.ownerReferences`, errors);
  validateManagedFields(metadata.managedFields, `${path}.managedFields`, errors);
}

function validateSame(value: unknown, old: unknown, path: string, errors: FieldErrors): void {
  if (value !== old) errors.invalid(path, value, 'field is immutable');
}

function validateNamespace(namespace: string | undefined, namespaced: boolean, path: string, errors: FieldErrors): void {
  if (!namespaced) {
    if (namespace) errors.forbidden(path, 'not allowed on this type');
  } else if (!namespace) {
    errors.required(path);
  } else {
    errors.invalidEach(path, namespace, dns1123LabelProblems(namespace));
  }
}

export function validateNonNegative(value: number | undefined, path: string, errors: FieldErrors): void {
  if (value !== undefined && value < 0) errors.invalid(path, value, 'must be greater than or equal to 0');
}

export function validateLabelKey(key: string, path: string, errors: FieldErrors): void {
  errors.invalidEach(path, key, labelKeyProblems(key));
}

export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: string, errors: FieldErrors): void {
  for (const key in labels) {
    validateLabelKey(key, path, errors);
    const value = labels[key] ?? '';
    errors.invalidEach(path, value, labelValueProblems(value));
  }
}

const annotationBytes = 256 * 1024;

export function validateAnnotations(annotations: Readonly<Record<string, string>> | undefined, path: string, errors: FieldErrors): void {
  let size = 0;
  for (const key in annotations) {
    // Letters of either case are fine in keys of annotations.
    errors.invalidEach(path, key, labelKeyProblems(key.toLowerCase()));
    size += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (size > annotationBytes) errors.tooLong(path, annotationBytes);
}

export function validateOwnerReferences(references: readonly OwnerReference[] | undefined, path: string, errors: FieldErrors): void {
  let controller = '';
  // One list for all errors: each of many thousand controllers has one.
  let shown: readonly OwnerReference[] | undefined;
  for (const reference of references ?? []) {
    validateOwnerReference(reference, path, errors);
    if (reference.controller !== true) continue;
    const current = `${reference.kind}/${reference.name}`;
    if (controller === '') controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      shown ??= references?.map(inFieldOrder);
      errors.invalid(path, shown, detail);
    }
  }
}

/** As Go prints it, whatever the order in which the client has sent its fields. */
function inFieldOrder({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): OwnerReference {
  return { apiVersion, kind, name, uid, ...(controller !== undefined && { controller }), ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }) };
}

function validateOwnerReference(reference: OwnerReference, path: string, errors: FieldErrors): void {
  const { group, version } = parseApiVersion(reference.apiVersion) ?? { group: '', version: '' };
  if (version === '') errors.invalid(`${path}.apiVersion`, reference.apiVersion, 'version must not be empty');
  if (reference.kind === '') errors.invalid(`${path}.kind`, reference.kind, 'must not be empty');
  if (reference.name === '') errors.invalid(`${path}.name`, reference.name, 'must not be empty');
  if (reference.uid === '') errors.invalid(`${path}.uid`, reference.uid, 'must not be empty');
  if (group === '' && version === 'v1' && reference.kind === 'Event')
    errors.invalid(path, inFieldOrder(reference), '/v1, Kind=Event is disallowed from being an owner');
}

function validateFinalizers(finalizers: readonly string[] | undefined, path: string, errors: FieldErrors): void {
  if (finalizers === undefined) return;
  for (const finalizer of finalizers) validateLabelKey(finalizer, path, errors);
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}

function validateNoNewFinalizers(finalizers: readonly string[] = [], old: readonly string[] = [], path: string, errors: FieldErrors): void {
  const known = new Set(old);
  const added = [...new Set(finalizers.filter((finalizer) => !known.has(finalizer)))].toSorted();
  if (added.length === 0) return;
  const shown = `[]string{${added.map(goQuote).join(', ')}}`;
  errors.forbidden(path, `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`);
}

export function validateManagedFields(entries: readonly ManagedFieldsEntry[] | undefined, path: string, errors: FieldErrors): void {
  entries?.forEach((entry, index) => {
    const at = `${path}[${index}]`;
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') errors.invalid(`${at}.operation`, operation, 'must be `Apply` or `Update`');
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') errors.invalid(`${at}.fieldsType`, fieldsType, 'must be `FieldsV1`');
    validateFieldManager(manager, `${at}.manager`, errors);
    if (byteLength(subresource) > 256) errors.tooLong(`${at}.subresource`, 256);
  });
}

export function validateFieldManager(manager: string, path: string, errors: FieldErrors): void {
  if (byteLength(manager) > 128) errors.tooLong(path, 128);
  if (isPrintableAscii(manager)) return;
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) errors.invalid(path, manager, `invalid character ${unicodeName(character)} (at position ${position})`);
    position += byteLength(character);
  }
}

/** fmt's `%#U`: the quoted character follows only when it is printable, which it never is here. */
function unicodeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
