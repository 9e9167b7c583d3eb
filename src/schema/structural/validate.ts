// Is a value what its schema says? For custom resources, in the words of the original. One function per schema, compiled on
// first use; the checks on one value stand in value-checks.ts, in the order in which the original makes them.
import type { FieldErrors } from '#api/field-error.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { AnySchema, StructSchema, ValueRules } from '#schema/build.ts';
import { type Comparing, type Earlier, earlierItem, earlierMember, isUnchanged } from '#schema/structural/correlate.ts';
import { Findings } from '#schema/structural/findings.ts';
import { type OpenApiSource, valueFromOpenApi } from '#schema/structural/from-openapi.ts';
import { perSchema } from '#schema/per-schema.ts';
import { jsonText } from '#schema/protobuf/protobuf-json.ts';
import { sorted } from '#schema/json/sorted.ts';
import { isCustom } from '#schema/struct-plan.ts';
import { memberNames, validateInTurns, walkInTurns } from '#schema/structural/validation-turns.ts';
import {
  checkEnum,
  checkLengths,
  checkNull,
  checkNumber,
  checkSize,
  checkText,
  checkType,
  type Demands,
  demandsOf,
  hasTextFormat,
  type Place,
} from '#schema/structural/value-checks.ts';

export interface ValidationOptions {
  /** The value that is replaced: what equals it is not judged. Without it everything is. */
  readonly old?: unknown;
  readonly comparing?: Comparing;
  /** Where the value stands in its object: `status`. */
  readonly at?: string;
}

export function validateStructural(schema: AnySchema, value: unknown, errors: FieldErrors, options: ValidationOptions = {}): void {
  const earlier = 'old' in options ? { value: options.old, schema, comparing: options.comparing } : undefined;
  ratcheted(checkOf(schema), value, '', earlier).report(options.at ?? '', errors);
}

/** The same; gives other requests their turn where it takes long. */
export function validateStructuralInTurns(schema: AnySchema, value: unknown, errors: FieldErrors, options: ValidationOptions = {}): MaybePromise<void> {
  return validateInTurns(() => validateStructural(schema, value, errors, options));
}

/** `at` is the path so far: empty for the value itself, then `.spec`, `.spec.list[0]`. */
type Check = (value: unknown, at: string, earlier: Earlier | undefined) => Findings;

const checkOf = perSchema(compile);

/** A value that is as wrong as it was before is let be. */
function ratcheted(check: Check, value: unknown, at: string, earlier: Earlier | undefined): Findings {
  const found = check(value, at, earlier);
  if (found.none || earlier === undefined || !isUnchanged(value, earlier)) return found;
  const pardoned = new Findings();
  pardoned.matches = found.matches;
  return pardoned;
}

function compile(schema: AnySchema): Check {
  const demands = demandsOf(schema);
  const steps: Step[] = [
    ...(demands.types.length > 0 || demands.format !== '' ? [always((value, place) => checkType(demands, value, place))] : []),
    always(junctorsOf(demands.rules)),
    when(isText, (value, place) => checkLengths(demands, value, place)),
    ...(hasTextFormat(demands) ? [when(isText, (value: string, place) => checkText(demands, value, place))] : []),
    when(isNumber, (value, place) => checkNumber(demands, value, place)),
    when(Array.isArray as (value: unknown) => value is unknown[], itemsOf(schema, demands)),
    always((value, place) => checkEnum(demands, value, place)),
    when(isObject, membersOf(schema, demands)),
  ];
  return (value, at, earlier) => {
    const found = new Findings();
    const place = { at, found };
    if (value === null || value === undefined) {
      checkNull(demands, place);
      checkEnum(demands, null, place);
      return found;
    }
    for (const step of steps) if (step(value, place, earlier)) found.matches++;
    found.matches++;
    return found;
  };
}

type Part<T> = (value: T, place: Place, earlier: Earlier | undefined) => void;
/** False when the value is none for this check. */
type Step = (value: unknown, place: Place, earlier: Earlier | undefined) => boolean;

function always(part: Part<unknown>): Step {
  return (value, place, earlier) => {
    part(value, place, earlier);
    return true;
  };
}

function when<T>(applies: (value: unknown) => value is T, part: Part<T>): Step {
  return (value, place, earlier) => {
    if (!applies(value)) return false;
    part(value, place, earlier);
    return true;
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function itemsOf(schema: AnySchema, demands: Demands): Part<readonly unknown[]> {
  const item = schema.is === 'list' ? checkLazily(schema.item) : undefined;
  return (list, place, earlier) => {
    const { at, found } = place;
    if (item !== undefined) {
      walkInTurns({ value: list, by: item, parts: list.length, found }, (index) =>
        found.merge(ratcheted(item, list[index], `${at}[${index}]`, earlierItem(earlier, list[index]))),
      );
    }
    checkSize(demands, 'items', list.length, place);
    if (demands.rules.uniqueItems === true && hasDuplicates(list)) {
      found.add({ what: 'value', at, value: undefined, text: `${named(at)} in body shouldn't contain duplicates` });
    }
    found.matches++;
  };
}

function hasDuplicates(list: readonly unknown[]): boolean {
  return new Set(list.map((item) => jsonText(sorted(item)))).size < list.length;
}

function membersOf(schema: AnySchema, demands: Demands): Part<Record<string, unknown>> {
  const declared = schema.is === 'struct' ? declaredChecks(schema) : () => new Map<string, Check>();
  const other = schema.is === 'map' ? checkLazily(schema.value) : undefined;
  const required = demands.rules.required ?? [];
  // A member of a map that is the whole value is named with a dot in front, as kube-openapi does: texts lose one.
  const prefix = schema.is === 'map' ? (at: string) => at || '.' : (at: string) => at;
  return (object, place, earlier) => {
    const { at, found } = place;
    const names = memberNames(object);
    checkSize(demands, 'properties', names.length, place);
    const checks = declared();
    if (demands.rules.closed === true) refuseMembers(names, place);
    walkInTurns({ value: object, by: declared, parts: names.length, found }, (index) => {
      const name = names[index] as string;
      const check = checks.get(name) ?? other;
      if (check !== undefined)
        found.merge(ratcheted(check, object[name], `${prefix(at)}.${name}`, isKind(at, name) ? undefined : earlierMember(earlier, name)));
    });
    if (found.full) return;
    for (const name of required) {
      if (!Object.hasOwn(object, name)) found.add({ what: 'required', at: `${at}.${name}`, value: undefined, text: `${at}.${name} in body is required` });
    }
  };
}

/** Two names are let through whatever the schema says, as kube-openapi does. */
function refuseMembers(names: readonly string[], { at, found }: Place): void {
  for (const name of names) {
    if (name !== '$schema' && name !== 'id') found.add({ what: 'value', at, value: name, text: `${named(at)}.${name} in body is a forbidden property` });
  }
}

/** Both objects are of one kind by now: whether that changed cannot be seen. */
function isKind(at: string, name: string): boolean {
  return at === '' && (name === 'kind' || name === 'apiVersion');
}

/** Of the metadata of a custom object only what its own schema says is looked at here; the rest has rules of its own. */
function declaredChecks(schema: StructSchema): () => Map<string, Check> {
  let checks: Map<string, Check> | undefined;
  return () => {
    checks ??= new Map(
      Object.entries(schema.fields).flatMap(([name, field]): [string, Check][] => {
        const own = isCustom(schema) && schema.options.root === true && name === 'metadata' ? metadataRules(schema) : field.schema;
        return own === undefined ? [] : [[name, checkLazily(own)]];
      }),
    );
    return checks;
  };
}

function metadataRules({ options: { source } }: StructSchema): AnySchema | undefined {
  const properties = source?.['properties'] as Record<string, OpenApiSource> | undefined;
  return properties?.['metadata'] === undefined ? undefined : valueFromOpenApi(properties['metadata']);
}

/** Schemas contain themselves only through structs, which are compiled when they are met. */
function checkLazily(schema: AnySchema): Check {
  return (value, at, earlier) => checkOf(schema)(value, at, earlier);
}

function junctorsOf({ junctors = {} }: ValueRules): Part<unknown> {
  const compileAll = (name: string): Check[] => ((junctors[name] ?? []) as OpenApiSource[]).map((source) => checkLazily(valueFromOpenApi(source)));
  const [anyOf, oneOf, allOf] = ['anyOf', 'oneOf', 'allOf'].map(compileAll) as [Check[], Check[], Check[]];
  const not = junctors['not'] === undefined ? undefined : checkLazily(valueFromOpenApi(junctors['not'] as OpenApiSource));
  // What is said here is about the value as it is now: upstream forgives nothing below a junctor.
  return (value, { at, found }) => {
    const results = (checks: Check[]): Findings[] => checks.map((check) => check(value, at, undefined));
    if (anyOf.length > 0) oneFits(results(anyOf), at, found);
    if (oneOf.length > 0) exactlyOneFits(results(oneOf), at, found);
    if (allOf.length > 0) allFit(results(allOf), at, found);
    if (not?.(value, at, undefined).none === true) found.add(general(`"${named(at)}" must not validate the schema (not)`));
    found.matches++;
  };
}

function oneFits(results: readonly Findings[], at: string, found: Findings): void {
  const fitting = results.find(({ none }) => none);
  if (fitting === undefined) found.add(general(`"${named(at)}" must validate at least one schema (anyOf)`));
  const shown = fitting ?? closest(results);
  if (shown !== undefined) found.merge(shown);
}

function exactlyOneFits(results: readonly Findings[], at: string, found: Findings): void {
  const fitting = results.filter(({ none }) => none);
  const [only] = fitting;
  if (fitting.length === 1 && only !== undefined) return found.merge(only);
  const why = fitting.length === 0 ? 'Found none valid' : `Found ${fitting.length} valid alternatives`;
  found.add(general(`"${named(at)}" must validate one and only one schema (oneOf). ${why}`));
  // A failure is explained only when nothing fitted; an alternative that failed after the last fitting one never counts.
  const explanation = fitting.length === 0 ? closest(results) : undefined;
  if (explanation !== undefined) found.merge(explanation);
}

function allFit(results: readonly Findings[], at: string, found: Findings): void {
  for (const result of results) found.merge(result);
  const fitting = results.filter(({ none }) => none).length;
  if (fitting === results.length) return;
  found.add(general(`"${named(at)}" must validate all the schemas (allOf)${fitting === 0 ? '. None validated' : ''}`));
}

/** The first of those with most matches. */
function closest(results: readonly Findings[]): Findings | undefined {
  return results.reduce<Findings | undefined>((best, result) => (best === undefined || result.matches > best.matches ? result : best), undefined);
}

function general(text: string): { what: 'general'; at: string; value: undefined; text: string } {
  return { what: 'general', at: '', value: undefined, text };
}

/** Paths in texts have no dot in front. */
function named(at: string): string {
  return at.replace(/^\./, '');
}
