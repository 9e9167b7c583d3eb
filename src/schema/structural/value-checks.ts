// The checks on one value: type, length, pattern, format, range, size, enum. Each adds what it finds; the texts are the original's,
// its oddities included (a text with a format passes for any type of text or list, whole numbers are compared as whole numbers).
import { goFloat } from '#base/go-text.ts';
import type { AnySchema, ValueRules } from '#schema/build.ts';
import { equal } from '#schema/equal.ts';
import type { Findings } from '#schema/structural/findings.ts';
import { jsonText } from '#schema/protobuf/protobuf-json.ts';
import { sorted } from '#schema/json/sorted.ts';
import { occurs, schemaPattern } from '#schema/structural/schema-pattern.ts';
import { stringFormat } from '#schema/structural/string-formats.ts';

/** What a schema asks of its values, as far as it can be said without looking at one. */
export interface Demands {
  readonly rules: ValueRules;
  /** The JSON types it takes; none means any. */
  readonly types: readonly string[];
  /** Empty where the schema's format means nothing. */
  readonly format: string;
}

/** Where a value stands, and who collects what is wrong with it. */
export interface Place {
  readonly at: string;
  readonly found: Findings;
}

export function demandsOf(schema: AnySchema): Demands {
  const rules = schema.rules ?? {};
  const types = typesOf(schema);
  return { rules, types, format: formatOf(types, rules.format) };
}

const typeNames: Partial<Record<AnySchema['is'], readonly string[]>> = {
  struct: ['object'],
  map: ['object'],
  list: ['array'],
  boolean: ['boolean'],
  int32: ['integer'],
  int64: ['integer'],
  double: ['number'],
  intOrString: ['integer', 'string'],
  json: [],
  rawExtension: [],
  fieldsV1: [],
  schemaOrArray: [],
  schemaOrBool: [],
  schemaOrStringArray: [],
};

function typesOf(schema: AnySchema): readonly string[] {
  return schema.rules?.untyped === true ? [] : (typeNames[schema.is] ?? ['string']);
}

/** Formats that mean something for the type; all others are forgotten. */
function formatOf(types: readonly string[], format = ''): string {
  const type = types.length === 1 ? types[0] : '';
  if (type === '' || type === 'string') return stringFormat(format) === undefined ? '' : format;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  return type === 'number' && (format === 'float' || format === 'double') ? format : '';
}

export function hasTextFormat({ format }: Demands): boolean {
  return format !== '' && stringFormat(format) !== undefined;
}

/** JSON type and, for numbers, Go's name of it. */
function typeOf(value: unknown): readonly [type: string, format: string] {
  switch (typeof value) {
    case 'boolean':
      return ['boolean', ''];
    case 'string':
      return ['string', ''];
    case 'bigint':
      return ['integer', 'int64'];
    case 'number':
      return Number.isSafeInteger(value) ? ['integer', 'int64'] : ['number', 'float64'];
    default:
      return [Array.isArray(value) ? 'array' : 'object', ''];
  }
}

export function checkNull({ types, rules }: Demands, place: Place): void {
  if (types.length > 0 && rules.nullable !== true) wrongType(types.join(','), 'null', place);
  else place.found.matches++;
}

export function checkType({ types, format }: Demands, value: unknown, place: Place): void {
  const [type, goType] = typeOf(value);
  if (types.includes(type) || fitsAsNumber(types, type, value)) {
    place.found.matches++;
  } else if (typeof value !== 'string' && !Array.isArray(value) && format !== '') {
    if (goType === format) wrongType(types.join(','), type, place);
    else wrongType(format, goType, place);
  } else if (format === '' || types.includes('number') || types.includes('integer')) {
    wrongType(types.join(','), type, place);
  } else {
    place.found.matches++;
  }
}

function fitsAsNumber(types: readonly string[], type: string, value: unknown): boolean {
  if (type === 'integer') return types.includes('number');
  return type === 'number' && types.includes('integer') && isWhole(value as number);
}

function wrongType(wanted: string, value: string, { at, found }: Place): void {
  found.add({ what: 'type', at, value, text: `${named(at)} in body must be of type ${wanted}: ${JSON.stringify(value)}` });
}

/** Close enough to a whole number for the original. */
function isWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > 2 ** 53 - 1) return false;
  const whole = Math.trunc(value);
  if (value === whole) return true;
  return whole !== 0 && Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < 1e-9;
}

/** The first of length and pattern that does not fit. */
export function checkLengths({ rules: { maxLength, minLength, pattern } }: Demands, value: string, place: Place): void {
  const { at, found } = place;
  const name = named(at);
  if (maxLength !== undefined && countCharacters(value) > maxLength) {
    found.add({ what: 'tooLong', at, value, limit: Number(maxLength), text: `${name} in body should be at most ${maxLength} chars long` });
  } else if (minLength !== undefined && countCharacters(value) < minLength) {
    found.add({ what: 'value', at, value, text: `${name} in body should be at least ${minLength} chars long` });
  } else if (pattern !== undefined && pattern !== '') {
    checkPattern(pattern, value, place);
  }
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function checkPattern(pattern: string, value: string, { at, found }: Place): void {
  const compiled = schemaPattern(pattern);
  const wrong = (why: string) => found.add({ what: 'value', at, value, text: `${named(at)} in body should match '${pattern}${why}'` });
  if (compiled instanceof Error) return wrong(`, but pattern is invalid: ${compiled.message}`);
  const occurring = occurs(compiled, value);
  if (occurring === undefined) wrong(', but is too long for that to be found out');
  else if (!occurring) wrong('');
}

export function checkText({ format }: Demands, value: string, place: Place): void {
  if (stringFormat(format)?.(value) === false) wrongType(format, value, place);
}

export function checkNumber({ rules, types, format }: Demands, value: number | bigint, { at, found }: Place): void {
  const type = types.length === 1 ? (types[0] ?? '') : '';
  const context: NumberContext = { type, format, whole: typeof value === 'bigint' || Number.isSafeInteger(value), value, at, found };
  inRange(context, value, 'Checked');
  if (rules.multipleOf !== undefined) checkMultiple(context, Number(rules.multipleOf));
  if (rules.minimum !== undefined) checkBound(context, Number(rules.minimum), rules.exclusiveMinimum === true, 'Minimum boundary');
  if (rules.maximum !== undefined) checkBound(context, Number(rules.maximum), rules.exclusiveMaximum === true, 'Maximum boundary');
  found.matches++;
}

interface NumberContext extends Place {
  readonly type: string;
  readonly format: string;
  readonly whole: boolean;
  readonly value: number | bigint;
}

/** Can the number be held by the type? Also asked of the bounds themselves. */
function inRange({ type, format, at, found }: NumberContext, number: number | bigint, what: string): boolean {
  const fits = type === 'integer' ? isInteger(number, format) : format !== 'float' || Math.abs(Number(number)) <= 3.4028235677973366e38;
  if (!fits) {
    const kind = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
    found.add({ what: 'general', at: '', value: undefined, text: `${what} value must be of type ${kind} in ${named(at)}` });
  }
  return fits;
}

function isInteger(number: number | bigint, format: string): boolean {
  if (typeof number === 'number' && !Number.isInteger(number)) return false;
  const bits = format === 'int32' ? 32 : 64;
  return BigInt.asIntN(bits, BigInt(number)) === BigInt(number);
}

function checkMultiple(context: NumberContext, factor: number): void {
  const { value, at, found } = context;
  const asInteger = inRange(context, factor, 'MultipleOf') && context.whole;
  const used = asInteger ? Math.trunc(factor) : factor;
  if (used <= 0) {
    found.add({ what: 'value', at, value: used, text: `factor MultipleOf declared for ${named(at)} must be positive: ${asInteger ? used : goFloat(used)}` });
  } else if (asInteger ? BigInt(value) % BigInt(used) !== 0n : !isWhole(used < 1 ? (1 / used) * Number(value) : Number(value) / used)) {
    found.add({ what: 'value', at, value, text: `${named(at)} in body should be a multiple of ${asInteger ? used : goFloat(used)}` });
  }
}

function checkBound(context: NumberContext, bound: number, exclusive: boolean, what: 'Minimum boundary' | 'Maximum boundary'): void {
  const { value, at, found } = context;
  const asInteger = inRange(context, bound, what) && context.whole;
  const used = asInteger ? Math.trunc(bound) : bound;
  const beyond = what === 'Minimum boundary' ? value < used : value > used;
  if (!beyond && !(exclusive && value == used)) return;
  const relation = `${what === 'Minimum boundary' ? 'greater' : 'less'} than ${exclusive ? '' : 'or equal to '}`;
  found.add({ what: 'value', at, value, text: `${named(at)} in body should be ${relation}${asInteger ? used : goFloat(used)}` });
}

export function checkSize({ rules }: Demands, what: 'items' | 'properties', size: number, { at, found }: Place): void {
  const [minimum, maximum] = what === 'items' ? [rules.minItems, rules.maxItems] : [rules.minProperties, rules.maxProperties];
  if (minimum !== undefined && size < minimum) {
    found.add({ what: 'value', at, value: size, text: `${named(at)} in body should have at least ${minimum} ${what}` });
  }
  if (maximum !== undefined && size > maximum) {
    found.add({ what: 'tooMany', at, value: size, limit: Number(maximum), text: `${named(at)} in body should have at most ${maximum} ${what}` });
  }
}

/** Null is in no enum, even one that lists it. */
export function checkEnum({ rules: { enum: values } }: Demands, value: unknown, { at, found }: Place): void {
  if (values === undefined || values.length === 0 || (value !== null && values.some((allowed) => isSame(allowed, value)))) return;
  const allowed = values.map((each) => (typeof each === 'string' ? each : jsonText(each)));
  found.add({ what: 'enum', at, value: sorted(value), allowed, text: `${named(at)} in body should be one of [${allowed.join(' ')}]` });
}

/** A fraction is cut off before it is compared with a whole number. */
function isSame(allowed: unknown, value: unknown): boolean {
  const cut = typeof value === 'number' && typeof allowed === 'number' && Number.isInteger(allowed);
  return equal(allowed, cut ? Math.trunc(value) : value);
}

/** Paths in texts have no dot in front. */
function named(at: string): string {
  return at.replace(/^\./, '');
}
