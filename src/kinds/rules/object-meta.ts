// Metadata of built-in kinds: the common rules plus those about finalizers.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123SubdomainProblems, type NameRule } from '#base/formats.ts';
import type { ObjectMeta } from '#api/object.ts';
import { validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';

/** Metadata of a new object, at `metadata`. Call it from a strategy's `validate`; updates of most kinds call validateObjectMetaUpdate. */
export function validateObjectMeta(metadata: ObjectMeta, namespaced: boolean, name: NameRule, errors: FieldErrors, path = 'metadata'): void {
  validateMetadata(metadata, { namespaced, name }, path, errors);
  validateKubernetesFinalizers(metadata.finalizers, `${path}.finalizers`, errors);
}

export function validateObjectMetaUpdate(metadata: ObjectMeta, old: ObjectMeta, errors: FieldErrors, path = 'metadata'): void {
  validateMetadataUpdate(metadata, old, path, errors);
  validateKubernetesFinalizers(metadata.finalizers, `${path}.finalizers`, errors);
}

function validateKubernetesFinalizers(finalizers: readonly string[] | undefined, path: string, errors: FieldErrors): void {
  finalizers?.forEach((finalizer, index) => validateKubernetesFinalizer(finalizer, `${path}[${index}]`, errors));
}

/** A finalizer without a domain must be one of ours. */
export function validateKubernetesFinalizer(finalizer: string, path: string, errors: FieldErrors): void {
  if (finalizer.includes('/') || ['kubernetes', 'orphan', 'foregroundDeletion'].includes(finalizer)) return;
  errors.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified');
}

/** For kinds whose names upstream judges declaratively (LongName): the name that was generated is judged, not its prefix, and bytes are counted. */
export const longName: NameRule = (name, prefix) => {
  if (prefix) return [];
  const problems = dns1123SubdomainProblems(name);
  return byteLength(name) > 253 ? ['must be no more than 253 bytes', ...problems.slice(1)] : problems;
};
