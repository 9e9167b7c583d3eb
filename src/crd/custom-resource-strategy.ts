// How objects of a custom kind are written and judged: what upstream's customresource strategy does for every definition. Upstream has a strategy
// for each version; here the stored version has one, which judges an object by the rules of the version that the request speaks.
import type { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { inShortTurns } from '#base/short-turns.ts';
import { validateEmbeddedObjects } from '#resource/embedded-objects.ts';
import type { Converter } from '#crd/converter.ts';
import { finalizerWarnings } from '#crd/finalizer-warnings.ts';
import { validateScaleSpec, validateScaleStatus } from '#crd/scale-rules.ts';
import type { CustomResourceSubresourceScale } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { compileJsonPath } from '#resource/json-path.ts';
import { validateMetadata, validateMetadataUpdate } from '#resource/metadata-rules.ts';
import type { Strategy, StrategyContext, SubresourceStrategy } from '#resource/strategy.ts';
import type { StructSchema } from '#schema/build.ts';
import { equal } from '#schema/equal.ts';
import { hasRules, type RuleTimes } from '#schema/cel/rule-tree.ts';
import { type RuleOptions, validateRules } from '#schema/cel/validate-rules.ts';
import { Comparing } from '#schema/structural/correlate.ts';
import { validateListInvariants } from '#schema/structural/list-invariants.ts';
import { validateStructuralInTurns } from '#schema/structural/validate.ts';

export interface CustomVersion {
  readonly apiVersion: string;
  readonly schema: StructSchema;
  readonly hasStatus: boolean;
  readonly scale: CustomResourceSubresourceScale | undefined;
}

export interface CustomKind {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly hub: CustomVersion;
  readonly versions: readonly CustomVersion[];
  readonly selectablePaths: readonly string[];
  /** Where versions differ in more than their name. */
  readonly convert?: Converter;
  readonly ruleTimes?: RuleTimes | undefined;
}

export function customResourceStrategy(kind: CustomKind): Strategy {
  const versionOf = versionsBy(kind);
  return {
    returnsDeleted: false,
    allowUnconditionalUpdate: false,
    prepareForCreate(object, context) {
      if (versionOf(context).hasStatus) delete object['status'];
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old, context) {
      if (versionOf(context).hasStatus) setOrDelete(object, 'status', old['status']);
      if (!equal(withoutMetadata(object), withoutMetadata(old))) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
    validate: (object, errors, context) =>
      andThen(spoken(kind, versionOf(context), [object]), ([one = object]) => validateNew(kind, versionOf(context), one, errors)),
    validateUpdate: (object, old, errors, context) =>
      andThen(spoken(kind, versionOf(context), [object, old]), ([one = object, before = old]) =>
        validateChanged(kind, versionOf(context), { object: one, old: before, warn: context.warn }, errors),
      ),
    warnOnCreate: (object) => finalizerWarnings(object, undefined),
    warnOnUpdate: finalizerWarnings,
    selectableFields: selectableFields(kind.selectablePaths),
    ...(!kind.namespaced && { selectableMetadata: ['metadata.name'] }),
    unknownSelector: (field) => `field label not supported: ${field}`,
    ...(kind.versions.some(({ hasStatus }) => hasStatus) && { subresources: { status: statusStrategy(kind, versionOf) } }),
  };
}

/** The objects as the version of the request shows them, where a webhook says so: it is judged by the schema of that version. */
function spoken({ convert, hub }: CustomKind, { apiVersion }: CustomVersion, objects: readonly KubernetesObject[]): MaybePromise<readonly KubernetesObject[]> {
  if (convert === undefined || apiVersion === hub.apiVersion) return objects;
  return andThen(convert(objects, apiVersion), (made) => made.map((object) => ({ ...object, apiVersion: hub.apiVersion })));
}

type VersionOf = (context: Pick<StrategyContext, 'apiVersion'>) => CustomVersion;

function versionsBy({ versions, hub }: CustomKind): VersionOf {
  const byName = new Map(versions.map((version) => [version.apiVersion, version]));
  return ({ apiVersion }) => byName.get(apiVersion) ?? hub;
}

function statusStrategy(kind: CustomKind, versionOf: VersionOf): SubresourceStrategy {
  return {
    prepareForUpdate(object, old) {
      const { status, metadata, kind: sentKind } = object;
      for (const name of Object.keys(object)) delete object[name];
      Object.assign(object, old, { metadata: { ...old.metadata, managedFields: metadata.managedFields, resourceVersion: metadata.resourceVersion } });
      if (sentKind !== undefined) object.kind = sentKind;
      setOrDelete(object, 'status', status);
    },
    validateUpdate: (object, old, errors, context) =>
      andThen(spoken(kind, versionOf(context), [object, old]), ([one = object, before = old]) =>
        validateStatus(kind, versionOf(context), { object: one, old: before, warn: context.warn }, errors),
      ),
    resetFields: [['metadata'], ['spec']],
  };
}

function setOrDelete(object: KubernetesObject, name: string, value: unknown): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

function withoutMetadata({ metadata: _metadata, ...object }: KubernetesObject): object {
  return object;
}

interface Changed {
  readonly object: KubernetesObject;
  readonly old: KubernetesObject;
  readonly warn: StrategyContext['warn'];
}

function validateNew(kind: CustomKind, version: CustomVersion, object: KubernetesObject, errors: FieldErrors): MaybePromise<void> {
  const { schema } = version;
  const ofKind = isOfKind(kind, version, object, errors)
    ? [
        () => validateMetadata(object.metadata, { namespaced: kind.namespaced, name: nameIsSubdomain }, 'metadata', errors),
        () => validateStructuralInTurns(schema, object, errors),
        () => validateScale(version, object, errors),
      ]
    : [];
  return inShortTurns([
    ...ofKind,
    () => validateEmbeddedObjects(schema, object, errors),
    () => validateListInvariants(schema, object, errors),
    () => validateRulesUnlessBlocked(schema, object, { times: kind.ruleTimes }, errors),
  ]);
}

function validateScale({ scale }: CustomVersion, object: KubernetesObject, errors: FieldErrors): void {
  validateScaleSpec(scale, object, errors);
  validateScaleStatus(scale, object, errors);
}

/** Parts that did not change are not judged again (ratcheting). */
function validateChanged(kind: CustomKind, version: CustomVersion, changed: Changed, errors: FieldErrors): MaybePromise<void> {
  const { schema } = version;
  const comparing = new Comparing();
  const { object, old, warn } = changed;
  const ofKind = isOfKind(kind, version, object, errors)
    ? [
        () => validateMetadataUpdate(object.metadata, old.metadata, 'metadata', errors),
        () => validateStructuralInTurns(schema, object, errors, { old, comparing }),
        () => validateScale(version, object, errors),
      ]
    : [];
  return inShortTurns([
    ...ofKind,
    () => validateEmbeddedObjects(schema, object, errors),
    () => validateListInvariants(schema, object, errors, old),
    () => validateRulesUnlessBlocked(schema, object, { old, warn: warn ?? (() => {}), times: kind.ruleTimes, comparing }, errors),
    () => kind.ruleTimes?.compared(comparing.ms / 1_000),
  ]);
}

function validateStatus(kind: CustomKind, version: CustomVersion, changed: Changed, errors: FieldErrors): MaybePromise<void> {
  const { schema, scale } = version;
  const comparing = new Comparing();
  const { object, old, warn } = changed;
  const statusSchema = schema.fields['status']?.schema;
  const ofKind = isOfKind(kind, version, object, errors)
    ? [
        () => validateMetadataUpdate(object.metadata, old.metadata, 'metadata', errors),
        () => {
          if (object['status'] === undefined || statusSchema === undefined) return undefined;
          const options = { at: 'status', comparing, ...(old['status'] !== undefined && { old: old['status'] }) };
          return validateStructuralInTurns(statusSchema, object['status'], errors, options);
        },
        () => validateScaleStatus(scale, object, errors),
      ]
    : [];
  return inShortTurns([
    ...ofKind,
    () => validateListInvariants(schema, object, errors, old),
    () => validateRulesUnlessBlocked(schema, object, { old, warn: warn ?? (() => {}), times: kind.ruleTimes, comparing }, errors),
    () => kind.ruleTimes?.compared(comparing.ms / 1_000),
  ]);
}

/** A patch may have made something else of it. Objects are in the stored version by now, whichever the request speaks. */
function isOfKind({ kind, hub }: CustomKind, { apiVersion }: CustomVersion, object: KubernetesObject, errors: FieldErrors): boolean {
  const sent = { kind: object.kind ?? '', apiVersion: object.apiVersion ?? '' };
  if (sent.kind !== kind) errors.invalid('kind', sent.kind, `must be ${kind}`);
  if (sent.apiVersion !== hub.apiVersion) errors.invalid('apiVersion', sent.apiVersion, `must be ${apiVersion}`);
  return sent.kind === kind && sent.apiVersion === hub.apiVersion;
}

function validateRulesUnlessBlocked(schema: StructSchema, object: KubernetesObject, options: RuleOptions, errors: FieldErrors): MaybePromise<void> {
  if (!errors.list.some(({ reason }) => blocking.has(reason))) return validateRules(schema, object, errors, options);
  if (hasRules(schema)) errors.invalid('<nil>', null, unchecked);
  return undefined;
}

/** What a rule would stumble over: values that are missing, too long, too many, none of an enumeration or of another type. */
const blocking = new Set(['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany', 'FieldValueTypeInvalid']);
const unchecked = 'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

function selectableFields(paths: readonly string[]): NonNullable<Strategy['selectableFields']> {
  return Object.fromEntries(
    paths.map((path) => {
      const find = compileJsonPath(path);
      return [selectorName(path), (object: KubernetesObject) => textOf(find(object)[0])];
    }),
  );
}

export function selectorName(path: string): string {
  return path.replace(/^\./, '');
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
