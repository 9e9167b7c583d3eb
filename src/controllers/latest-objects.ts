// The objects of a source, and what the controller has written since where the source does not show it yet: so that a controller which looks
// again at once does not repeat what it did.
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey } from '#api/source.ts';

export class LatestObjects<T extends KubernetesObject> {
  readonly #source: Source<T>;
  readonly #written = new Map<string, T>();

  constructor(source: Source<T>) {
    this.#source = source;
  }

  get(namespace: string, name: string): T | undefined {
    const key = sourceKey({ namespace, name });
    const written = this.#written.get(key);
    const known = this.#source.get(namespace, name);
    if (written === undefined) return known?.object;
    // What the source does not know was deleted: only objects that it has shown are written here.
    if (known !== undefined && Number(written.metadata.resourceVersion) > known.revision) return written;
    this.#written.delete(key);
    return known?.object;
  }

  /** What a write has answered. */
  wrote(object: T): T {
    const { namespace = '', name = '' } = object.metadata;
    this.#written.set(sourceKey({ namespace, name }), object);
    return object;
  }

  forget(namespace: string, name: string): void {
    this.#written.delete(sourceKey({ namespace, name }));
  }
}
