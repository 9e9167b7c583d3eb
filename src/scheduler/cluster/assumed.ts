import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey } from '#api/source.ts';

/** Objects as they will be once the server has heard of a write, until it shows another revision than the one they were made of. */
export class Assumed<T extends KubernetesObject> {
  readonly #source: Source<T>;
  readonly #assumed = new Map<string, { readonly object: T; readonly revision: number }>();

  constructor(source: Source<T>) {
    this.#source = source;
  }

  get(namespace: string, name: string): T | undefined {
    const item = this.#source.get(namespace, name);
    const key = sourceKey({ namespace, name });
    const assumed = this.#assumed.get(key);
    if (assumed === undefined) return item?.object;
    if (item?.revision === assumed.revision) return assumed.object;
    this.#assumed.delete(key);
    return item?.object;
  }

  list(): readonly T[] {
    return this.#source.list().flatMap(({ namespace, name }) => this.get(namespace, name) ?? []);
  }

  isAssumed(namespace: string, name: string): boolean {
    return this.get(namespace, name) !== undefined && this.#assumed.has(sourceKey({ namespace, name }));
  }

  assume(object: T): void {
    const { namespace = '', name = '' } = object.metadata;
    const revision = this.#source.get(namespace, name)?.revision;
    if (revision !== undefined) this.#assumed.set(sourceKey({ namespace, name }), { object, revision });
  }

  forget({ metadata: { namespace = '', name = '' } }: T): void {
    this.#assumed.delete(sourceKey({ namespace, name }));
  }
}
