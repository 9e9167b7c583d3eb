// The Source of loops that run outside the server: one informer for each resource, started when it is first followed, shared by all that do.
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Follower, type Source, type SourceItem, sourceKey, type Sources } from '#api/source.ts';
import type { ResourceAddress } from '#client/address.ts';
import { Informer, type InformerOptions } from '#client/informer.ts';
import { namespaceIndex } from '#client/object-store.ts';

export interface InformerSourceOptions extends Omit<InformerOptions<KubernetesObject>, 'resource' | 'indexers' | 'transform' | 'onState'> {
  readonly addressOf: (resource: GroupResource) => ResourceAddress;
  /** Ends the informers, which followers share. */
  readonly signal: AbortSignal;
}

export function informerSources(options: InformerSourceOptions): Sources {
  const byName = new Map<string, Source>();
  return {
    of<T extends KubernetesObject>(resource: GroupResource) {
      const name = `${resource.resource}.${resource.group}`;
      const source = byName.get(name) ?? new InformerSource(resource, options);
      byName.set(name, source);
      return source as Source as Source<T>;
    },
  };
}

class InformerSource implements Source {
  readonly resource: GroupResource;
  readonly #informer: Informer<KubernetesObject>;
  readonly #signal: AbortSignal;
  #isRunning = false;

  constructor(resource: GroupResource, { addressOf, signal, ...options }: InformerSourceOptions) {
    this.resource = resource;
    this.#informer = new Informer({ ...options, resource: addressOf(resource) });
    this.#signal = signal;
  }

  get(namespace: string, name: string): SourceItem | undefined {
    const object = this.#informer.store.get(sourceKey({ namespace, name }));
    return object && itemOf(object);
  }

  list(namespace = ''): readonly SourceItem[] {
    const { store } = this.#informer;
    return (namespace === '' ? store.list() : store.byIndex(namespaceIndex, namespace)).map(itemOf);
  }

  async follow({ begin, change }: Follower, signal: AbortSignal): Promise<void> {
    if (!this.#isRunning) void this.#informer.run(this.#signal);
    this.#isRunning = true;
    await Promise.race([this.#informer.synced, aborted(signal)]);
    if (signal.aborted) return;
    // What the informer tells a new handler at once is what `begin` is about.
    let begun = false;
    const tell = (type: Parameters<typeof change>[0], object: KubernetesObject) => begun && change(type, itemOf(object));
    const stop = this.#informer.addHandler({
      added: (object) => tell('ADDED', object),
      updated: (_, object) => tell('MODIFIED', object),
      removed: (object) => tell('DELETED', object),
    });
    signal.addEventListener('abort', stop, { once: true });
    begun = true;
    begin(this.list());
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function itemOf(object: KubernetesObject): SourceItem {
  const { namespace = '', name = '', resourceVersion } = object.metadata;
  return {
    namespace,
    name,
    revision: Number(resourceVersion ?? 0),
    object,
    get json() {
      return Buffer.from(JSON.stringify(object));
    },
    valueAt: (path) => valueIn(object, path),
  };
}

function valueIn(object: unknown, path: readonly Uint8Array[]): unknown {
  return path.reduce((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[Buffer.from(name).toString()], object);
}
