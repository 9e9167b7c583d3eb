import { ArrayList, type CelMap, type CelValue } from '#cel/value.ts';

/** A map from texts to lists of texts: the query of a URL. */
export class MapOfTexts implements CelMap {
  readonly kind = 'map';
  readonly #entries: ReadonlyMap<string, readonly string[]>;
  constructor(entries: ReadonlyMap<string, readonly string[]>) {
    this.#entries = entries;
  }
  size(): number {
    return this.#entries.size;
  }
  get(key: CelValue): CelValue | undefined {
    const texts = typeof key === 'string' ? this.#entries.get(key) : undefined;
    return texts === undefined ? undefined : new ArrayList(texts);
  }
  has(key: CelValue): boolean {
    return typeof key === 'string' && this.#entries.has(key);
  }
  keys(): Iterable<CelValue> {
    return this.#entries.keys();
  }
}
