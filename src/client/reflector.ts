// Keeps a local picture of a collection in step with the server.
//
//            ┌──────────── expired ────────────┐
//            ▼                                 │
//   ┌─► listing ──► watching ──► resuming ─────┘
//   │      │            │            │
//   │    failed      failed        ended → watching (from the last resourceVersion)
//   └── waiting ◄───────┴────────────┘     (backoff)
//
// With WatchList the listing is the head of a watch: events up to the marked bookmark are the list.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Backoff } from '#base/backoff.ts';
import type { ResourceAddress, RestClient, WatchFrame } from '#client/rest-client.ts';

export type ReflectorState =
  | { readonly is: 'listing' }
  | { readonly is: 'watching'; readonly from: string }
  | { readonly is: 'waiting'; readonly next: 'listing' | 'watching'; readonly from: string }
  | { readonly is: 'stopped' };

/** Hears what happens, in order. */
export interface ReflectorSink<T> {
  /** The whole collection at one moment; whatever is not in it is gone. */
  replace(objects: readonly T[], resourceVersion: string): void;
  upsert(object: T): void;
  remove(object: T): void;
}

export interface ReflectorOptions<T> {
  readonly client: RestClient;
  readonly resource: ResourceAddress;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly sink: ReflectorSink<T>;
  readonly backoff: Backoff;
  readonly onState?: (state: ReflectorState) => void;
}

const endOfInitialEvents = 'k8s.io/initial-events-end';

export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  #state: ReflectorState = { is: 'listing' };

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Runs until `signal` aborts; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) this.#enter(await this.#step(signal));
    this.#enter({ is: 'stopped' });
  }

  #enter(state: ReflectorState): void {
    this.#state = state;
    this.#options.onState?.(state);
  }

  async #step(signal: AbortSignal): Promise<ReflectorState> {
    const state = this.#state;
    switch (state.is) {
      case 'listing':
        return this.#attempt(() => this.#watch('', signal), '', signal);
      case 'watching':
        return this.#attempt(() => this.#watch(state.from, signal), state.from, signal);
      case 'waiting':
        await this.#options.backoff.wait(signal);
        return state.next === 'listing' ? { is: 'listing' } : { is: 'watching', from: state.from };
      case 'stopped':
        return state;
    }
  }

  async #attempt(work: () => Promise<ReflectorState>, from: string, signal: AbortSignal): Promise<ReflectorState> {
    try {
      const next = await work();
      this.#options.backoff.reset();
      return next;
    } catch (error) {
      if (signal.aborted) return { is: 'stopped' };
      const lost = error instanceof ApiError && (error.code === 410 || error.reason === 'Expired');
      return { is: 'waiting', next: lost || from === '' ? 'listing' : 'watching', from };
    }
  }

  /** From '' the watch begins with the collection itself. Returns where to go on when the server ends the stream. */
  async #watch(from: string, signal: AbortSignal): Promise<ReflectorState> {
    const { client, resource, namespace = '', labelSelector, fieldSelector } = this.#options;
    const start = from === '' ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } : { resourceVersion: from };
    const progress = new Progress<T>(this.#options.sink, from === '');
    for await (const frame of client.watch<T>(resource, namespace, { ...start, labelSelector, fieldSelector, allowWatchBookmarks: true }, signal)) {
      progress.take(frame);
      if (progress.listed && this.#state.is === 'listing') this.#enter({ is: 'watching', from: progress.resourceVersion });
    }
    return progress.listed ? { is: 'watching', from: progress.resourceVersion || from } : { is: 'listing' };
  }
}

/** Collects initial events until their end is marked, then hands every event on. */
class Progress<T extends KubernetesObject> {
  resourceVersion = '';
  listed: boolean;
  readonly #sink: ReflectorSink<T>;
  readonly #initial: T[] = [];

  constructor(sink: ReflectorSink<T>, initial: boolean) {
    this.#sink = sink;
    this.listed = !initial;
  }

  take({ type, object }: WatchFrame<T>): void {
    if (type === 'ERROR') throw errorOf(object);
    this.resourceVersion = object.metadata.resourceVersion ?? this.resourceVersion;
    if (type === 'BOOKMARK') this.#bookmark(object);
    else if (!this.listed) this.#initial.push(object);
    else if (type === 'DELETED') this.#sink.remove(object);
    else this.#sink.upsert(object);
  }

  #bookmark({ metadata }: T): void {
    if (this.listed || metadata.annotations?.[endOfInitialEvents] !== 'true') return;
    this.listed = true;
    this.#sink.replace(this.#initial, this.resourceVersion);
  }
}

function errorOf(status: unknown): ApiError {
  const { code = 500, reason, message = 'watch failed' } = status as { code?: number; reason?: 'Expired'; message?: string };
  return new ApiError(code, reason, message);
}
