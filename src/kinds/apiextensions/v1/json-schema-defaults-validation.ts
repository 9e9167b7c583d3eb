// Defaults in a schema must be what the schema itself would take, its validation rules included.
import { errorsIn, FieldError, FieldErrors } from '#api/field-error.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { runtimeBudget } from '#cel/cost/limits.ts';
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { itemsOf } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { validateEmbeddedObjects } from '#resource/embedded-objects.ts';
import { type RuleBudget, validateRules } from '#schema/cel/validate-rules.ts';
import type { AnySchema } from '#schema/build.ts';
import { clone } from '#schema/clone.ts';
import { sorted } from '#schema/json/sorted.ts';
import { coercedEmbedded } from '#schema/structural/embedded-metadata.ts';
import { forEachEmbedded } from '#schema/structural/embedded-resources.ts';
import { type OpenApiSource, valueFromOpenApi } from '#schema/structural/from-openapi.ts';
import { prune } from '#schema/structural/prune.ts';
import { validateStructural } from '#schema/structural/validate.ts';

/** What is wrong with the defaults of a structural schema; paths begin below it: `.properties[spec].default`. */
export function defaultProblems(schema: JSONSchemaProps): MaybePromise<readonly FieldError[]> {
  const places = [...placesOf({ ...schema, 'x-kubernetes-embedded-resource': true }, '', undefined)];
  return errorsIn((errors) => judgeAll(places, errors, { left: runtimeBudget }));
}

/** The metadata of whole objects in defaults is kept as it is read: upstream's validation does this in passing. What cannot be read is left for it. */
export function settleDefaults(schema: JSONSchemaProps): void {
  for (const { schema: part, inside } of placesOf({ ...schema, 'x-kubernetes-embedded-resource': true }, '', undefined)) {
    const ofPart = valueFromOpenApi(part as unknown as OpenApiSource);
    if (inside !== undefined || !hasEmbedded(ofPart, part.default)) continue;
    const value = clone(part.default);
    if (coercedEmbedded(ofPart, value, ObjectMeta).problem === undefined) part.default = sorted(value);
  }
}

function hasEmbedded(schema: AnySchema, value: unknown): boolean {
  let found = false;
  forEachEmbedded(schema, value, () => (found = true));
  return found;
}

interface DefaultPlace {
  readonly schema: JSONSchemaProps;
  readonly path: string;
  /** Set for what is a part of the type or metadata of a whole object: that object's schema, and the object with the default in its place. */
  readonly inside: { readonly whole: JSONSchemaProps; readonly around: (value: unknown) => unknown } | undefined;
}

/** Every default that is stated; there are none below `additionalProperties`. */
function* placesOf(schema: JSONSchemaProps, path: string, inside: DefaultPlace['inside']): Generator<DefaultPlace> {
  const isWhole = schema['x-kubernetes-embedded-resource'] === true;
  const within = isWhole ? undefined : inside;
  if (schema.default !== undefined && schema.default !== null) yield { schema, path: `${path}.default`, inside: within };
  const items = itemsOf(schema);
  if (items !== undefined) yield* placesOf(items, `${path}.items`, within && { ...within, around: (value) => within.around([value]) });
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const at = `${path}.properties[${name}]`;
    if (isWhole && typeMembers.has(name)) {
      yield* placesOf(property, at, { whole: schema, around: (value) => ({ apiVersion: 'validation/v1', kind: 'Validation', [name]: value }) });
    } else yield* placesOf(property, at, within && { ...within, around: (value) => within.around({ [name]: value }) });
  }
}

const typeMembers = new Set(['apiVersion', 'kind', 'metadata']);

function judgeAll(places: readonly DefaultPlace[], errors: FieldErrors, budget: RuleBudget, from = 0): MaybePromise<void> {
  for (let index = from; index < places.length && budget.left >= 0; index++) {
    const pending = judge(places[index] as DefaultPlace, errors, budget);
    if (pending) return pending.then(() => judgeAll(places, errors, budget, index + 1));
  }
}

function judge({ schema, path, inside }: DefaultPlace, errors: FieldErrors, budget: RuleBudget): Promise<void> | void {
  const source = schema as unknown as OpenApiSource;
  const value = clone(schema.default);
  // Unknown fields are told beside whatever else is wrong.
  if (inside === undefined && prune(valueFromOpenApi(source), value).dropped.length > 0) errors.invalid(path, value, 'must not have unknown fields');
  const before = errors.list.length;
  if (inside !== undefined) judgeMetadata(inside.whole, inside.around(value), path, errors, value);
  else judgeEmbedded(source, value, path, errors);
  if (errors.list.length > before) return undefined;
  if (schema.type && !knownTypes.has(schema.type)) validateOfUnknownType(schema, value, path, errors);
  else validateStructural(valueFromOpenApi(withoutIntOrString(source)), value, errors, { at: path });
  return errors.list.length > before ? undefined : judgeRules(source, value, path, errors, budget);
}

function judgeEmbedded(source: OpenApiSource, value: unknown, path: string, errors: FieldErrors): void {
  const schema = valueFromOpenApi(source);
  const { problem } = coercedEmbedded(schema, value, ObjectMeta);
  if (problem !== undefined) return errors.add(below(path, problem));
  const found = new FieldErrors();
  validateEmbeddedObjects(schema, value, found);
  errors.add(...found.list.map((error) => below(path, error)));
}

function below(path: string, { reason, field, value, detail }: FieldError): FieldError {
  return new FieldError(reason, field.startsWith('[') ? `${path}${field}` : `${path}.${field}`, value, detail);
}

function judgeMetadata(whole: JSONSchemaProps, object: unknown, path: string, errors: FieldErrors, value: unknown): void {
  const schema = valueFromOpenApi(whole as unknown as OpenApiSource);
  const { problem } = coercedEmbedded(schema, object, ObjectMeta);
  const found = new FieldErrors();
  if (problem === undefined) validateEmbeddedObjects(schema, object, found);
  const texts = problem === undefined ? [...new Set(found.list.map(String))] : [String(problem)];
  if (texts.length > 0) errors.invalid(path, value, `must result in valid metadata: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`);
}

/** A default may come with an update and with a create: rules are asked both ways. */
function judgeRules(source: OpenApiSource, value: unknown, path: string, errors: FieldErrors, budget: RuleBudget): Promise<void> | void {
  const schema = valueFromOpenApi(source);
  const before = errors.list.length;
  const options = { at: path, isRoot: source['x-kubernetes-embedded-resource'] === true };
  const asNew = { left: budget.left };
  const pending = validateRules(schema, value, errors, { ...options, budget, old: value });
  const again = () => {
    if (errors.list.length > before) return undefined;
    const settle = () => void (budget.left = Math.min(budget.left, asNew.left));
    const waiting = validateRules(schema, value, errors, { ...options, budget: asNew });
    return waiting ? waiting.then(settle) : settle();
  };
  return pending ? pending.then(again) : again();
}

/** Upstream checks no types here where a value may be a number or a text. */
function withoutIntOrString(source: OpenApiSource): OpenApiSource {
  const { 'x-kubernetes-int-or-string': _either, ...rest } = source;
  const part = (value: unknown) => (typeof value === 'object' && value !== null ? withoutIntOrString(value as OpenApiSource) : value);
  const properties = Object.entries((source['properties'] ?? {}) as Record<string, unknown>).map(([name, property]) => [name, part(property)]);
  return {
    ...rest,
    ...(source['properties'] !== undefined && { properties: Object.fromEntries(properties) }),
    ...(source['items'] !== undefined && { items: part(source['items']) }),
    ...(source['additionalProperties'] !== undefined && { additionalProperties: part(source['additionalProperties']) }),
  };
}

/** Of no type that there is: text and lists pass with any format, other values are blamed for their format first. */
function validateOfUnknownType({ type = '', format = '' }: JSONSchemaProps, value: unknown, path: string, errors: FieldErrors): void {
  const given = jsonTypeOf(value);
  const refuse = (wanted: string, shown: string) => errors.typeInvalid(path, shown, ` in body must be of type ${wanted}: "${shown}"`);
  if (format === '') return refuse(type, given);
  if (given === 'string' || given === 'array') return;
  const ownFormat = formatsOfTypes[given] ?? '';
  if (given !== 'null' && ownFormat !== format) refuse(format, ownFormat);
  else refuse(type, given);
}

const formatsOfTypes: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

const knownTypes = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}
