// The objects of events in the version of a watch, where a webhook converts them: asked for in batches before the events are framed, once
// for all watches of that version. Conversions that need no webhook happen when an event is framed.
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { allFromHub, fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { CacheEvent, WatchEvent } from '#verbs/watch.ts';

export class EventVersions {
  readonly #catalog: ResourceCatalog;
  readonly #definition: ResourceDefinition;
  readonly #version: string;

  constructor(catalog: ResourceCatalog, definition: ResourceDefinition) {
    this.#catalog = catalog;
    this.#definition = definition;
    this.#version = apiVersionOf(definition);
  }

  /** Events have to be prepared before `of` can answer. */
  get wait(): boolean {
    return this.#definition.conversion?.allFromHub !== undefined;
  }

  /** Rejects when one of them cannot be converted; the next watch tries again. */
  async prepare(events: readonly WatchEvent[]): Promise<void> {
    const shown = events.flatMap((event) => (event.type === 'ERROR' || event.item === undefined ? [] : [event]));
    const missing = shown.filter(({ converted }) => !converted.has(this.#version));
    if (missing.length > 0) this.#begin(missing);
    for (const event of shown) event.converted.set(this.#version, await (event.converted.get(this.#version) as KubernetesObject | Promise<KubernetesObject>));
  }

  #begin(events: readonly CacheEvent[]): void {
    const objects = events.map(({ item }) => (item as NonNullable<typeof item>).object);
    const converting = (async () => allFromHub(this.#catalog, this.#definition, objects))();
    for (const [i, { converted }] of events.entries()) {
      const one = converting.then((all) => all[i] as KubernetesObject);
      one.catch(() => converted.delete(this.#version));
      converted.set(this.#version, one);
    }
  }

  of({ converted }: Pick<CacheEvent, 'converted'>, object: KubernetesObject): KubernetesObject {
    const made = this.wait ? converted.get(this.#version) : fromHub(this.#catalog, this.#definition, object);
    if (made === undefined || made instanceof Promise) throw new Error(`a conversion to ${this.#version} was not waited for`);
    return made;
  }
}
