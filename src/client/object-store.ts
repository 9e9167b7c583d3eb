// Objects by key, found also by what index functions say of them.
import type { KubernetesObject } from '#api/object.ts';

/** The values under which an object is found. */
export type IndexFunction<T> = (object: T) => readonly string[];
export type Indexers<T> = Readonly<Record<string, IndexFunction<T>>>;

export interface ObjectReader<T> {
  readonly size: number;
  get(key: string): T | undefined;
  list(): readonly T[];
  /** Throws when there is no such index. */
  byIndex(index: string, value: string): readonly T[];
}

/** `namespace/name`; a cluster-scoped object has no namespace before the slash. */
export function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const cut = key.indexOf('/');
  return { namespace: key.slice(0, cut), name: key.slice(cut + 1) };
}

export const namespaceIndex = 'namespace';

export class ObjectStore<T extends KubernetesObject> implements ObjectReader<T> {
  readonly #objects = new Map<string, T>();
  readonly #indexers: Indexers<T>;
  /** Index name → value → keys. */
  readonly #indexes: ReadonlyMap<string, Map<string, Set<string>>>;

  constructor(indexers: Indexers<T> = {}) {
    this.#indexers = { [namespaceIndex]: ({ metadata }) => [metadata.namespace ?? ''], ...indexers };
    this.#indexes = new Map(Object.keys(this.#indexers).map((name) => [name, new Map()]));
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  byIndex(index: string, value: string): readonly T[] {
    const keys = this.#indexes.get(index);
    if (keys === undefined) throw new Error(`there is no index "${index}"`);
    return [...(keys.get(value) ?? [])].flatMap((key) => this.#objects.get(key) ?? []);
  }

  /** What was there before. */
  put(object: T): T | undefined {
    const key = keyOf(object);
    const before = this.delete(key);
    this.#objects.set(key, object);
    for (const [keys, value] of this.#entriesOf(object)) {
      const set = keys.get(value);
      if (set) set.add(key);
      else keys.set(value, new Set([key]));
    }
    return before;
  }

  delete(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#objects.delete(key);
    for (const [keys, value] of this.#entriesOf(before)) {
      const set = keys.get(value);
      set?.delete(key);
      if (set?.size === 0) keys.delete(value);
    }
    return before;
  }

  *#entriesOf(object: T): Generator<readonly [Map<string, Set<string>>, string]> {
    for (const [name, index] of this.#indexes) for (const value of this.#indexers[name]?.(object) ?? []) yield [index, value];
  }
}
