/** Static types, as the checker knows them. Structural data; what one type has to do with another is in check/assignability.ts. */
import type { CelValue } from './value.ts';

export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'typeParam'
  | 'uint';

export interface Type {
  readonly kind: TypeKind;
  /** The runtime type name (`int`, `list`, `google.protobuf.Timestamp`, an object's name), or the name of a type parameter. */
  readonly name: string;
  /** Element type of a list, key and value types of a map, parameters of an opaque type. */
  readonly params: readonly Type[];
  /** A wrapper type: null may stand for the value. */
  readonly nullable?: boolean;
}

/** Object types and the types of their fields: from schemas and declared libraries. */
export interface TypeProvider {
  /** The object type of that name, or undefined. */
  findType(name: string): Type | undefined;
  /** The type of a field of an object type, or undefined when the type has no such field. */
  findField(typeName: string, field: string): Type | undefined;
  /** Builds a value of an object type from `Name{field: value}`; absent when the types cannot be built in expressions. */
  create?(typeName: string, fields: ReadonlyMap<string, CelValue>): CelValue;
}

const none: readonly Type[] = [];

export const anyType: Type = { kind: 'any', name: 'google.protobuf.Any', params: none };
export const boolType: Type = { kind: 'bool', name: 'bool', params: none };
export const bytesType: Type = { kind: 'bytes', name: 'bytes', params: none };
export const doubleType: Type = { kind: 'double', name: 'double', params: none };
export const durationType: Type = { kind: 'duration', name: 'google.protobuf.Duration', params: none };
export const dynType: Type = { kind: 'dyn', name: 'dyn', params: none };
export const errorType: Type = { kind: 'error', name: 'error', params: none };
export const intType: Type = { kind: 'int', name: 'int', params: none };
export const nullType: Type = { kind: 'null', name: 'null_type', params: none };
export const stringType: Type = { kind: 'string', name: 'string', params: none };
export const timestampType: Type = { kind: 'timestamp', name: 'google.protobuf.Timestamp', params: none };
export const typeType: Type = { kind: 'type', name: 'type', params: none };
export const uintType: Type = { kind: 'uint', name: 'uint', params: none };

export function listType(element: Type): Type {
  return { kind: 'list', name: 'list', params: [element] };
}

export function mapType(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', params: [key, value] };
}

/** A type parameter of an overload, e.g. `A` in `list(A) + list(A)`. */
export function typeParam(name: string): Type {
  return { kind: 'typeParam', name, params: none };
}

/** A type of a library without fields: `kubernetes.Quantity`, `net.IP`. */
export function opaqueType(name: string, ...params: readonly Type[]): Type {
  return { kind: 'opaque', name, params };
}

/** An object type with fields, found through the TypeProvider. */
export function objectType(name: string): Type {
  return { kind: 'struct', name, params: none };
}

export function optionalType(value: Type): Type {
  return opaqueType('optional_type', value);
}

export function typeTypeOf(param: Type): Type {
  return { kind: 'type', name: 'type', params: [param] };
}

/** The type as cel-go's checker prints it in messages (FormatCELType): `list(int)`, `map(string, dyn)`, `timestamp`, `wrapper(int)`, `!error!`. */
export function formatType(type: Type): string {
  switch (type.kind) {
    case 'any':
      return 'any';
    case 'duration':
      return 'duration';
    case 'timestamp':
      return 'timestamp';
    case 'error':
      return '!error!';
    case 'null':
      return 'null';
    case 'typeParam':
      return type.name;
    default:
      break;
  }
  if (type.params.length === 0) return type.nullable === true ? `wrapper(${type.name})` : type.name;
  return `${type.name}(${type.params.map(formatType).join(', ')})`;
}

/** The type as cel-go's Type.String() prints it, the form the API shows outside the checker (`must evaluate to a bool`): timestamps by their long name. */
export function typeToString(type: Type): string {
  const name = type.nullable === true ? `wrapper(${type.name})` : type.name;
  if (type.kind === 'typeParam') return `<${name}>`;
  if (type.params.length === 0) return name;
  return `${name}(${type.params.map(typeToString).join(', ')})`;
}

export function isOptionalType(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Same kind, name and parameters (cel-go's IsExactType). */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, index) => {
    const other = b.params[index];
    return other !== undefined && sameType(param, other);
  });
}
