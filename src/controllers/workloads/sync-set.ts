// How a controller comes to the set that a key names: one that is gone is forgotten, what was written for it is heard of before anything is
// counted, and in a namespace that ends nothing is made.
import type { KubernetesObject } from '#api/object.ts';
import { type Source, splitKey } from '#api/source.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import { type OwnWrites, unheardPatienceMs } from '#controllers/workloads/own-writes.ts';

export type Again = { readonly againMs: number } | void;

export interface SetSync<T extends KubernetesObject> {
  readonly sets: Source<T>;
  readonly ownWrites: OwnWrites;
  /** True: there is nothing to do for this one. */
  readonly skips?: (set: T) => boolean;
  readonly sync: (set: T) => Promise<Again>;
}

export async function syncSet<T extends KubernetesObject>(key: string, { sets, ownWrites, skips, sync }: SetSync<T>): Promise<Again> {
  const { namespace, name } = splitKey(key);
  const set = sets.get(namespace, name)?.object;
  if (set === undefined) return ownWrites.forget(key);
  if (skips?.(set)) return;
  if (!(await ownWrites.areHeard(key))) return { againMs: unheardPatienceMs };
  try {
    return await sync(set);
  } catch (error) {
    if (!isNamespaceEnding(error)) throw error;
  }
}
