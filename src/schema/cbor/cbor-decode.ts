// CBOR into the values of a table, as the original's decoder fills its Go structs: in the order of the bytes, going on behind what does not
// fit and telling the first of it. Unlike JSON there are no duplicate fields, only refused documents.
import type { AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { canonicalBase64 } from '#schema/base64.ts';
import { goQuote } from '#base/go-text.ts';
import { parseQuantity } from '#base/quantity.ts';
import { setMember } from '#schema/clone.ts';
import { parseDuration } from '#base/time/duration.ts';
import { withoutMember } from '#schema/given-empty.ts';
import { goItemType, goTypeOf, goTypeOfField } from '#schema/go-type.ts';
import { maximumKeptDepth } from '#schema/json/json-node.ts';
import { type FieldPlan, planOf, zeroOf } from '#schema/struct-plan.ts';
import { canonicalMicroTime, canonicalTime } from '#schema/time.ts';
import { ItemReader } from '#schema/cbor/cbor-any.ts';
import { asError, type Failure, inField, plainFailure, typeFailure } from '#schema/cbor/cbor-failure.ts';
import { CborReader, majorNames } from '#schema/cbor/cbor-reader.ts';
import { major } from '#schema/cbor/item-end.ts';

export interface CborValue {
  /** Without unknown fields; not in canonical form yet. */
  readonly value: unknown;
  /** What strict field validation objects to. */
  readonly problems: readonly string[];
}

/** `bytes` are well-formed. Throws a CborError. */
export function decodeTyped(schema: StructSchema, bytes: Buffer): CborValue {
  const decoder = new TypedDecoder(new ItemReader(new CborReader(bytes)));
  const value = decoder.decode(schema, goTypeOf(schema), 0);
  decoder.finish();
  return { value, problems: decoder.unknownAt === undefined ? [] : [unknownField(decoder.unknownAt)] };
}

/** `bytes` are well-formed. Throws a CborError. */
export function decodeUntyped(bytes: Buffer): Record<string, unknown> {
  const reader = new ItemReader(new CborReader(bytes));
  const value = reader.tagged(() => (reader.wire.next === major.map ? reader.object(0) : reader.wrongType('map[string]interface {}')));
  if (reader.failure !== undefined) throw asError(reader.failure);
  return value ?? {};
}

function unknownField(index: number): string {
  return `cbor: found unknown field at map element index ${index}`;
}

class TypedDecoder {
  readonly #items: ItemReader;
  /** The place of the first field that nobody knows in the map that holds it, of the value just read. */
  unknownAt: number | undefined;

  constructor(items: ItemReader) {
    this.#items = items;
  }

  finish(): void {
    const { failure } = this.#items;
    if (failure !== undefined) throw asError(failure);
  }

  decode(schema: AnySchema, goType: string, depth: number): unknown {
    if (depth > maximumKeptDepth) return this.#items.any(depth);
    switch (schema.is) {
      case 'struct':
        return this.#items.tagged(() => this.#struct(schema, goType, depth)) ?? zeroOf(schema);
      case 'list':
        return this.#items.tagged(() => this.#list(schema, goType, depth));
      case 'map':
        return this.#items.tagged(() => this.#map(schema, goType, depth));
      default:
        return this.#scalar(schema, goType, depth);
    }
  }

  #struct(schema: StructSchema, goType: string, depth: number): unknown {
    const { wire } = this.#items;
    if (wire.next === major.array) return this.#items.wrongType(goType, 'cannot decode CBOR array to struct without toarray option');
    if (wire.next !== major.map) return this.#items.wrongType(goType);
    return new StructReading(schema, goType, this.#items, (plan) => this.#member(plan, depth + 1)).read(this);
  }

  /** A pointer to nothing, or what the field holds. */
  #member({ field }: FieldPlan, depth: number): unknown {
    const { wire } = this.#items;
    if (field.presence === 'pointer' && wire.nextIsNull) return void wire.skip();
    return this.decode(field.schema, goTypeOfField(field), depth);
  }

  #list(schema: ListSchema, goType: string, depth: number): unknown {
    const { wire } = this.#items;
    if (wire.next !== major.array) return this.#items.wrongType(goType);
    wire.head();
    const { count } = wire;
    const itemType = goItemType(goType, schema.item);
    const items: unknown[] = [];
    let first: Failure | undefined;
    let unknownAt: number | undefined;
    for (let i = 0; wire.continues(count, i); i++) {
      const value = schema.itemsNullable === true && wire.nextIsNull ? wire.skip() : this.decode(schema.item, itemType, depth + 1);
      items.push(value === undefined ? (zeroOf(schema.item) ?? null) : value);
      first ??= this.#items.takeFailure();
      unknownAt ??= this.unknownAt;
      this.unknownAt = undefined;
    }
    this.unknownAt = unknownAt;
    this.#items.failure = first;
    return items;
  }

  #map(schema: MapSchema, goType: string, depth: number): unknown {
    const { wire } = this.#items;
    if (wire.next !== major.map) return this.#items.wrongType(goType);
    const itemType = goItemType(goType, schema.value);
    let unknownAt: number | undefined;
    const result = this.#items.members((into, key) => {
      const value = this.decode(schema.value, itemType, depth + 1);
      setMember(into, key, value === undefined ? emptyMember(schema.value) : value);
      unknownAt ??= this.unknownAt;
      this.unknownAt = undefined;
    });
    this.unknownAt = unknownAt;
    return result;
  }

  #scalar(schema: ScalarSchema, goType: string, depth: number): unknown {
    switch (schema.is) {
      case 'string':
        return this.#items.string(goType);
      case 'boolean':
        return this.#items.tagged(() => this.#boolean(goType));
      case 'int32':
      case 'int64':
        return this.#items.tagged(() => this.#integer(goType, schema.is === 'int32' ? 32 : 64));
      case 'double':
        return this.#items.tagged(() => this.#double(goType));
      case 'bytes':
        return this.#items.tagged(() => this.#bytes(goType));
      case 'quantity':
        return this.#parsed(quantityText);
      case 'time':
        return this.#parsed(canonicalTime);
      case 'microTime':
        return this.#parsed(canonicalMicroTime);
      case 'duration':
        return this.#duration();
      case 'intOrString':
        return this.#intOrString();
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStringArray':
        return this.#union(schema, depth);
      default:
        return this.#items.any(depth) ?? undefined;
    }
  }

  #boolean(goType: string): boolean | undefined {
    const { wire } = this.#items;
    if (wire.nextByte !== 0xf4 && wire.nextByte !== 0xf5) return this.#items.wrongType(goType);
    wire.head();
    return wire.info === 21;
  }

  #integer(goType: string, bits: 32 | 64): number | bigint | undefined {
    const { wire } = this.#items;
    if (wire.next > major.negative) return this.#items.wrongType(goType);
    const kind = wire.head();
    const exact = kind === major.positive ? wire.argument : -1n - wire.argument;
    if (BigInt.asIntN(bits, exact) !== exact) {
      const reached = BigInt.asIntN(64, exact) === exact || exact > 0 ? goType : "Go's int64";
      return this.#items.fail(typeFailure(majorNames[kind] as string, goType, overflow(exact, reached)));
    }
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
  }

  #double(goType: string): number | undefined {
    const { wire } = this.#items;
    if (wire.next <= major.negative) return Number(this.#integer(goType, 64));
    if (wire.nextByte < 0xf9 || wire.nextByte > 0xfb) return this.#items.wrongType(goType);
    wire.head();
    return wire.float();
  }

  /** Without a tag a byte string holds base64, as a JSON string does; with one, the bytes themselves. */
  #bytes(goType: string): string | undefined {
    const { wire, shownAs } = this.#items;
    if (wire.next === major.array) return this.#byteArray(goType);
    if (wire.next !== major.bytes) return this.#items.wrongType(goType);
    const bytes = wire.bytes();
    if (shownAs !== 0) return bytes.toString('base64');
    try {
      return canonicalBase64(bytes.toString('latin1'));
    } catch (error) {
      return this.#items.fail(plainFailure(`cbor: failed to decode base64 from byte string: ${(error as Error).message}`));
    }
  }

  #byteArray(goType: string): string | undefined {
    const items = this.#list({ is: 'list', item: { is: 'int32' } }, goType, 0) as number[];
    const odd = items.find((item) => item < 0 || item > 255);
    if (odd === undefined) return Buffer.from(items).toString('base64');
    return this.#items.fail(typeFailure(odd < 0 ? 'negative integer' : 'positive integer', 'uint8', odd < 0 ? '' : overflow(BigInt(odd), 'uint8')));
  }

  /** Types that read their own text. Null is their zero. */
  #parsed(parse: (text: string) => string | undefined): string | undefined {
    const text = this.#items.string('string');
    if (text === undefined) return undefined;
    try {
      return parse(text);
    } catch (error) {
      return this.#items.fail(plainFailure((error as Error).message));
    }
  }

  /** Read from JSON in the original, whatever the item is. */
  #duration(): string | undefined {
    const value = this.#items.any(0);
    if (this.#items.failure !== undefined || value === null || value === undefined) return undefined;
    if (typeof value !== 'string') return this.#items.fail(plainFailure(`json: cannot unmarshal ${jsonName(value)} into Go value of type string`));
    try {
      parseDuration(value);
      return value;
    } catch (error) {
      return this.#items.fail(plainFailure((error as Error).message));
    }
  }

  /** What can be a text is one, null too. */
  #intOrString(): number | string | undefined {
    const { wire } = this.#items;
    const start = wire.at;
    const text = this.#items.string('string');
    if (this.#items.takeFailure() === undefined) return text ?? '';
    wire.at = start;
    return this.#items.tagged(() => this.#integer('int32', 32)) as number | undefined;
  }

  /** A schema, or what may stand in its place; unknown fields of such a schema are refused even where others are forgiven. */
  #union(schema: ScalarSchema, depth: number): unknown {
    const { wire } = this.#items;
    const struct = schema.of?.() as StructSchema;
    const item: AnySchema = schema.is === 'schemaOrArray' ? struct : { is: 'string' };
    if (wire.next === major.map) return this.#apart(struct, depth);
    if (schema.is === 'schemaOrBool') {
      if (wire.nextByte === 0xf4 || wire.nextByte === 0xf5) return this.#boolean('bool');
      wire.skip();
      return this.#items.fail(plainFailure('boolean or JSON schema expected'));
    }
    if (wire.next === major.array) return this.#apart({ is: 'list', item }, depth);
    wire.skip();
    return withoutMember();
  }

  #apart(schema: AnySchema, depth: number): unknown {
    const value = this.decode(schema, goTypeOf(schema), depth);
    if (this.unknownAt !== undefined) this.#items.failure ??= plainFailure(unknownField(this.unknownAt));
    this.unknownAt = undefined;
    return value;
  }
}

/** One map that becomes a struct. */
class StructReading {
  readonly #items: ItemReader;
  readonly #goType: string;
  readonly #fields: ReadonlyMap<string, FieldPlan>;
  readonly #keepsUnknown: boolean;
  readonly #member: (plan: FieldPlan) => unknown;
  readonly #result: Record<string, unknown> = {};
  readonly #seen = new Set<string | number>();
  #first: Failure | undefined;
  /** A field of this very map that is unknown counts more than one further down. */
  #ownUnknown: number | undefined;
  #innerUnknown: number | undefined;

  constructor(schema: StructSchema, goType: string, items: ItemReader, member: (plan: FieldPlan) => unknown) {
    this.#items = items;
    this.#goType = goType;
    this.#fields = planOf(schema).fields;
    this.#keepsUnknown = schema.options.preserveUnknown === true;
    this.#member = member;
  }

  read(decoder: { unknownAt: number | undefined }): Record<string, unknown> {
    const { wire } = this.#items;
    wire.head();
    const { count } = wire;
    for (let i = 0; wire.continues(count, i); i++) {
      const key = this.#key();
      if (key === undefined) {
        this.#first ??= this.#items.takeFailure();
        wire.skip();
        continue;
      }
      if (this.#seen.has(key)) {
        wire.skip();
        this.#items.skipPairs(count, i + 1);
        this.#first = plainFailure(`cbor: found duplicate map key ${typeof key === 'string' ? goQuote(key) : key} at map element index ${i}`);
        break;
      }
      this.#seen.add(key);
      const plan = typeof key === 'string' ? this.#fields.get(key) : undefined;
      if (plan === undefined) this.#stranger(key, i);
      else this.#known(plan, decoder);
    }
    this.#items.failure = this.#first;
    decoder.unknownAt = this.#ownUnknown ?? this.#innerUnknown;
    return this.#result;
  }

  #key(): string | number | undefined {
    const { wire } = this.#items;
    if (wire.next === major.text) return this.#items.string('string');
    if (wire.next === major.bytes) return wire.byteText();
    const kind = wire.next;
    if (kind <= major.negative) {
      wire.head();
      return kind === major.positive ? wire.value : -1 - wire.value;
    }
    wire.skip();
    const name = majorNames[kind] as string;
    return this.#items.fail(typeFailure(name, 'string', `map key is of type ${name} and cannot be used to match struct field name`));
  }

  #stranger(key: string | number, index: number): void {
    if (this.#keepsUnknown && typeof key === 'string') {
      setMember(this.#result, key, this.#items.any(0));
      this.#first ??= this.#items.takeFailure();
      return;
    }
    this.#ownUnknown ??= index;
    this.#items.wire.skip();
  }

  #known(plan: FieldPlan, decoder: { unknownAt: number | undefined }): void {
    const value = this.#member(plan);
    const failure = this.#items.takeFailure();
    if (failure !== undefined) this.#first ??= inField(failure, this.#goType, plan.name);
    this.#innerUnknown ??= decoder.unknownAt;
    decoder.unknownAt = undefined;
    if (value !== undefined) this.#result[plan.name] = value;
  }
}

/** What stands for null as a value of a map: an empty one of its type. */
function emptyMember(schema: AnySchema): unknown {
  return schema.is === 'bytes' ? '' : (zeroOf(schema) ?? null);
}

function quantityText(text: string): string {
  const trimmed = text.trim();
  parseQuantity(trimmed);
  return trimmed;
}

function overflow(value: bigint, goType: string): string {
  return `${value} overflows ${goType}`;
}

function jsonName(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
}
