// One picture of a collection, shared by everybody in the process who wants to know of it.
import type { KubernetesObject } from '#api/object.ts';
import { exponentialBackoff } from '#base/backoff.ts';
import { type Log, silentLog } from '#base/log.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import type { ResourceAddress } from '#client/address.ts';
import { type Indexers, keyOf, type ObjectReader, ObjectStore } from '#client/object-store.ts';
import { Reflector, type ReflectorSink, type ReflectorState } from '#client/reflector.ts';
import type { RestClient } from '#client/rest-client.ts';

/** Called in order, one at a time; must not wait: work that takes time belongs into a WorkQueue. */
export interface InformerHandler<T> {
  added?(object: T): void;
  /** A resync tells the same object twice. */
  updated?(before: T, object: T): void;
  /** `final` is 'unknown' when the object went while nobody watched: then `last` is only the last we know. */
  removed?(last: T, final: 'known' | 'unknown'): void;
}

export interface InformerOptions<T> {
  readonly client: RestClient;
  readonly resource: ResourceAddress;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly indexers?: Indexers<T>;
  readonly random: () => number;
  readonly timers?: Timers;
  readonly log?: Log;
  /** Makes objects smaller before they are kept. */
  readonly transform?: (object: T) => T;
  readonly onState?: (state: ReflectorState) => void;
}

export interface HandlerOptions {
  /** All objects are told again so often; never when absent. */
  readonly resyncMs?: number;
}

export class Informer<T extends KubernetesObject> {
  readonly #options: InformerOptions<T>;
  readonly #store: ObjectStore<T>;
  readonly #handlers = new Map<InformerHandler<T>, HandlerOptions>();
  readonly #synced = new Gate();
  #signal: AbortSignal | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#store = new ObjectStore(options.indexers);
  }

  get store(): ObjectReader<T> {
    return this.#store;
  }

  /** Resolves when the store holds the collection for the first time. */
  get synced(): Promise<void> {
    return this.#synced.opened;
  }

  get hasSynced(): boolean {
    return this.#synced.isOpen;
  }

  /** Tells everything that is there as added, then every change. Returns how to stop that. */
  addHandler(handler: InformerHandler<T>, options: HandlerOptions = {}): () => void {
    this.#handlers.set(handler, options);
    for (const object of this.#store.list()) this.#call(() => handler.added?.(object));
    this.#keepResyncing(handler, options);
    return () => void this.#handlers.delete(handler);
  }

  /** Until `signal` aborts. Once only. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#signal !== undefined) throw new Error('an informer runs only once');
    this.#signal = signal;
    for (const [handler, options] of this.#handlers) this.#keepResyncing(handler, options);
    const { client, resource, namespace, labelSelector, fieldSelector, random, timers, onState } = this.#options;
    const reflector = new Reflector<T>({
      client,
      resource,
      random,
      sink: this.#sink(),
      backoff: exponentialBackoff({ firstMs: 50, maxMs: 30_000, random }),
      ...(timers && { timers }),
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      ...(onState && { onState }),
    });
    await reflector.run(signal);
  }

  #sink(): ReflectorSink<T> {
    return {
      replace: (objects) => this.#replace(objects),
      upsert: (object) => this.#put(object),
      remove: (object) => this.#drop(keyOf(object), 'known', object),
    };
  }

  #replace(objects: readonly T[]): void {
    const here = new Set(objects.map(keyOf));
    for (const key of this.#store.keys()) if (!here.has(key)) this.#drop(key, 'unknown');
    for (const object of objects) this.#put(object);
    this.#synced.open();
  }

  /** What a new list says again is no news. */
  #put(received: T): void {
    const object = this.#options.transform?.(received) ?? received;
    const before = this.#store.put(object);
    if (before === undefined) this.#tell((handler) => handler.added?.(object));
    else if (isNews(before, object)) this.#tell((handler) => handler.updated?.(before, object));
  }

  #drop(key: string, final: 'known' | 'unknown', received?: T): void {
    const before = this.#store.delete(key);
    const last = received ?? before;
    if (before !== undefined && last !== undefined) this.#tell((handler) => handler.removed?.(last, final));
  }

  #tell(event: (handler: InformerHandler<T>) => void): void {
    for (const handler of this.#handlers.keys()) this.#call(() => event(handler));
  }

  /** A handler that fails must not keep the others, or the store, from the news. */
  #call(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      (this.#options.log ?? silentLog).error('a handler of an informer failed', error, { resource: this.#options.resource.resource });
    }
  }

  #keepResyncing(handler: InformerHandler<T>, { resyncMs }: HandlerOptions): void {
    const signal = this.#signal;
    if (resyncMs === undefined || signal === undefined || signal.aborted) return;
    const { timers = systemTimers } = this.#options;
    const stop = () => cancel();
    const cancel = timers.after(resyncMs, () => {
      signal.removeEventListener('abort', stop);
      if (!this.#handlers.has(handler)) return;
      for (const object of this.#store.list()) this.#call(() => handler.updated?.(object, object));
      this.#keepResyncing(handler, { resyncMs });
    });
    signal.addEventListener('abort', stop, { once: true });
  }
}

function isNews(before: KubernetesObject, after: KubernetesObject): boolean {
  return before.metadata.resourceVersion !== after.metadata.resourceVersion || before.metadata.uid !== after.metadata.uid;
}

/** Opens once. */
class Gate {
  isOpen = false;
  #open: () => void = () => {};
  readonly opened = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  open(): void {
    this.isOpen = true;
    this.#open();
  }
}
