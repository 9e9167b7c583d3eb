// A port: all stored objects of a resource, and what becomes of them. Loops and policy code follow objects through it; the watch cache
// provides it in process (cache/cache-source.ts), informers provide it over HTTPS (client/informer-source.ts).
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';

export interface SourceItem<T extends KubernetesObject = KubernetesObject> {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Made when it is asked for. */
  readonly object: T;
  readonly json: Buffer;
  /** Parts can be read without parsing all of it. */
  valueAt(path: readonly Uint8Array[]): unknown;
}

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface Follower<T extends KubernetesObject = KubernetesObject> {
  /** All there is, at the start and whenever changes may have been missed. */
  readonly begin: (all: readonly SourceItem<T>[]) => void;
  readonly change: (type: ChangeType, item: SourceItem<T>) => void;
}

/** Nothing is known before the first `begin` of a follower. */
export interface Source<T extends KubernetesObject = KubernetesObject> {
  readonly resource: GroupResource;
  get(namespace: string, name: string): SourceItem<T> | undefined;
  /** Of one namespace, or all there is. */
  list(namespace?: string): readonly SourceItem<T>[];
  /** Resolves when the follower has begun, or `signal` has aborted; changes are told until it aborts. */
  follow(follower: Follower<T>, signal: AbortSignal): Promise<void>;
}

/** For loops that keep what they must know of all objects themselves. */
export type FollowedSource<T extends KubernetesObject = KubernetesObject> = Omit<Source<T>, 'list'>;

/** One source for each resource, shared by all that follow it. */
export interface Sources {
  of<T extends KubernetesObject>(resource: GroupResource): Source<T>;
}

export interface Mirror<T extends KubernetesObject> {
  readonly put: (object: T) => void;
  readonly drop: (namespace: string, name: string) => void;
}

export interface ItemMirror<T extends KubernetesObject> extends Pick<Mirror<T>, 'drop'> {
  readonly put: (item: SourceItem<T>) => void;
}

/** A follower that keeps something in step object by object; what went while changes were missed is dropped. */
export function mirror<T extends KubernetesObject>({ put, drop }: Mirror<T>): Follower<T> {
  return mirrorItems({ put: ({ object }) => put(object), drop });
}

/** The same for who need not parse every object at once. */
export function mirrorItems<T extends KubernetesObject>({ put, drop }: ItemMirror<T>): Follower<T> {
  const known = new Set<string>();
  const forget = (key: string) => {
    const { namespace, name } = splitKey(key);
    known.delete(key);
    drop(namespace, name);
  };
  const learn = (item: SourceItem<T>) => {
    known.add(sourceKey(item));
    put(item);
  };
  return {
    begin(all) {
      const here = new Set(all.map(sourceKey));
      for (const key of known) if (!here.has(key)) forget(key);
      for (const item of all) learn(item);
    },
    change: (type, item) => (type === 'DELETED' ? forget(sourceKey(item)) : learn(item)),
  };
}

/** `namespace/name`; a cluster-scoped object has no namespace before the slash. */
export function sourceKey({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const cut = key.indexOf('/');
  return { namespace: key.slice(0, cut), name: key.slice(cut + 1) };
}
