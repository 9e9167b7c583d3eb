// The Source of a loop that needs the objects of a resource seldom and keeps what it must know of them itself: nothing is held in memory, keys and
// revisions are followed, and an object is read from the store when it is asked for. A start reads no object at all.
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { FollowedSource, Follower, SourceItem } from '#api/source.ts';
import { spliced, type StoredForm } from '#api/stored-form.ts';
import { findValue } from '#base/json-scan.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { FeedListener, StoreFeed } from '#cache/store-feed.ts';
import { type Change, type Entry, type KeyPage, rangeOf, type ReaderAtOnce, type StoreReader } from '#store/store.ts';

export interface StoredSourceOptions {
  readonly resource: GroupResource;
  /** `/registry/apiextensions.k8s.io/customresourcedefinitions/`: names follow, the resource has no namespaces. */
  readonly prefix: string;
  /** The store keeps what it encodes. */
  readonly form: StoredForm;
  readonly store: StoreReader;
  /** Of the store. */
  readonly atOnce: ReaderAtOnce;
  readonly feed: StoreFeed;
  readonly timers: Timers;
}

const retryMs = 1_000;

export class StoredSource implements FollowedSource {
  readonly #options: StoredSourceOptions;

  constructor(options: StoredSourceOptions) {
    this.#options = options;
  }

  get resource(): GroupResource {
    return this.#options.resource;
  }

  get(_namespace: string, name: string): SourceItem | undefined {
    const entry = this.#options.atOnce.get(this.#options.prefix + name);
    return entry && this.#item(entry, () => entry);
  }

  async follow(follower: Follower, signal: AbortSignal): Promise<void> {
    const { prefix, feed } = this.#options;
    await feed.start();
    /** Changes that come while keys are read; undefined when they are told at once. */
    let held: Change[] | undefined;
    let losses = 0;
    const begin = async () => {
      held = [];
      for (let read = -1; read !== losses && !signal.aborted; ) {
        read = losses;
        const page = await this.#keys(signal);
        if (page !== undefined && read === losses) this.#begin(follower, page, held);
        else read = -1;
      }
      held = undefined;
    };
    const listener: FeedListener = {
      apply: (change) => (held === undefined ? this.#tell(follower, change) : held.push(change)),
      flush: () => {},
      restart: () => {
        losses++;
        if (held === undefined) void begin();
        else held = [];
      },
    };
    const unsubscribe = feed.subscribe(prefix, listener);
    signal.addEventListener('abort', unsubscribe, { once: true });
    if (!signal.aborted) await begin();
  }

  #begin(follower: Follower, { keys, revision }: KeyPage, held: readonly Change[]): void {
    const { atOnce } = this.#options;
    follower.begin(keys.map((key) => this.#item(key, () => atOnce.get(key.key, { at: revision }))));
    for (const change of held) if (change.revision > revision) this.#tell(follower, change);
  }

  /** Undefined when the store could not be read. */
  async #keys(signal: AbortSignal): Promise<KeyPage | undefined> {
    const { store, prefix, timers } = this.#options;
    try {
      return await store.keys(rangeOf(prefix));
    } catch {
      await pause(timers, retryMs, signal);
      return undefined;
    }
  }

  #tell({ change }: Follower, { key, revision, value, previous }: Change): void {
    const entry = value ? { key, revision, value } : previous;
    if (entry !== undefined)
      change(
        kindOfChange(value, previous),
        this.#item(entry, () => entry),
      );
  }

  #item({ key, revision }: Pick<Entry, 'key' | 'revision'>, read: () => Entry | undefined): SourceItem {
    return new StoredObject(key.slice(this.#options.prefix.length), revision, this.#options.form, read);
  }
}

function kindOfChange(value: Uint8Array | undefined, previous: Entry | undefined): 'ADDED' | 'MODIFIED' | 'DELETED' {
  if (value === undefined) return 'DELETED';
  return previous === undefined ? 'ADDED' : 'MODIFIED';
}

class StoredObject implements SourceItem {
  readonly namespace = '';
  readonly name: string;
  readonly revision: number;
  readonly #form: StoredForm;
  readonly #read: () => Entry | undefined;

  constructor(name: string, revision: number, form: StoredForm, read: () => Entry | undefined) {
    this.name = name;
    this.revision = revision;
    this.#form = form;
    this.#read = read;
  }

  get json(): Buffer {
    const entry = this.#read();
    if (entry === undefined) throw new Error(`${this.name} is not in the store any more`);
    return spliced(entry.value, this.#form.placeOfVersion(entry.value, entry.revision));
  }

  get object(): KubernetesObject {
    return this.#form.parse(this.json);
  }

  valueAt(path: readonly Uint8Array[]): unknown {
    const { json } = this;
    const span = findValue(json, 0, path);
    return span && JSON.parse(json.toString('utf8', span.start, span.end));
  }
}
