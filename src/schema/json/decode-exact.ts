// Decoding the way Go's decoder walks: in the order of the text, merging repeated keys, remembering the first wrong type and
// every unknown or duplicate field. It runs only when the fast way (decode.ts) met something out of the ordinary.
import { parseQuantity } from '#base/quantity.ts';
import { canonicalBase64 } from '#schema/base64.ts';
import type { AnyField, AnySchema, ListSchema, MapSchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { setMember } from '#schema/clone.ts';
import { parseDuration } from '#base/time/duration.ts';
import { withoutMember } from '#schema/given-empty.ts';
import { goItemType, goStructName, goTypeOf, goTypeOfField } from '#schema/go-type.ts';
import { type JsonNode, JsonSyntaxError, nodeToValue, numberValue, type ObjectNode } from '#schema/json/json-node.ts';
import { type FieldPlan, isCustom, planOf, pointsToTime, zeroOf } from '#schema/struct-plan.ts';
import { canonicalMicroTime, canonicalTime } from '#schema/time.ts';

/** The text is what the original's decoder says; callers put the words for the whole request around it. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

export interface ExactResult {
  readonly value: unknown;
  /** `unknown field "spec.a"`, `duplicate field "spec.b"`, in the order of the text. */
  readonly problems: readonly string[];
}

/** Was the value read from a text, or never written as one? Go finds unknown fields of either in another way. */
export type ValueOrigin = 'text' | 'unstructured';

/** The value has no nulls and no unknown fields; it is not canonical yet. */
export function decodeExact(schema: StructSchema, node: JsonNode, origin: ValueOrigin = 'text'): ExactResult {
  const walk = new ExactDecoder(true, origin);
  const value = walk.decode(schema, goTypeOf(schema), node, undefined);
  walk.finish();
  return { value, problems: origin === 'text' ? [...walk.problems] : [...walk.problems].sort() };
}

const problemLimit = 100;

/** A chain: a list for every field of a deep object would take memory that grows with the square of its depth. */
interface FieldNames {
  readonly outer: FieldNames | undefined;
  readonly names: readonly string[];
}

function joined(innermost: FieldNames): string {
  const parts: string[] = [];
  for (let part: FieldNames | undefined = innermost; part !== undefined; part = part.outer) parts.push(part.names.join('.'));
  return parts.reverse().join('.');
}

class ExactDecoder {
  readonly problems = new Set<string>();
  readonly #strict: boolean;
  readonly #origin: ValueOrigin;
  /** Go's error context: the struct whose field is being read, and the names of all fields down to it. */
  #struct = '';
  #fields: FieldNames | undefined;
  #path = '';
  #firstError: string | undefined;
  /** The struct that errors name in a decoder inside the decoder. */
  #outer: string | undefined;

  constructor(strict: boolean, origin: ValueOrigin = 'text') {
    this.#strict = strict;
    this.#origin = origin;
  }

  finish(): void {
    if (this.#firstError !== undefined) throw new DecodeError(this.#firstError);
  }

  decode(schema: AnySchema, goType: string, node: JsonNode, existing: unknown): unknown {
    if (node.is === 'null') return this.#null(schema, existing);
    switch (schema.is) {
      case 'struct':
        return isCustom(schema) ? this.#custom(schema, node) : this.#structure(schema, goType, node, existing);
      case 'list':
        return this.#list(schema, goType, node, existing);
      case 'map':
        return this.#map(schema, goType, node, existing);
      default:
        return this.#scalar(schema, goType, node, existing);
    }
  }

  /** Null leaves values as they are, and clears what can be nil. */
  #null(schema: AnySchema, existing: unknown): unknown {
    if (schema.is === 'schemaOrBool') throw new DecodeError('boolean or JSON schema expected');
    const zero = zeroOf(schema);
    const kept = schema.is === 'struct' || schema.is === 'rawExtension' || schema.is === 'string' || schema.is === 'boolean' || typeof zero === 'number';
    return kept ? (existing ?? zero) : zero;
  }

  #structure(schema: StructSchema, goType: string, node: JsonNode, existing: unknown): unknown {
    if (node.is !== 'object') {
      this.#wrongType(node, goType);
      return existing ?? zeroOf(schema);
    }
    const result = (existing ?? {}) as Record<string, unknown>;
    const { fields } = planOf(schema);
    const seen = new Set<string>();
    for (const [index, key] of node.keys.entries()) {
      const plan = fields.get(key);
      if (plan === undefined) this.#unknown(schema, result, key, node.values[index] as JsonNode);
      else this.#member(schema, plan, seen, result, node.values[index] as JsonNode);
    }
    return result;
  }

  #unknown(schema: StructSchema, result: Record<string, unknown>, key: string, value: JsonNode): void {
    if (schema.options.preserveUnknown === true) setMember(result, key, nodeToValue(value));
    else this.#problem('unknown', key);
  }

  #member(schema: StructSchema, plan: FieldPlan, seen: Set<string>, result: Record<string, unknown>, node: JsonNode): void {
    const { name, field } = plan;
    if (seen.has(name)) this.#problem('duplicate', name);
    seen.add(name);
    const [struct, fields, path] = [this.#struct, this.#fields, this.#path];
    this.#struct = goStructName(schema.name);
    this.#fields = { outer: fields, names: [...embeddedNames(schema, plan), name] };
    this.#path = this.#at(name);
    const value = isNil(field, node) ? undefined : this.decode(field.schema, goTypeOfField(field), node, result[name]);
    // The zero time: what makes the result canonical takes it for given.
    if (value === undefined && node.is === 'string' && pointsToTime(plan)) result[name] = node.text;
    else if (value === undefined) delete result[name];
    else result[name] = value;
    [this.#struct, this.#fields, this.#path] = [struct, fields, path];
  }

  #list(schema: ListSchema, goType: string, node: JsonNode, existing: unknown): unknown {
    if (node.is !== 'array') {
      this.#wrongType(node, goType);
      return existing;
    }
    const earlier = (existing ?? []) as unknown[];
    const path = this.#path;
    const itemType = goItemType(goType, schema.item);
    const items = node.items.map((item, index) => {
      this.#path = `${path}[${index}]`;
      const value = schema.itemsNullable === true && item.is === 'null' ? null : this.decode(schema.item, itemType, item, earlier[index]);
      return value === undefined ? null : value;
    });
    this.#path = path;
    return items;
  }

  #map(schema: MapSchema, goType: string, node: JsonNode, existing: unknown): unknown {
    if (node.is !== 'object') {
      this.#wrongType(node, goType);
      return existing;
    }
    const result = (existing ?? {}) as Record<string, unknown>;
    const path = this.#path;
    const itemType = goItemType(goType, schema.value);
    const seen = new Set<string>();
    for (const [index, key] of node.keys.entries()) {
      this.#path = path;
      if (seen.has(key)) this.#problem('duplicate', key);
      seen.add(key);
      // The converter of unstructured values forgets the keys of maps on its way.
      if (this.#origin === 'text') this.#path = this.#at(key);
      const value = this.decode(schema.value, itemType, node.values[index] as JsonNode, undefined);
      setMember(result, key, value === undefined ? emptyMember(schema.value) : value);
    }
    this.#path = path;
    return result;
  }

  #scalar(schema: ScalarSchema, goType: string, node: JsonNode, existing: unknown): unknown {
    switch (schema.is) {
      case 'string':
        if (node.is === 'string') return node.text;
        this.#wrongType(node, goType);
        return existing ?? '';
      case 'boolean':
        if (node.is === 'boolean') return node.value;
        this.#wrongType(node, goType);
        return existing ?? false;
      case 'int32':
        return this.#integer(node, goType, 32) ?? existing ?? 0;
      case 'int64':
        return this.#integer(node, goType, 64) ?? existing ?? 0;
      case 'double':
        return this.#double(node, goType) ?? existing ?? 0;
      case 'bytes':
        return this.#bytes(node, goType, existing);
      case 'quantity':
        return quantityText(node);
      case 'intOrString':
        return node.is === 'string' ? node.text : this.#strictly(() => this.#integer(node, 'int32', 32));
      case 'time':
        return canonicalTime(this.#text(node));
      case 'microTime':
        return canonicalMicroTime(this.#text(node));
      case 'duration':
        return this.#durationText(node);
      case 'schemaOrArray':
      case 'schemaOrBool':
      case 'schemaOrStringArray':
        return this.#union(schema, node);
      default:
        return nodeToValue(node);
    }
  }

  #integer(node: JsonNode, goType: string, bits: 32 | 64): number | bigint | undefined {
    if (node.is !== 'number') return void this.#wrongType(node, goType);
    const integer = /^-?\d{1,30}$/.test(node.text) ? BigInt(node.text) : undefined;
    if (integer === undefined || BigInt.asIntN(bits, integer) !== integer) return void this.#wrongNumber(node.text, goType);
    return numberValue(node.text);
  }

  #double(node: JsonNode, goType: string): number | undefined {
    if (node.is !== 'number') return void this.#wrongType(node, goType);
    const value = Number(node.text);
    return Number.isFinite(value) ? value : void this.#wrongNumber(node.text, goType);
  }

  #bytes(node: JsonNode, goType: string, existing: unknown): unknown {
    if (node.is === 'array') return Buffer.from(node.items.map((item) => this.#byte(item))).toString('base64');
    if (node.is !== 'string') {
      this.#wrongType(node, goType);
      return existing;
    }
    try {
      return canonicalBase64(node.text);
    } catch (error) {
      this.#save((error as Error).message);
      return existing;
    }
  }

  #byte(node: JsonNode): number {
    if (node.is === 'null') return 0;
    if (node.is === 'number' && /^\d{1,3}$/.test(node.text) && Number(node.text) < 256) return Number(node.text);
    if (node.is === 'number') this.#wrongNumber(node.text, 'uint8');
    else this.#wrongType(node, 'uint8');
    return 0;
  }

  /** Types that read themselves end the decoding when they fail; whatever was found before does not count. */
  #text(node: JsonNode): string {
    if (node.is === 'string') return node.text;
    this.#strictly(() => this.#wrongType(node, 'string'));
    return '';
  }

  #durationText(node: JsonNode): string {
    const text = this.#text(node);
    parseDuration(text);
    return text;
  }

  #strictly<T>(read: () => T): T {
    const earlier = this.#firstError;
    this.#firstError = undefined;
    const value = read();
    this.finish();
    this.#firstError = earlier;
    return value;
  }

  #union(schema: ScalarSchema, node: JsonNode): unknown {
    const struct = schema.of?.() as StructSchema;
    if (node.is === 'object') return this.#apart(struct, goTypeOf(struct), node);
    if (schema.is === 'schemaOrBool') {
      if (node.is === 'boolean') return node.value;
      throw new DecodeError('boolean or JSON schema expected');
    }
    const item: AnySchema = schema.is === 'schemaOrArray' ? struct : { is: 'string' };
    if (node.is === 'array') return this.#apart({ is: 'list', item }, `[]${goTypeOf(item)}`, node);
    return schema.is === 'schemaOrArray' ? withoutMember() : undefined;
  }

  /** A decoder inside the decoder: not strict, and its errors are told under the outer field. */
  #apart(schema: AnySchema, goType: string, node: JsonNode): unknown {
    const inner = new ExactDecoder(false);
    inner.#struct = this.#struct;
    inner.#fields = this.#fields;
    inner.#outer = this.#outer ?? this.#struct;
    const value = inner.decode(schema, goType, node, undefined);
    inner.finish();
    return value;
  }
  /** A custom resource is read as it is; only parts with types of their own (metadata) are looked into. */
  #custom(schema: StructSchema, node: JsonNode): unknown {
    if (node.is !== 'object') return nodeToValue(node);
    const result: Record<string, unknown> = {};
    const { fields } = planOf(schema);
    const seen = new Set<string>();
    const path = this.#path;
    for (const [index, key] of node.keys.entries()) {
      this.#path = path;
      if (seen.has(key)) this.#problem('duplicate', key);
      seen.add(key);
      this.#path = this.#at(key);
      const typed = fields.get(key)?.schema;
      const value = node.values[index] as JsonNode;
      setMember(
        result,
        key,
        typed?.is === 'struct' && !isCustom(typed) && value.is !== 'null' ? this.decode(typed, goTypeOf(typed), value, undefined) : this.#untyped(value),
      );
    }
    this.#path = path;
    return result;
  }

  #untyped(node: JsonNode): unknown {
    this.#duplicatesIn(node);
    return nodeToValue(node);
  }

  #duplicatesIn(node: JsonNode): void {
    const path = this.#path;
    if (node.is === 'array') {
      for (const [index, item] of node.items.entries()) {
        this.#path = `${path}[${index}]`;
        this.#duplicatesIn(item);
      }
    } else if (node.is === 'object') {
      this.#duplicateKeys(node, path);
    }
    this.#path = path;
  }

  #duplicateKeys(node: ObjectNode, path: string): void {
    const seen = new Set<string>();
    for (const [index, key] of node.keys.entries()) {
      this.#path = path;
      if (seen.has(key)) this.#problem('duplicate', key);
      seen.add(key);
      this.#path = this.#at(key);
      this.#duplicatesIn(node.values[index] as JsonNode);
    }
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  #problem(what: 'unknown' | 'duplicate', name: string): void {
    if (this.#strict && this.problems.size < problemLimit) this.problems.add(`${what} field ${JSON.stringify(this.#at(name))}`);
  }

  #wrongType(node: JsonNode, goType: string): void {
    this.#save(this.#typeError(node.is === 'boolean' ? 'bool' : node.is, goType));
  }

  #wrongNumber(text: string, goType: string): void {
    this.#save(this.#typeError(`number ${text}`, goType));
  }

  #typeError(what: string, goType: string): string {
    const where = this.#fields === undefined ? 'value' : `struct field ${this.#outer ?? this.#struct}.${joined(this.#fields)}`;
    return `json: cannot unmarshal ${what} into Go ${where} of type ${goType}`;
  }

  #save(message: string): void {
    this.#firstError ??= message;
  }
}

/** What a map holds under a key whose value was null. */
function emptyMember(schema: AnySchema): unknown {
  return schema.is === 'bytes' ? '' : (zeroOf(schema) ?? null);
}

/** Null for a pointer, list or map means nothing is there. */
function isNil(field: AnyField, node: JsonNode): boolean {
  return node.is === 'null' && field.presence === 'pointer';
}

/** Go names the structs through which an embedded field comes. */
function embeddedNames(schema: StructSchema, { name, field }: FieldPlan): string[] {
  if (field.via !== undefined) return viaNames(name, field);
  return schema.options.root === true && (name === 'kind' || name === 'apiVersion') && !Object.hasOwn(schema.fields, name) ? ['TypeMeta'] : [];
}

function viaNames(name: string, { via }: AnyField): string[] {
  if (via === undefined) return [];
  const inner = via.struct.fields[name];
  return [goStructName(via.struct.name), ...(inner === undefined ? [] : viaNames(name, inner))];
}

/** A quantity reads the raw JSON: numbers count, escapes inside strings do not. */
function quantityText(node: JsonNode): string {
  const raw = node.is === 'string' ? node.raw : node.is === 'number' ? node.text : '?';
  const text = raw.trim();
  parseQuantity(text);
  return text;
}

/** Errors of the scalars are decoding errors as they are. */
export function asDecodeError(error: unknown): unknown {
  if (error instanceof DecodeError) return error;
  if (error instanceof RangeError) return new DecodeError('exceeded max depth');
  const names = ['QuantityError', 'TimeError', 'DurationError', 'Base64Error'];
  const expected = error instanceof JsonSyntaxError || (error instanceof Error && names.includes(error.name));
  return expected ? new DecodeError((error as Error).message) : error;
}
