/**
 * Maps made by expressions. Whatever can be compared may be a key, as in cel-go: a list or map is equal to itself alone, and bytes are no key. `1` and `1u` are
 * two keys, but where only one of them is there the other one and `1.0` find it.
 */
import { CelError, type CelMap, type CelValue, Uint } from '../value.ts';

/** Bytes: cel-go panics, and says so. */
export const unsupportedKey = new CelError('internal error: runtime error: hash of unhashable type types.Bytes');

type Entry = readonly [CelValue, CelValue];

export class ValueMap implements CelMap {
  readonly kind = 'map';
  readonly #entries = new Map<CelValue, Entry>();
  /** Entries whose key is an object here, but the same as another one that looks like it. */
  #byText: Map<string, Entry> | undefined;
  /** The accumulator of a fold, which has one owner: it may be changed in place. */
  #growing = false;

  static from(entries: Iterable<Entry>): ValueMap {
    const map = new ValueMap();
    for (const [key, value] of entries) map.insert(key, value);
    return map;
  }

  /** The map itself when a fold is growing it, otherwise a copy to grow. */
  static growing(map: CelMap): ValueMap {
    if (map instanceof ValueMap && map.#growing) return map;
    const copy = new ValueMap();
    copy.#growing = true;
    for (const key of map.keys()) copy.insert(key, map.get(key) ?? null);
    return copy;
  }

  /** Ends the growth: the fold is done. */
  settle(): this {
    this.#growing = false;
    return this;
  }

  size(): number {
    return this.#entries.size + (this.#byText?.size ?? 0);
  }

  get(key: CelValue): CelValue | undefined {
    return this.#find(key)?.[1];
  }

  has(key: CelValue): boolean {
    return this.#find(key) !== undefined;
  }

  *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
    for (const [key] of this.#byText?.values() ?? []) yield key;
  }

  /** False when the key cannot be one. */
  insert(key: CelValue, value: CelValue): boolean {
    if (key instanceof Uint8Array) return false;
    const text = textOf(key);
    if (text === undefined) this.#entries.set(key, [key, value]);
    else (this.#byText ??= new Map()).set(text, [key, value]);
    return true;
  }

  delete(key: CelValue): void {
    const text = textOf(key);
    if (text === undefined) this.#entries.delete(key);
    else this.#byText?.delete(text);
  }

  #find(key: CelValue): Entry | undefined {
    const text = textOf(key);
    return (text === undefined ? this.#entries.get(key) : this.#byText?.get(text)) ?? this.#sameNumber(key);
  }

  /** Only whole numbers of another type; a double that is a key is found by doubles alone. */
  #sameNumber(key: CelValue): Entry | undefined {
    if (key instanceof Uint) return this.#entries.get(key.value);
    const whole = typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
    if (typeof whole !== 'bigint') return undefined;
    return (whole === key ? undefined : this.#entries.get(whole)) ?? this.#byText?.get(uintText(whole));
  }
}

/** Undefined for values of which no two are alike. */
function textOf(key: CelValue): string | undefined {
  if (typeof key !== 'object' || key === null || key instanceof Uint8Array) return undefined;
  switch (key.kind) {
    case 'uint':
      return uintText(key.value);
    case 'timestamp':
      return `timestamp ${key.nanos} ${key.zone}`;
    case 'duration':
      return `duration ${key.nanos}`;
    case 'type':
      return `type ${key.name}`;
    default:
      return undefined;
  }
}

function uintText(value: bigint): string {
  return `uint ${value}`;
}
