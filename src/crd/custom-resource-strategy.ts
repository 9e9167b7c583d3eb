// How objects of a custom kind are written and judged: what upstream's customresource strategy does for every definition.
import type { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { compileJsonPath } from '#resource/json-path.ts';
import { validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy, SubresourceStrategy } from '#resource/strategy.ts';
import type { StructSchema } from '#schema/build.ts';
import { equal } from '#schema/equal.ts';
import { hasRules, validateRules } from '#schema/cel/validate-rules.ts';
import { forEachEmbedded } from '#schema/structural/embedded-resources.ts';
import { validateListInvariants } from '#schema/structural/list-invariants.ts';
import { validateStructural } from '#schema/structural/validate.ts';

export interface CustomKind {
  readonly namespaced: boolean;
  readonly schema: StructSchema;
  readonly hasStatus: boolean;
  readonly selectablePaths: readonly string[];
}

export function customResourceStrategy(kind: CustomKind): Strategy {
  const { namespaced, schema, hasStatus } = kind;
  return {
    returnsDeleted: false,
    allowUnconditionalUpdate: false,
    prepareForCreate(object) {
      if (hasStatus) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (hasStatus) setOrDelete(object, 'status', old['status']);
      if (!equal(wishOf(object, hasStatus), wishOf(old, hasStatus))) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate(object, errors) {
      validateMetadata(object.metadata, { namespaced, name: nameIsSubdomain }, 'metadata', errors);
      return validateObject(schema, object, undefined, errors);
    },
    validateUpdate(object, old, errors) {
      validateMetadataUpdate(object.metadata, old.metadata, 'metadata', errors);
      return validateObject(schema, object, old, errors);
    },
    ...(kind.selectablePaths.length > 0 && { selectableFields: selectableFields(kind.selectablePaths) }),
    ...(hasStatus && { subresources: { status: statusStrategy(schema) } }),
  };
}

function statusStrategy(schema: StructSchema): SubresourceStrategy {
  return {
    prepareForUpdate(object, old) {
      const { status, metadata } = object;
      for (const name of Object.keys(object)) delete object[name];
      Object.assign(object, old, { metadata: { ...old.metadata, managedFields: metadata.managedFields, resourceVersion: metadata.resourceVersion } });
      setOrDelete(object, 'status', status);
    },
    validateUpdate: (object, old, errors) => validateObject(schema, object, old, errors),
  };
}

function setOrDelete(object: KubernetesObject, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

function wishOf({ metadata: _metadata, ...object }: KubernetesObject, hasStatus: boolean): object {
  if (!hasStatus) return object;
  const { status: _status, ...rest } = object as Record<string, unknown>;
  return rest;
}

/** Parts that did not change are not judged again (ratcheting). */
function validateObject(schema: StructSchema, object: KubernetesObject, old: KubernetesObject | undefined, errors: FieldErrors): MaybePromise<void> {
  validateStructural(schema, object, errors, old === undefined ? {} : { old });
  validateListInvariants(schema, object, errors);
  forEachEmbedded(schema, object, (path, embedded) => validateEmbedded(path, embedded, errors));
  if (!errors.list.some(({ reason }) => blocking.has(reason))) return validateRules(schema, object, errors, old === undefined ? {} : { old });
  if (hasRules(schema)) errors.invalid('<nil>', null, unchecked);
  return undefined;
}

/** What a rule would stumble over: values that are missing, too long, too many or of another type. */
const blocking = new Set(['FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany', 'FieldValueTypeInvalid']);
const unchecked = 'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function validateEmbedded(path: string, { apiVersion, kind }: Record<string, unknown>, errors: FieldErrors): void {
  if (typeof apiVersion !== 'string' || apiVersion === '') errors.required(`${path}.apiVersion`, 'must not be empty');
  if (typeof kind !== 'string' || kind === '') errors.required(`${path}.kind`, 'must not be empty');
}

function selectableFields(paths: readonly string[]): NonNullable<Strategy['selectableFields']> {
  return Object.fromEntries(
    paths.map((path) => {
      const find = compileJsonPath(path);
      return [path.replace(/^\./, ''), (object: KubernetesObject) => textOf(find(object)[0])];
    }),
  );
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
