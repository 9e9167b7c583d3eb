/**
 * Run-time values of the Common Expression Language. Scalars are plain JavaScript values; what JavaScript lacks is a small class or an interface with a
 * `kind`, so that one property read tells values apart:
 *
 *   null → null · bool → boolean · int → bigint · uint → Uint · double → number · string → string · bytes → Uint8Array · list → CelList · map and
 *   object → CelMap · timestamp → Timestamp · duration → Duration · type → TypeValue · optional → Optional · everything of a library → CelObject
 *
 * An error is no value of the language. Within the evaluator it travels as a result (`Result`), so that operators that may absorb one (`&&`, `||`, the macros)
 * need not catch; bodies of functions may return one or throw one.
 */

export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | CelList
  | CelMap
  | Timestamp
  | Duration
  | TypeValue
  | Optional
  | CelObject;

/** An unsigned integer: `value` is within 0 … 2^64-1. */
export class Uint {
  readonly kind = 'uint';
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A list. Lists over raw JSON arrays convert their elements when asked; those of a `set` or `map` list type bring their own equality and `+`. */
export interface CelList {
  readonly kind: 'list';
  size(): number;
  /** The element at a position within 0 … size()-1; the evaluator checks the bounds. */
  get(index: number): CelValue;
  [Symbol.iterator](): Iterator<CelValue>;
  /** A part of the object that a rule is about, by its schema: not comparable with what is no list, and never taken for nothing. */
  readonly isOfObject?: true;
  /** Equality when this list is the left operand of `==`; element by element in order when absent. */
  equals?(other: CelList): boolean;
  /** `this + other`; elements of both in order when absent. */
  concat?(other: CelList): CelValue;
}

/** A map, or an object whose fields are read by name. Keys are bool, int, uint or string. */
export interface CelMap {
  readonly kind: 'map';
  size(): number;
  /** The value of a key, or undefined. A key of another numeric type with the same value finds the entry too (`1`, `1u`, `1.0`). */
  get(key: CelValue): CelValue | undefined;
  has(key: CelValue): boolean;
  keys(): Iterable<CelValue>;
  /** A part of the object that a rule is about, by its schema: not comparable with what is no map, and never taken for nothing. */
  readonly isOfObject?: true;
  /** Equality when this map is the left operand of `==`; same keys with equal values when absent. */
  equals?(other: CelMap): boolean;
  /** The runtime type name when it is not `map`: objects of a declared type. */
  readonly typeName?: string;
}

/** A point in time, exact to the nanosecond: nanoseconds since 1970-01-01T00:00:00Z. */
export class Timestamp {
  readonly kind = 'timestamp';
  readonly nanos: bigint;
  /** Minutes east of UTC in which the time was written: its text keeps them, nothing else looks at them. */
  readonly zone: number;
  constructor(nanos: bigint, zone = 0) {
    this.nanos = nanos;
    this.zone = zone;
  }
}

/** A span of time in nanoseconds; as Go's time.Duration it fits 64 bits. */
export class Duration {
  readonly kind = 'duration';
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A type as a value: `type(1)`, `int`, `google.protobuf.Timestamp`. Equal when the names are. */
export class TypeValue {
  readonly kind = 'type';
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export class Optional {
  readonly kind = 'optional';
  readonly value: CelValue | undefined;
  private constructor(value: CelValue | undefined) {
    this.value = value;
  }
  static readonly none = new Optional(undefined);
  static of(value: CelValue): Optional {
    return new Optional(value);
  }
}

/** A value of a library (URL, IP, CIDR, Quantity, Semver, Authorizer …): opaque to the language, its functions know the class. */
export interface CelObject {
  readonly kind: 'object';
  /** The runtime type name, e.g. `kubernetes.Quantity`: what `type()` answers and what overloads are matched by. */
  readonly typeName: string;
  equals(other: CelValue): boolean;
  /** What `size()`-based costs count; 1 when absent. */
  size?(): number;
}

/** What an evaluation comes to. */
export type Result = CelValue | CelError;

/**
 * A failed evaluation. It carries no stack (a comprehension may meet and absorb one per element). `message` is the text the API shows after the
 * rule, e.g. `no such key: x`.
 */
export class CelError {
  readonly message: string;
  /** The AST node the error arose at, once known. */
  readonly nodeId: number | undefined;
  constructor(message: string, nodeId?: number) {
    this.message = message;
    this.nodeId = nodeId;
  }
}

/** A list over an array of values. */
export class ArrayList implements CelList {
  readonly kind = 'list';
  readonly elements: readonly CelValue[];
  constructor(elements: readonly CelValue[]) {
    this.elements = elements;
  }
  size(): number {
    return this.elements.length;
  }
  get(index: number): CelValue {
    return this.elements[index] ?? null;
  }
  [Symbol.iterator](): Iterator<CelValue> {
    return this.elements[Symbol.iterator]();
  }
}

export function isList(value: CelValue): value is CelList {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'list';
}

export function isMap(value: CelValue): value is CelMap {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'map';
}

export function isObject(value: CelValue): value is CelObject {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object';
}

/** The runtime type name of a value, as `type()` prints it: `int`, `list`, `google.protobuf.Timestamp`, `kubernetes.Quantity` … */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return typeNameOfObject(value);
  }
}

function typeNameOfObject(value: Exclude<CelValue, boolean | bigint | number | string>): string {
  if (value === null) return 'null_type';
  if (value instanceof Uint8Array) return 'bytes';
  switch (value.kind) {
    case 'uint':
    case 'list':
    case 'type':
      return value.kind;
    case 'map':
      return value.typeName ?? 'map';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'optional':
      return 'optional_type';
    case 'object':
      return value.typeName;
  }
}

/** What costs count as the size of a value (cel-go's actualSize): code points, bytes, elements or entries; 1 for everything without a size. */
export function actualSize(value: CelValue): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  if (value.kind === 'list' || value.kind === 'map') return value.size();
  if (value.kind === 'optional') return value.value === undefined ? 1 : actualSize(value.value);
  if (value.kind === 'object') return value.size?.() ?? 1;
  return 1;
}

const longText = 64;

/** The length CEL gives a string: Unicode code points, not UTF-16 units. */
export function codePointLength(text: string): number {
  // Costs ask for the size of whole request bodies: the scan of a native pattern is ten times faster than the loop.
  if (text.length > longText && !/[\ud800-\udfff]/.test(text)) return text.length;
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      length--;
      index++;
    }
  }
  return length;
}
