// Whole objects inside a custom object: their type and metadata follow the rules of any object, as upstream's schema/objectmeta checks them.
import type { FieldErrors } from '#api/field-error.ts';
import { parseApiVersion } from '#api/names.ts';
import type { ObjectMeta } from '#api/object.ts';
import { dns1035LabelProblems, nameIsPathSegment } from '#base/formats.ts';
import { validateMetadata } from '#resource/metadata-rules.ts';
import type { AnySchema } from '#schema/build.ts';
import { forEachEmbedded } from '#schema/structural/embedded-resources.ts';

export function validateEmbeddedObjects(schema: AnySchema, object: unknown, errors: FieldErrors): void {
  forEachEmbedded(schema, object, (path, embedded) => validateEmbedded(path === '' ? '' : `${path}.`, embedded, errors));
}

/** `at` is the path of the object and a dot; empty for a value that is itself one. */
function validateEmbedded(at: string, embedded: Record<string, unknown>, errors: FieldErrors): void {
  const { apiVersion, kind, metadata } = embedded;
  if (!Object.hasOwn(embedded, 'apiVersion')) errors.required(`${at}apiVersion`);
  else validateText(`${at}apiVersion`, apiVersion, errors, apiVersionProblem);
  if (!Object.hasOwn(embedded, 'kind')) errors.required(`${at}kind`);
  else validateText(`${at}kind`, kind, errors, kindProblem);
  if (typeof metadata === 'object' && metadata !== null) validateEmbeddedMetadata(`${at}metadata`, metadata as ObjectMeta, errors);
}

function validateText(path: string, value: unknown, errors: FieldErrors, problemOf: (text: string) => string | undefined): void {
  const problem = typeof value !== 'string' ? 'must be a string' : value === '' ? 'must not be empty' : problemOf(value);
  if (problem !== undefined) errors.invalid(path, value, problem);
}

function apiVersionProblem(text: string): string | undefined {
  return parseApiVersion(text) === undefined ? `unexpected GroupVersion string: ${text}` : undefined;
}

function kindProblem(text: string): string | undefined {
  const problems = dns1035LabelProblems(text.toLowerCase());
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(',')}`;
}

/** An embedded object needs no name, but one that it has must be one; it may or may not be in a namespace. */
function validateEmbeddedMetadata(path: string, metadata: ObjectMeta, errors: FieldErrors): void {
  const named = metadata.name ? metadata : { ...metadata, name: 'fakename' };
  validateMetadata(named, { namespaced: Boolean(metadata.namespace), name: nameIsPathSegment }, path, errors);
}
