// JSON values as CEL values, by their schema: nothing is converted before an expression looks at it.
import { celEquals } from '#cel/standard/equality.ts';
import { timeIn } from '#cel/standard/time.ts';
import { jsonValue, LazyList, MapValue } from '#cel/json-value.ts';
import { ArrayList, CelError, type CelList, type CelMap, type CelValue, Duration } from '#cel/value.ts';
import type { AnySchema, ListSchema, StructSchema } from '#schema/build.ts';
import { objectMembers } from '#schema/cel/declared-type.ts';
import { celName } from '#schema/cel/property-names.ts';
import { equal } from '#schema/equal.ts';
import { durationOf } from '#schema/structural/string-formats.ts';

/** `isRoot`: the whole object, of whose metadata rules see the names. */
export function schemaValue(schema: AnySchema, json: unknown, isRoot = false): CelValue {
  if (json === null || json === undefined) {
    if (schema.rules?.nullable === true) return null;
    throw new CelError('invalid data, got null for schema with nullable=false');
  }
  switch (schema.is) {
    case 'struct':
      return isRecord(json) ? new ObjectValue(schema, json, isRoot || schema.options.embeddedResource === true) : fail(wantsMap);
    case 'map':
      return isRecord(json) ? new SchemaMap(json, (value) => schemaValue(schema.value, value)) : fail(wantsMap);
    case 'list':
      return Array.isArray(json) ? listValue(schema, json) : fail('invalid data, expected an array for the provided schema with type=array');
    default:
      return scalarValue(schema, json);
  }
}

function scalarValue(schema: AnySchema, json: unknown): CelValue {
  switch (schema.is) {
    case 'string':
      return typeof json === 'string' ? textValue(schema.rules?.format, json) : mismatch('string', json);
    case 'int32':
    case 'int64':
      return isWhole(json) ? BigInt(json) : mismatch('int', json);
    case 'double':
      return typeof json === 'number' || typeof json === 'bigint' ? Number(json) : mismatch('float', json);
    case 'boolean':
      return typeof json === 'boolean' ? json : mismatch('bool', json);
    case 'intOrString':
      if (typeof json === 'string') return json;
      return isWhole(json) ? BigInt(json) : fail('invalid data, expected XIntOrString value to be either a string or integer');
    default:
      return jsonValue(json);
  }
}

const wantsMap = 'invalid data, expected a map for the provided schema with type=object';

function isWhole(json: unknown): json is number | bigint {
  return typeof json === 'bigint' || Number.isInteger(json);
}

function fail(message: string): never {
  throw new CelError(message);
}

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function mismatch(expected: string, json: unknown): never {
  return fail(`invalid data, expected ${expected}, got ${goTypeOf(json)}`);
}

/** Go's type of a decoded JSON value. */
function goTypeOf(json: unknown): string {
  switch (typeof json) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'object':
      return Array.isArray(json) ? '[]interface {}' : 'map[string]interface {}';
    default:
      return isWhole(json) ? 'int64' : 'float64';
  }
}

function textValue(format: string | undefined, text: string): CelValue {
  switch (format) {
    case 'byte':
      return Buffer.from(text, 'base64');
    case 'duration':
      return durationValue(text);
    case 'date':
      return timeIn(`${text}T00:00:00Z`) ?? fail(`Invalid date formatted string ${text}`);
    case 'date-time':
      // A time without zone is one of UTC; a text without anything is the beginning of 1970.
      return timeIn(text) ?? timeIn(`${text || '1970-01-01T00:00:00'}Z`) ?? fail(`Invalid date-time formatted string ${text}`);
    default:
      return text;
  }
}

function durationValue(text: string): CelValue {
  const nanoseconds = durationOf(text);
  return nanoseconds === undefined ? fail(`Invalid duration ${text}: unable to parse ${text} as duration`) : new Duration(nanoseconds);
}

interface Property {
  readonly name: string;
  readonly schema: AnySchema;
}

const propertiesOf = new WeakMap<StructSchema, { readonly whole: ReadonlyMap<string, Property>; readonly part: ReadonlyMap<string, Property> }>();

/** The properties that expressions can name, by the name they have there. */
function propertyTable(schema: StructSchema, isWhole: boolean): ReadonlyMap<string, Property> {
  let tables = propertiesOf.get(schema);
  if (tables === undefined) {
    const declared = Object.entries(schema.fields).map(([name, field]) => [name, field.schema] as const);
    tables = { whole: tableOf([...declared, ...objectMembers]), part: tableOf(declared) };
    propertiesOf.set(schema, tables);
  }
  return isWhole ? tables.whole : tables.part;
}

function tableOf(properties: readonly (readonly [name: string, schema: AnySchema])[]): ReadonlyMap<string, Property> {
  return new Map(
    properties.flatMap(([name, schema]) => {
      const escaped = celName(name);
      return escaped === undefined ? [] : [[escaped, { name, schema }] as const];
    }),
  );
}

/** Only texts name members; anything else is a mistake. */
function keyName(key: CelValue): string {
  return typeof key === 'string' ? key : fail('no such overload');
}

class SchemaMap extends MapValue {
  readonly isOfObject = true;

  override has(key: CelValue): boolean {
    return super.has(keyName(key));
  }
}

class SchemaList extends LazyList {
  readonly isOfObject = true;
}

/** An object with declared properties. A property that is null counts as absent; what is not declared cannot be named, but counts. */
class ObjectValue implements CelMap {
  readonly kind = 'map';
  readonly isOfObject = true;
  readonly #properties: ReadonlyMap<string, Property>;
  readonly #object: Readonly<Record<string, unknown>>;

  constructor(schema: StructSchema, object: Readonly<Record<string, unknown>>, isWhole: boolean) {
    this.#properties = propertyTable(schema, isWhole);
    this.#object = object;
  }

  size(): number {
    return Object.keys(this.#object).length;
  }

  get(key: CelValue): CelValue | undefined {
    const property = this.#properties.get(keyName(key));
    const value = property === undefined ? undefined : this.#valueOf(property.name);
    return property === undefined || value === undefined ? undefined : schemaValue(property.schema, value);
  }

  has(key: CelValue): boolean {
    const property = this.#properties.get(keyName(key));
    return property !== undefined && this.#valueOf(property.name) !== undefined;
  }

  *keys(): Iterable<CelValue> {
    for (const [key, { name }] of this.#properties) if (this.#valueOf(name) !== undefined) yield key;
  }

  /** Undeclared members are compared as JSON, and only where both have them, as upstream does. */
  equals(other: CelMap): boolean {
    if (this.size() !== other.size()) return false;
    for (const key of this.keys()) {
      const [mine, theirs] = [this.get(key), other.get(key)];
      if (mine === undefined || theirs === undefined || !celEquals(mine, theirs)) return false;
    }
    return !(other instanceof ObjectValue) || this.#undeclaredEqual(other);
  }

  #undeclaredEqual(other: ObjectValue): boolean {
    const declared = new Set([...this.#properties.values()].map(({ name }) => name));
    const shared = Object.keys(this.#object).filter((name) => !declared.has(name) && Object.hasOwn(other.#object, name));
    return shared.every((name) => equal(this.#object[name], other.#object[name]));
  }

  #valueOf(name: string): unknown {
    return Object.hasOwn(this.#object, name) ? (this.#object[name] ?? undefined) : undefined;
  }
}

function listValue(schema: ListSchema, items: readonly unknown[]): CelList {
  const convert = (json: unknown) => schemaValue(schema.item, json);
  const plain = new SchemaList(items, convert);
  if (schema.merge === 'set') return new KeyedList(plain, (item) => item);
  if (typeof schema.merge === 'object') return new KeyedList(plain, keyReader(schema.merge.keys));
  return plain;
}

type KeyOf = (item: CelValue) => CelValue;

function keyReader(keys: readonly string[]): KeyOf {
  const names = keys.map((key) => celName(key) ?? key);
  return (item) => new ArrayList(names.map((name) => (item as CelMap).get(name) ?? null));
}

/** Lists of type `set` and `map`: their order counts for nothing, and `+` merges by key. */
class KeyedList implements CelList {
  readonly kind = 'list';
  readonly isOfObject = true;
  readonly #items: CelList;
  readonly #keyOf: KeyOf;

  constructor(items: CelList, keyOf: KeyOf) {
    this.#items = items;
    this.#keyOf = keyOf;
  }

  size(): number {
    return this.#items.size();
  }

  get(index: number): CelValue {
    return this.#items.get(index);
  }

  [Symbol.iterator](): Iterator<CelValue> {
    return this.#items[Symbol.iterator]();
  }

  equals(other: CelList): boolean {
    if (other.size() !== this.size()) return false;
    const theirs = new KeyIndex(other, this.#keyOf);
    for (const item of this) {
      const match = theirs.find(this.#keyOf(item));
      if (match === undefined || !celEquals(item, match.value)) return false;
    }
    return true;
  }

  /** Ours keep their places; of the other list equal keys replace, new ones follow. */
  concat(other: CelList): CelValue {
    const merged = [...this];
    const index = new KeyIndex(this, this.#keyOf);
    for (const item of other) {
      const present = index.find(this.#keyOf(item));
      if (present === undefined) index.add(this.#keyOf(item), merged.push(item) - 1, item);
      else merged[present.at] = item;
    }
    return new KeyedList(new ArrayList(merged), this.#keyOf);
  }
}

interface Entry {
  readonly key: CelValue;
  readonly at: number;
  readonly value: CelValue;
}

/** Items by key, found by text first: two lists are compared in linear time. */
class KeyIndex {
  readonly #byText = new Map<string, Entry[]>();

  constructor(items: CelList, keyOf: KeyOf) {
    let at = 0;
    for (const item of items) this.add(keyOf(item), at++, item);
  }

  add(key: CelValue, at: number, value: CelValue): void {
    const text = keyText(key);
    const entries = this.#byText.get(text);
    if (entries === undefined) this.#byText.set(text, [{ key, at, value }]);
    else entries.push({ key, at, value });
  }

  find(key: CelValue): Entry | undefined {
    return this.#byText.get(keyText(key))?.find((entry) => celEquals(entry.key, key));
  }
}

/** The same for equal keys; different ones may share it, which costs time only. */
function keyText(key: CelValue): string {
  if (key instanceof ArrayList) return key.elements.map(keyText).join('\u0000');
  return typeof key === 'object' ? '' : String(key);
}
