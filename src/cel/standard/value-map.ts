/** Maps made by expressions. Keys that are equal as numbers are one key: `1`, `1u` and `1.0` find the same entry. */
import { type CelMap, type CelValue, Uint } from '../value.ts';

type NormalKey = string | bigint | boolean;

export class ValueMap implements CelMap {
  readonly kind = 'map';
  readonly #entries = new Map<NormalKey, readonly [CelValue, CelValue]>();
  /** The accumulator of a fold, which has one owner: it may be changed in place. */
  #growing = false;

  static from(entries: Iterable<readonly [CelValue, CelValue]>): ValueMap {
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
    return this.#entries.size;
  }

  get(key: CelValue): CelValue | undefined {
    const normal = normalKey(key);
    return normal === undefined ? undefined : this.#entries.get(normal)?.[1];
  }

  has(key: CelValue): boolean {
    const normal = normalKey(key);
    return normal !== undefined && this.#entries.has(normal);
  }

  *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }

  /** False when the key cannot be one. */
  insert(key: CelValue, value: CelValue): boolean {
    const normal = normalKey(key);
    if (normal === undefined || typeof key === 'number') return false;
    this.#entries.set(normal, [key, value]);
    return true;
  }

  delete(key: CelValue): void {
    const normal = normalKey(key);
    if (normal !== undefined) this.#entries.delete(normal);
  }
}

/** One key for all spellings of a number; undefined for what cannot be a key. */
function normalKey(key: CelValue): NormalKey | undefined {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return key;
  if (key instanceof Uint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : undefined;
}
