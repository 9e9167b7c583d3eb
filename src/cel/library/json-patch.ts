// kubernetes.jsonpatch: the function for keys in paths, and the type `JSONPatch{op: …, path: …, from: …, value: …}` that mutating policies build.
import { declare, global } from '#cel/library/declare.ts';
import type { Library } from '#cel/library.ts';
import { celEquals } from '#cel/standard/equality.ts';
import { dynType, objectType, stringType, type Type, type TypeProvider } from '#cel/type.ts';
import { CelError, type CelMap, type CelValue } from '#cel/value.ts';

export const jsonPatchType = objectType('JSONPatch');

export const jsonPatchLibrary: Library = {
  name: 'kubernetes.jsonpatch',
  introduced: 0,
  functions: [declare('jsonpatch.escapeKey', global('string_jsonpatch_escapeKey_string', [stringType], stringType, escapeKey))],
};

/** As RFC 6901 wants keys in a path. */
function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

const fieldTypes: ReadonlyMap<string, Type> = new Map([
  ['op', stringType],
  ['from', stringType],
  ['path', stringType],
  ['value', dynType],
]);

/** Upstream's JSONPatch has a field of every name, most of them of no type: nothing can be assigned to those. */
const noType = objectType('');

/** One operation of a JSON patch. Fields not given read as empty text; `has()` tells them apart. */
export class JsonPatchValue implements CelMap {
  readonly kind = 'map';
  readonly typeName = jsonPatchType.name;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: CelValue | undefined;

  constructor(fields: ReadonlyMap<string, CelValue>) {
    this.op = textField(fields, 'op');
    this.path = textField(fields, 'path');
    this.from = textField(fields, 'from');
    this.value = fields.get('value');
  }

  size(): number {
    return 1;
  }

  get(key: CelValue): CelValue | undefined {
    switch (key) {
      case 'op':
      case 'path':
      case 'from':
      case 'value':
        return this[key];
      default:
        return undefined;
    }
  }

  has(key: CelValue): boolean {
    const value = this.get(key);
    return key === 'value' ? value !== undefined : value !== undefined && value !== '';
  }

  equals(other: CelMap): boolean {
    if (!(other instanceof JsonPatchValue) || this.op !== other.op || this.path !== other.path || this.from !== other.from) return false;
    return this.value === undefined || other.value === undefined ? this.value === other.value : celEquals(this.value, other.value);
  }

  keys(): Iterable<CelValue> {
    return [...fieldTypes.keys()].filter((field) => this.has(field));
  }
}

export const jsonPatchTypes: TypeProvider = {
  findType: (name) => (name === jsonPatchType.name ? jsonPatchType : undefined),
  findField: (typeName, field) => (typeName === jsonPatchType.name ? (fieldTypes.get(field) ?? noType) : undefined),
  create: (_typeName, fields) => new JsonPatchValue(fields),
};

function textField(fields: ReadonlyMap<string, CelValue>, name: string): string {
  const value = fields.get(name) ?? '';
  if (typeof value !== 'string') throw new CelError(`unexpected type ${goTypeOf(value)} for JSONPatchType '${name}' field`);
  return value;
}

/** Go's name of the type that holds a value: what `%T` prints. */
function goTypeOf(value: CelValue): string {
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'structpb.NullValue';
  return value instanceof Uint8Array ? '[]uint8' : 'interface {}';
}
