// How a verb reads the one object that it is about: from the cache of the resource, or from the store where the resource is kept without a cache.
import type { Asker } from '#api/asker.ts';
import type { KubernetesObject } from '#api/object.ts';
import { spliced, type StoredForm } from '#api/stored-form.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { ReaderAtOnce } from '#store/store.ts';

export interface ReadObject {
  readonly revision: number;
  readonly json: Buffer;
  readonly byteLength: number;
  readonly object: KubernetesObject;
}

/** A WatchCache is one. */
export interface ObjectReader {
  readonly ready: Promise<void>;
  readonly isReady: boolean;
  /** What is there, however old; of a reader that is ready. */
  get(namespace: string, name: string): ReadObject | undefined;
  /** The same, of a reader that need not be ready. */
  read(namespace: string, name: string): MaybePromise<ReadObject | undefined>;
  /** At least as new as the store is now. */
  readLatest(namespace: string, name: string, asker?: Pick<Asker, 'signal'>): MaybePromise<ReadObject | undefined>;
}

const ready = Promise.resolve();

/** Of a resource without namespaces whose objects are many, large and seldom read: each is read when it is asked for, and nothing of it is kept. */
export class UncachedReader implements ObjectReader {
  readonly #prefix: string;
  readonly #form: StoredForm;
  readonly #store: ReaderAtOnce;

  /** `prefix` stands before the names; the store keeps what the form encodes. */
  constructor(prefix: string, form: StoredForm, store: ReaderAtOnce) {
    this.#prefix = prefix;
    this.#form = form;
    this.#store = store;
  }

  get ready(): Promise<void> {
    return ready;
  }

  get isReady(): boolean {
    return true;
  }

  get(_namespace: string, name: string): ReadObject | undefined {
    const entry = this.#store.get(this.#prefix + name);
    return entry && new UncachedObject(this.#form, spliced(entry.value, this.#form.placeOfVersion(entry.value, entry.revision)), entry.revision);
  }

  read(namespace: string, name: string): ReadObject | undefined {
    return this.get(namespace, name);
  }

  readLatest(namespace: string, name: string): ReadObject | undefined {
    return this.get(namespace, name);
  }
}

class UncachedObject implements ReadObject {
  readonly revision: number;
  readonly json: Buffer;
  readonly #form: StoredForm;
  #object: KubernetesObject | undefined;

  constructor(form: StoredForm, json: Buffer, revision: number) {
    this.#form = form;
    this.json = json;
    this.revision = revision;
  }

  get byteLength(): number {
    return this.json.length;
  }

  get object(): KubernetesObject {
    this.#object ??= this.#form.parse(this.json);
    return this.#object;
  }
}
