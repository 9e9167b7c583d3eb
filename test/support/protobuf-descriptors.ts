// Our tags as descriptors of `protobufjs`, and canonical objects in its form: a second opinion on the wire format.
import protobuf, { type Root, type Type } from 'protobufjs';
import type { AnySchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { parseDuration } from '#base/time/duration.ts';
import { jsonText } from '#schema/protobuf/protobuf-json.ts';

interface FieldDescriptor {
  id: number;
  type: string;
  rule?: string;
  keyType?: string;
}
interface MessageDescriptor {
  fields: Record<string, FieldDescriptor>;
}

const special: Record<string, MessageDescriptor> = {
  Quantity: { fields: { f1: { id: 1, type: 'string' } } },
  IntOrString: { fields: { f1: { id: 1, type: 'int64' }, f2: { id: 2, type: 'int32' }, f3: { id: 3, type: 'string' } } },
  Timestamp: { fields: { f1: { id: 1, type: 'int64' }, f2: { id: 2, type: 'int32' } } },
  Duration: { fields: { f1: { id: 1, type: 'int64' } } },
  Raw: { fields: { f1: { id: 1, type: 'bytes' } } },
  Texts: { fields: { f1: { id: 1, type: 'string', rule: 'repeated' } } },
};

const plainTypes: Partial<Record<ScalarSchema['is'], string>> = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'double',
  bytes: 'bytes',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  time: 'Timestamp',
  microTime: 'Timestamp',
  duration: 'Duration',
  rawExtension: 'Raw',
  fieldsV1: 'Raw',
  json: 'Raw',
};

export class Descriptors {
  readonly #messages: Record<string, MessageDescriptor> = { ...special };
  #root: Root | undefined;

  /** The message type of a struct, with everything it refers to. */
  typeOf(schema: StructSchema): Type {
    const name = this.#declare(schema);
    this.#root ??= protobuf.Root.fromJSON({ nested: proto2(this.#messages) });
    return this.#root.lookupType(name);
  }

  #declare(schema: StructSchema): string {
    const name = schema.name.replace(/[^A-Za-z0-9]/g, '_');
    if (this.#messages[name] !== undefined) return name;
    this.#root = undefined;
    const message: MessageDescriptor = { fields: {} };
    this.#messages[name] = message;
    for (const field of Object.values(schema.fields)) {
      const tag = field.via?.tag ?? field.tag;
      message.fields[`f${tag}`] = { id: tag, ...(field.via === undefined ? this.#describe(field.schema) : { type: this.#declare(field.via.struct) }) };
    }
    return name;
  }

  #describe(schema: AnySchema): Omit<FieldDescriptor, 'id'> {
    if (schema.is === 'list') return schema.wrapped === undefined ? { ...this.#describe(schema.item), rule: 'repeated' } : { type: 'Texts' };
    if (schema.is === 'map') return { ...this.#describe(schema.value), keyType: 'string' };
    if (schema.is === 'struct') return { type: this.#declare(schema) };
    return { type: plainTypes[schema.is] ?? this.#declareUnion(schema) };
  }

  #declareUnion({ is, of }: ScalarSchema): string {
    if (of === undefined || this.#messages[is] !== undefined) return is;
    const [own, other] = is === 'schemaOrBool' ? ['f2', 'f1'] : ['f1', 'f2'];
    const fields: Record<string, FieldDescriptor> = {};
    this.#messages[is] = { fields };
    const type = this.#declare(of());
    fields[own as string] = { id: is === 'schemaOrBool' ? 2 : 1, type };
    if (is === 'schemaOrBool') fields[other as string] = { id: 1, type: 'bool' };
    else fields[other as string] = { id: 2, type: is === 'schemaOrArray' ? type : 'string', rule: 'repeated' };
    return is;
  }
}

/** As Go's generated code is: what is set is written, zero or not. */
function proto2(messages: Record<string, MessageDescriptor>): Record<string, MessageDescriptor & { edition: string }> {
  return Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, { ...message, edition: 'proto2' }]));
}

/** A canonical object as protobufjs wants it; only what is set is there. */
export function toMessage(schema: StructSchema, object: Record<string, unknown>): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.fields)) {
    const tag = field.via?.tag ?? field.tag;
    if (field.via !== undefined) message[`f${tag}`] = toMessage(field.via.struct, object);
    else if (object[name] !== undefined && object[name] !== null) message[`f${tag}`] = toValue(field.schema, object[name]);
  }
  return message;
}

function toValue(schema: AnySchema, value: unknown): unknown {
  switch (schema.is) {
    case 'struct':
      return toMessage(schema, value as Record<string, unknown>);
    case 'list': {
      const items = (value as unknown[]).map((item) => toValue(schema.item, item));
      return schema.wrapped === undefined ? items : { f1: items };
    }
    case 'map':
      return toMap(value as Record<string, unknown>, (entry) => toValue(schema.value, entry));
    default:
      return toScalar(schema, value);
  }
}

function toScalar(schema: ScalarSchema, value: unknown): unknown {
  switch (schema.is) {
    case 'int64':
      return toLong(value as number | bigint);
    case 'bytes':
      return Buffer.from(value as string, 'base64');
    case 'quantity':
      return { f1: value };
    case 'intOrString':
      return typeof value === 'string' ? { f1: 1, f3: value } : { f1: 0, f2: value };
    case 'time':
      return { f1: toLong(Date.parse(value as string) / 1000) };
    case 'microTime':
      return { f1: toLong(Math.floor(Date.parse(value as string) / 1000)), f2: Number((value as string).slice(20, 26)) * 1000 };
    case 'duration':
      return { f1: toLong(parseDuration(value as string)) };
    case 'rawExtension':
    case 'fieldsV1':
    case 'json':
      return { f1: Buffer.from(jsonText(value)) };
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStringArray':
      return toUnion(schema, value);
    default:
      return value;
  }
}

function toUnion({ is, of }: ScalarSchema, value: unknown): unknown {
  const struct = of?.() as StructSchema;
  const own = (item: unknown): unknown => (typeof item === 'string' ? item : toMessage(struct, item as Record<string, unknown>));
  if (typeof value === 'boolean') return { f1: value };
  if (Array.isArray(value)) return { f2: value.map(own) };
  return is === 'schemaOrBool' ? { f1: true, f2: own(value) } : { f1: own(value) };
}

function toMap(entries: Record<string, unknown>, convert: (entry: unknown) => unknown): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(entries)) Object.defineProperty(result, key, { value: convert(entry), enumerable: true });
  return result;
}

function toLong(value: number | bigint): unknown {
  const bits = BigInt.asUintN(64, BigInt(value));
  return { low: Number(bits & 0xffffffffn) | 0, high: Number(bits >> 32n) | 0, unsigned: false };
}
