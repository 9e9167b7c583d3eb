// Keeps a local picture of a collection in step with the server.
//
//                     ┌───────────────── expired (410) ─────────────────┐
//                     ▼                                                 │
//   start ──► ┌── listing ──┐  complete                           ┌─────┴────┐ ─┐ ended: again, from
//             │ by 'watch'  ├─────────────────────────────────────► watching │ ◄┘ the last resourceVersion
//             │ by 'pages'  │                                     └─────┬────┘ ◄─┐
//             └──┬───────▲──┘                                           │        │
//         failed │       │                       failed, or cut short   │        │
//                ▼       │ next: listing                                ▼        │
//             ┌──────────┴──┐                                  next: watching    │
//             │   waiting   ├────────────────────────────────────────────────────┘
//             └─────────────┘   backoff with jitter; forgotten with the next progress
//
// Listing by 'watch' (WatchList): events up to the marked bookmark are the list, and the same stream goes on as the watch.
// A server that does not know it is listed by 'pages' from then on. `stopped` is entered from everywhere.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Backoff } from '#base/backoff.ts';
import { deadline } from '#base/deadline.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import type { Query, ResourceAddress } from '#client/address.ts';
import type { RestClient } from '#client/rest-client.ts';
import { errorInFrame, type WatchFrame } from '#client/watch-frames.ts';

export type ReflectorState =
  | { readonly is: 'listing'; readonly by: ListingWay }
  | { readonly is: 'watching'; readonly from: string }
  | { readonly is: 'waiting'; readonly next: 'listing' }
  | { readonly is: 'waiting'; readonly next: 'watching'; readonly from: string }
  | { readonly is: 'stopped' };

type ListingWay = 'watch' | 'pages';

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
  /** How the collection is listed. Default: 'watch', as long as the server can. */
  readonly by?: ListingWay;
  /** How long one watch lasts; spread over twice that, so that watches do not all end together. */
  readonly watchSeconds?: number;
  readonly random?: () => number;
  readonly timers?: Timers;
  /** Told when the kind of state changes, not with every event. */
  readonly onState?: (state: ReflectorState) => void;
  /** Failures are expected and tried again; this is for whoever wants to know of them. */
  readonly onFailure?: (error: unknown) => void;
}

const defaultWatchSeconds = 300;
/** A watch that outlives its time by so much hangs on a connection that is dead. */
const overdueMs = 30_000;
/** A server that ends watches sooner than this, without a word, must not be asked in a circle. */
const shortMs = 1_000;

export class Reflector<T extends KubernetesObject> {
  readonly #options: ReflectorOptions<T>;
  #by: ListingWay;
  #state: ReflectorState;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#by = options.by ?? 'watch';
    this.#state = { is: 'listing', by: this.#by };
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Runs until `signal` aborts; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#step(signal);
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
    }
    this.#enter({ is: 'stopped' });
  }

  #enter(state: ReflectorState): void {
    const told = state.is === this.#state.is;
    this.#state = state;
    if (!told) this.#options.onState?.(state);
  }

  /** Leaves the state entered that comes next; a failure leaves the state in which it happened. */
  async #step(signal: AbortSignal): Promise<void> {
    const state = this.#state;
    switch (state.is) {
      case 'listing':
        if (state.by === 'pages') return this.#listPages(signal);
        return this.#watch({ resourceVersionMatch: 'NotOlderThan', sendInitialEvents: true }, signal);
      case 'watching':
        return this.#watch({ resourceVersion: state.from }, signal);
      case 'waiting':
        await this.#options.backoff.wait(signal);
        return this.#enter(state.next === 'watching' ? { is: 'watching', from: state.from } : { is: 'listing', by: this.#by });
      case 'stopped':
        return;
    }
  }

  #failed(error: unknown): void {
    this.#options.onFailure?.(error);
    const state = this.#state;
    if (state.is === 'listing' && state.by === 'watch' && isUnknownToServer(error)) this.#by = 'pages';
    if (state.is === 'watching' && !isExpired(error)) this.#enter({ is: 'waiting', next: 'watching', from: state.from });
    else this.#enter({ is: 'waiting', next: 'listing' });
  }

  async #listPages(signal: AbortSignal): Promise<void> {
    const { items, resourceVersion } = await this.#wholeList(signal);
    this.#options.sink.replace(items, resourceVersion);
    this.#progress(resourceVersion);
  }

  async #wholeList(signal: AbortSignal): Promise<{ items: readonly T[]; resourceVersion: string }> {
    const { client, resource, namespace = '' } = this.#options;
    const items: T[] = [];
    let resourceVersion = '';
    try {
      for await (const page of client.pages<T>(resource, namespace, this.#selectors(), signal)) {
        for (const item of page.items ?? []) items.push(item);
        resourceVersion = page.metadata.resourceVersion ?? '';
      }
      return { items, resourceVersion };
    } catch (error) {
      if (!isExpired(error)) throw error;
      // The server forgot the moment between two pages: all of it at once then.
      const whole = await client.list<T>(resource, namespace, this.#selectors(), signal);
      return { items: whole.items ?? [], resourceVersion: whole.metadata.resourceVersion ?? '' };
    }
  }

  async #watch(start: Query, signal: AbortSignal): Promise<void> {
    const { client, resource, namespace = '', watchSeconds = defaultWatchSeconds, random = () => 0, timers = systemTimers } = this.#options;
    const timeoutSeconds = Math.ceil(watchSeconds * (1 + random()));
    const query = { ...start, ...this.#selectors(), allowWatchBookmarks: true, timeoutSeconds };
    const limited = deadline(signal, timeoutSeconds * 1000 + overdueMs);
    const initial: T[] = [];
    let worthwhile = false;
    const cancel = timers.after(shortMs, () => (worthwhile = true));
    try {
      for await (const frame of client.watch<T>(resource, namespace, query, limited.signal)) {
        this.#take(frame, initial);
        worthwhile = true;
      }
    } finally {
      cancel();
      limited.cancel();
    }
    if (!worthwhile || this.#state.is === 'listing') throw new Error('the watch ended too early');
  }

  /** Until the end of the initial events is marked they are collected; then every event is handed on. */
  #take(frame: WatchFrame<T>, initial: T[]): void {
    const { type, object } = frame;
    if (type === 'ERROR') throw errorInFrame(frame);
    const { sink } = this.#options;
    const resourceVersion = object.metadata.resourceVersion ?? '';
    if (this.#state.is === 'listing') {
      if (type !== 'BOOKMARK') return void initial.push(object);
      if (object.metadata.annotations?.['k8s.io/initial-events-end'] !== 'true') return;
      sink.replace(initial.splice(0), resourceVersion);
    } else if (type === 'DELETED') sink.remove(object);
    else if (type !== 'BOOKMARK') sink.upsert(object);
    this.#progress(resourceVersion);
  }

  #progress(resourceVersion: string): void {
    this.#options.backoff.reset();
    this.#enter({ is: 'watching', from: resourceVersion });
  }

  #selectors(): Query {
    const { labelSelector, fieldSelector } = this.#options;
    return { labelSelector, fieldSelector };
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');
}

/** Servers that do not know sendInitialEvents, or do not allow it, say that the options are invalid. */
function isUnknownToServer(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 422 || error.code === 400);
}
