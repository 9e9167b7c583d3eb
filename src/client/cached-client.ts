// Reads from informers, writes to the server: for whoever reads much more than it writes and can bear to be a moment late.
import { type FieldPath, isSelected } from '#client/local-selection.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress } from '#client/address.ts';
import { Informer, type InformerOptions } from '#client/informer.ts';
import { namespaceIndex } from '#client/object-store.ts';
import type { RestClient } from '#client/rest-client.ts';

export interface CachedClientOptions extends Pick<InformerOptions<KubernetesObject>, 'random' | 'timers' | 'log'> {
  readonly client: RestClient;
  /** Informers live as long as this. */
  readonly signal: AbortSignal;
}

export interface LocalSelection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fields?: Readonly<Record<FieldPath, string>>;
}

export class CachedClient {
  readonly #options: CachedClientOptions;
  readonly #informers = new Map<string, Informer<KubernetesObject>>();

  constructor(options: CachedClientOptions) {
    this.#options = options;
  }

  /** For everything that changes something, and for reads that must be of this moment. */
  get live(): RestClient {
    return this.#options.client;
  }

  /** The first question about a resource starts an informer, and waits until it knows the collection. */
  async get<T extends KubernetesObject>(resource: ResourceAddress, namespace: string, name: string): Promise<T | undefined> {
    return (await this.informer<T>(resource)).store.get(`${namespace}/${name}`);
  }

  async list<T extends KubernetesObject>(resource: ResourceAddress, selection: LocalSelection = {}): Promise<readonly T[]> {
    const { store } = await this.informer<T>(resource);
    const candidates = selection.namespace === undefined ? store.list() : store.byIndex(namespaceIndex, selection.namespace);
    return candidates.filter((object) => isSelected(object, selection));
  }

  /** Ready to be read; for handlers of one's own. */
  async informer<T extends KubernetesObject>(resource: ResourceAddress): Promise<Informer<T>> {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let informer = this.#informers.get(key);
    if (informer === undefined) {
      const { signal, ...options } = this.#options;
      informer = new Informer<KubernetesObject>({ ...options, resource });
      this.#informers.set(key, informer);
      void informer.run(signal);
    }
    await this.#synced(informer);
    return informer as unknown as Informer<T>;
  }

  async #synced(informer: Informer<KubernetesObject>): Promise<void> {
    const { signal } = this.#options;
    signal.throwIfAborted();
    let stop: () => void = () => {};
    const stopped = new Promise<void>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([informer.synced, stopped]).finally(() => signal.removeEventListener('abort', stop));
  }
}
