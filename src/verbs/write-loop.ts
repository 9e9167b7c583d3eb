// The one way anything is written: read the stored object, compute the next one, compare-and-set, again if somebody was faster.
import type { KubernetesObject } from '#api/object.ts';
import type { StoredForm } from '#api/stored-form.ts';
import { servedEntries } from '#cache/served-entries.ts';
import { keyOf } from '#resource/keys.ts';
import type { Undo } from '#resource/strategy.ts';
import type { Entry } from '#store/store.ts';
import type { Item } from '#verbs/answer.ts';
import { type Call, strategyContext } from '#verbs/call.ts';
import { itemOf } from '#verbs/written-item.ts';

export type Decision =
  /** `undo` hears whether the write came about. */
  | { readonly is: 'write'; readonly object: KubernetesObject; readonly undo?: Undo | undefined }
  /** `object` is the last state, for the answer. */
  | { readonly is: 'remove'; readonly object: KubernetesObject }
  | { readonly is: 'keep' };

export interface Written {
  readonly item: Item;
  readonly created: boolean;
  readonly removed: boolean;
}

export interface WriteTarget {
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
}

/** The object that the request names. */
export function targetOf({ namespace, name }: Call, dryRun: boolean): WriteTarget {
  return { namespace, name, dryRun };
}

/** `decide` may run several times; it gets what is stored now and must not change it. */
export async function writeLoop(call: Call, target: WriteTarget, decide: (current: Item | undefined) => Promise<Decision> | Decision): Promise<Written> {
  const key = keyOf(call.hub, target.namespace, target.name);
  const cache = call.world.caches.get(call.hub);
  if (!cache.isReady) await cache.ready;
  let current: Item | undefined = cache.get(target.namespace, target.name);
  for (;;) {
    if (call.asker.gone) call.asker.signal.throwIfAborted();
    const deciding = decide(current);
    const decision = deciding instanceof Promise ? await deciding : deciding;
    if (decision.is === 'keep') return { item: current as Item, created: false, removed: false };
    const json = target.dryRun ? encodeForRehearsal(call.hub.form, decision.object) : call.hub.form.encode(decision.object);
    if (decision.is === 'write' && current && isStored(call.hub.form, json, current)) {
      if (decision.undo) await decision.undo(true);
      return { item: current, created: false, removed: false };
    }
    const outcome = target.dryRun ? rehearse(call.hub.form, { decision, json }, current) : await commit(call, key, { decision, json }, current);
    if (outcome.committed) return outcome.written;
    current = outcome.current && (await itemIn(call.hub.form, outcome.current));
  }
}

type Outcome = { committed: true; written: Written } | { committed: false; current: Entry | undefined };

interface Encoded {
  readonly decision: Exclude<Decision, { is: 'keep' }>;
  readonly json: Buffer;
}

async function commit(call: Call, key: string, { decision, json }: Encoded, current: Item | undefined): Promise<Outcome> {
  const undo = decision.is === 'write' ? decision.undo : undefined;
  try {
    const { form } = call.hub;
    const sealed = decision.is === 'remove' ? undefined : (form.toStore?.(json, key) ?? json);
    const value = sealed instanceof Promise ? await sealed : sealed;
    const result = await call.world.store.compareAndSet(key, current?.revision ?? 0, value, ttlOf(call));
    const told = undo?.(result.committed);
    if (told) await told;
    if (!result.committed) return { committed: false, current: result.current };
    const removed = decision.is === 'remove';
    if (removed) await call.hub.strategy.afterDelete?.(decision.object, strategyContext(call, false));
    return { committed: true, written: { item: itemOf(form, json, result.revision), created: current === undefined, removed } };
  } catch (error) {
    await undo?.(false);
    throw error;
  }
}

function rehearse(form: StoredForm, { decision, json }: Encoded, current: Item | undefined): Outcome {
  if (decision.is === 'write') void decision.undo?.(false);
  // What the client sent as resourceVersion stays in the answer to a creation that does not happen.
  const item = current ? itemOf(form, json, current.revision) : itemOf(form, form.encodeWhole(decision.object), 0);
  return { committed: true, written: { item, created: current === undefined, removed: decision.is === 'remove' } };
}

function ttlOf(call: Call): { ttlSeconds: number } | undefined {
  const seconds = call.hub.strategy.ttlSeconds?.(strategyContext(call, false));
  return seconds === undefined ? undefined : { ttlSeconds: seconds };
}

/** A selfLink that was sent stays in the answer to what does not happen. */
function encodeForRehearsal(form: StoredForm, object: KubernetesObject): Buffer {
  return form.encodeWhole({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
}

/** Most writes change the length; only the others are compared. */
function isStored(form: StoredForm, json: Buffer, current: Item): boolean {
  const item = itemOf(form, json, current.revision);
  return (current.byteLength === undefined || current.byteLength === item.byteLength) && item.json.equals(current.json);
}

async function itemIn(form: StoredForm, entry: Entry): Promise<Item> {
  const [served = entry] = await servedEntries(form, [entry]);
  return itemOf(form, served.value, served.revision);
}
