// Objects of a source by the uid of their controller, and those that have none by namespace; kept in step once for all controllers that
// look at them. What is kept of each is a small view, so that a controller of a thousand pods need not read a thousand pods to count them.
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import { type Source, type SourceItem, sourceKey, type Sources } from '#api/source.ts';
import type { KeySource } from '#controllers/controller.ts';

/** What is known of an object without reading it again. */
export interface ObjectView {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>>;
  /** The owner that controls it. */
  readonly controller: OwnerReference | undefined;
  readonly isDeleting: boolean;
}

/** `before` is missing for what is new, `after` for what is gone. */
export type ViewListener<V> = (before: V | undefined, after: V | undefined) => void;

export class ControlledObjects<T extends KubernetesObject, V extends ObjectView> {
  readonly #source: Source<T>;
  readonly #viewOf: (item: SourceItem<T>) => V;
  readonly #views = new Map<string, V>();
  readonly #byController = new Map<string, Set<V>>();
  readonly #orphans = new Map<string, Set<V>>();
  readonly #listeners = new Set<ViewListener<V>>();
  #revision = 0;
  #following: { readonly begun: Promise<void>; readonly stop: AbortController; isBegun: boolean } | undefined;

  constructor(source: Source<T>, viewOf: (item: SourceItem<T>) => V) {
    this.#source = source;
    this.#viewOf = viewOf;
  }

  /** Every change up to this one has been heard. */
  get revision(): number {
    return this.#revision;
  }

  get(namespace: string, name: string): V | undefined {
    return this.#views.get(sourceKey({ namespace, name }));
  }

  controlledBy(uid: string): readonly V[] {
    return [...(this.#byController.get(uid) ?? [])];
  }

  orphansIn(namespace: string): readonly V[] {
    return [...(this.#orphans.get(namespace) ?? [])];
  }

  all(): IterableIterator<V> {
    return this.#views.values();
  }

  /** The object itself, as the source has it now. */
  object({ namespace, name, uid }: ObjectView): T | undefined {
    const object = this.#source.get(namespace, name)?.object;
    return object?.metadata.uid === uid ? object : undefined;
  }

  /** The keys of controllers that a change is about. All that is known counts as new at the beginning. */
  keys(affects: (before: V | undefined, after: V | undefined) => Iterable<string>): KeySource {
    return async (enqueue, signal) => {
      const listener: ViewListener<V> = (before, after) => {
        for (const key of affects(before, after)) enqueue(key);
      };
      await this.listen(listener, signal);
    };
  }

  /** Resolves when all there is has been told. */
  async listen(listener: ViewListener<V>, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#following ??= this.#follow();
    if (this.#following.isBegun) for (const view of this.#views.values()) listener(undefined, view);
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#leave(listener), { once: true });
    await Promise.race([this.#following.begun, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))]);
  }

  #follow() {
    const stop = new AbortController();
    const begin = (all: readonly SourceItem<T>[]) => {
      following.isBegun = true;
      this.#begin(all);
    };
    const begun = this.#source.follow({ begin, change: (type, item) => this.#change(type === 'DELETED', item) }, stop.signal);
    const following = { begun, stop, isBegun: false };
    return following;
  }

  #leave(listener: ViewListener<V>): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#following?.stop.abort();
    this.#following = undefined;
    for (const known of [this.#views, this.#byController, this.#orphans]) known.clear();
    this.#revision = 0;
  }

  #begin(all: readonly SourceItem<T>[]): void {
    const here = new Set(all.map(sourceKey));
    for (const [key, view] of this.#views) if (!here.has(key)) this.#replace(key, view, undefined);
    for (const item of all) this.#change(false, item);
  }

  #change(isGone: boolean, item: SourceItem<T>): void {
    const key = sourceKey(item);
    const before = this.#views.get(key);
    this.#revision = Math.max(this.#revision, item.revision);
    if (!isGone && before?.revision === item.revision) return;
    this.#replace(key, before, isGone ? undefined : this.#viewOf(item));
  }

  #replace(key: string, before: V | undefined, after: V | undefined): void {
    if (before) this.#unlink(before);
    if (after) this.#link(after);
    if (after) this.#views.set(key, after);
    else this.#views.delete(key);
    for (const listener of this.#listeners) listener(before, after);
  }

  #link(view: V): void {
    const [sets, key] = this.#placeOf(view);
    const set = sets.get(key) ?? new Set();
    sets.set(key, set);
    set.add(view);
  }

  #unlink(view: V): void {
    const [sets, key] = this.#placeOf(view);
    const set = sets.get(key);
    set?.delete(view);
    if (set?.size === 0) sets.delete(key);
  }

  #placeOf({ controller, namespace }: V): readonly [Map<string, Set<V>>, string] {
    return controller === undefined ? [this.#orphans, namespace] : [this.#byController, controller.uid];
  }
}

export function objectViewOf({ namespace, name, revision, object: { metadata } }: SourceItem): ObjectView {
  return {
    namespace,
    name,
    revision,
    uid: metadata.uid ?? '',
    labels: metadata.labels ?? noLabels,
    controller: controllerOf(metadata),
    isDeleting: metadata.deletionTimestamp !== undefined,
  };
}

const noLabels: Readonly<Record<string, string>> = {};

export function controllerOf({ ownerReferences }: KubernetesObject['metadata']): OwnerReference | undefined {
  return ownerReferences?.find(({ controller }) => controller === true);
}

/** The sources of a server are the same object for all of its controllers. */
export function oncePerServer<T>(make: (sources: Sources) => T): (sources: Sources) => T {
  const made = new WeakMap<Sources, T>();
  return (sources) => {
    const known = made.get(sources) ?? make(sources);
    made.set(sources, known);
    return known;
  };
}
