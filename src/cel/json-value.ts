// JSON values as CEL values where no schema describes them: nothing is converted before an expression looks at it.
import { type CelList, type CelMap, type CelValue, Timestamp } from '#cel/value.ts';

/** A value that no schema describes: whole numbers are ints, other numbers doubles. Times may stand in it as what they are. */
export function jsonValue(json: unknown): CelValue {
  switch (typeof json) {
    case 'boolean':
    case 'string':
    case 'bigint':
      return json;
    case 'number':
      return Number.isSafeInteger(json) ? BigInt(json) : json;
    case 'object':
      if (json === null || json instanceof Timestamp) return json;
      return Array.isArray(json) ? new LazyList(json, jsonValue) : new MapValue(json as Readonly<Record<string, unknown>>, jsonValue);
    default:
      return null;
  }
}

/** Converts entries when they are asked for. */
export class MapValue implements CelMap {
  readonly kind = 'map';
  readonly #entries: Readonly<Record<string, unknown>>;
  readonly #convert: (json: unknown) => CelValue;

  constructor(entries: Readonly<Record<string, unknown>>, convert: (json: unknown) => CelValue) {
    this.#entries = entries;
    this.#convert = convert;
  }

  size(): number {
    return Object.keys(this.#entries).length;
  }

  get(key: CelValue): CelValue | undefined {
    return this.has(key) ? this.#convert(this.#entries[key as string]) : undefined;
  }

  has(key: CelValue): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#entries, key);
  }

  keys(): Iterable<CelValue> {
    return Object.keys(this.#entries);
  }
}

export class LazyList implements CelList {
  readonly kind = 'list';
  protected readonly items: readonly unknown[];
  protected readonly convert: (json: unknown) => CelValue;

  constructor(items: readonly unknown[], convert: (json: unknown) => CelValue) {
    this.items = items;
    this.convert = convert;
  }

  size(): number {
    return this.items.length;
  }

  get(index: number): CelValue {
    return this.convert(this.items[index]);
  }

  *[Symbol.iterator](): Iterator<CelValue> {
    for (const item of this.items) yield this.convert(item);
  }
}
