// The one way anything is written: read the stored object, compute the next one, compare-and-set, again if another write was faster.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { StoredForm } from '#api/stored-form.ts';
import { isForUnreadable } from '#api/unreadable-error.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { lazily } from '#base/lazily.ts';
import { nextTurn, Turn } from '#base/next-turn.ts';
import { servedEntry } from '#cache/served-entries.ts';
import type { ObjectReader } from '#cache/object-reader.ts';
import { keyOf } from '#resource/keys.ts';
import type { Entry } from '#store/store.ts';
import type { Item } from '#verbs/answer.ts';
import { type Call, strategyContext } from '#verbs/call.ts';
import { Outcome } from '#verbs/outcome.ts';
import { surelyFits, tooLargeToStore } from '#verbs/stored-size.ts';
import { isStored, itemOf } from '#verbs/written-item.ts';

export type Decision =
  | { readonly is: 'write'; readonly object: KubernetesObject }
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
  /** An object that is too large with its managedFields is stored without them: upstream's create, update and patch do that. */
  readonly mayForgetOwners?: boolean;
}

/** The object that the request names. */
export function targetOf({ namespace, name }: Call, dryRun: boolean, more: Pick<WriteTarget, 'mayForgetOwners'> = {}): WriteTarget {
  return { namespace, name, dryRun, ...more };
}

/** From what is stored now, which stays as it is, to what should be. May run several times, each time with an outcome of its own. */
export type Decide = (current: Item | undefined, outcome: Outcome) => MaybePromise<Decision>;

export async function writeLoop(call: Call, target: WriteTarget, decide: Decide): Promise<Written> {
  const cache = call.world.caches.reader(call.hub);
  let current: Item | undefined = cache.isReady ? cache.get(target.namespace, target.name) : await firstRead(cache, target);
  // Another server may have written it since: what is decided without a write, or refused, is decided on the latest.
  let isCurrent = false;
  const renewed = async () => {
    const before = current;
    current = isCurrent ? before : await cache.readLatest(target.namespace, target.name, call.asker);
    isCurrent = true;
    return current?.revision !== before?.revision;
  };
  for (;;) {
    if (call.asker.gone) call.asker.signal.throwIfAborted();
    const outcome = new Outcome();
    let ended: Attempt | undefined;
    try {
      const turn = new Turn();
      const deciding = decide(current, outcome);
      const decision = deciding instanceof Promise ? await deciding : deciding;
      const afterDeciding = turn.next();
      if (afterDeciding) await afterDeciding;
      const attempting = attempt(call, target, decision, current);
      // Encoding may have taken long; the time that the store takes is no work of ours.
      const afterEncoding = turn.next();
      ended = await attempting;
      if (ended.is === 'unwritten' && (await renewed())) ended = undefined;
      if (afterEncoding) await afterEncoding;
    } catch (error) {
      if (!(error instanceof ApiError) || !(await renewed())) throw error;
    } finally {
      // The only place where those who did something for this write hear what became of it.
      const settling = outcome.settle(ended?.stored ?? false);
      if (settling) await settling;
    }
    if (ended === undefined) continue;
    if (ended.is !== 'overtaken') {
      if (ended.written.removed && !target.dryRun) await call.hub.strategy.afterDelete?.(ended.written.item.object, strategyContext(call, false));
      return ended.written;
    }
    current = ended.current && (await itemIn(call.hub.form, ended.current));
    isCurrent = true;
  }
}

/** Where other objects of the resource cannot be read, this one may be. */
async function firstRead(cache: ObjectReader, { namespace, name }: WriteTarget): Promise<Item | undefined> {
  try {
    await cache.ready;
  } catch (error) {
    if (!isForUnreadable(error)) throw error;
  }
  return cache.read(namespace, name);
}

/** `unwritten`: it is all right as it is, or a rehearsal. `stored`: the wanted state is in the store, or the object is gone from it. */
type Attempt =
  | { readonly is: 'done' | 'unwritten'; readonly stored: boolean; readonly written: Written }
  | { readonly is: 'overtaken'; readonly stored: false; readonly current: Entry | undefined };

type Change = Exclude<Decision, { is: 'keep' }>;

function attempt(call: Call, target: WriteTarget, decision: Decision, current: Item | undefined): MaybePromise<Attempt> {
  const { form } = call.hub;
  if (decision.is === 'remove' && !target.dryRun) return commitRemoval(call, target, decision.object, current);
  if (decision.is === 'keep') return kept(current as Item);
  const json = target.dryRun ? encodeForRehearsal(form, decision.object, current) : form.encode(decision.object);
  if (decision.is === 'write' && current && isStored(form, json, current)) {
    return target.dryRun || form.isStale === undefined ? kept(current) : keepUnlessStale(call, target, { decision, json }, current);
  }
  return target.dryRun ? rehearse(form, decision, json, current) : commit(call, target, { decision, json }, current);
}

function kept(item: Item): Attempt {
  return { is: 'unwritten', stored: true, written: { item, created: false, removed: false } };
}

/** Nothing changes for readers. What is stored may be encrypted with a key that is on its way out: the cache does not know, the store does. */
async function keepUnlessStale(call: Call, target: WriteTarget, encoded: Encoded, current: Item): Promise<Attempt> {
  const { hub, world } = call;
  const entry = await world.storeOf(hub).get(keyOf(hub, target.namespace, target.name));
  if (entry === undefined || entry.revision !== current.revision) return { is: 'overtaken', stored: false, current: entry };
  return (await hub.form.isStale?.(entry)) ? commit(call, target, encoded, current) : kept(current);
}

/** What goes is encoded only when somebody asks for it. */
async function commitRemoval(call: Call, target: WriteTarget, object: KubernetesObject, current: Item | undefined): Promise<Attempt> {
  const { form } = call.hub;
  const result = await call.world.storeOf(call.hub).compareAndSet(keyOf(call.hub, target.namespace, target.name), current?.revision ?? 0, undefined);
  if (!result.committed) return { is: 'overtaken', stored: false, current: result.current };
  const written = new Removed(() => itemOf(form, form.encode(object), result.revision));
  return { is: 'done', stored: true, written };
}

class Removed implements Written {
  readonly created = false;
  readonly removed = true;
  readonly #lastState: () => Item;

  constructor(lastState: () => Item) {
    this.#lastState = lazily(lastState);
  }

  get item(): Item {
    return this.#lastState();
  }
}

interface Encoded {
  readonly decision: Change;
  readonly json: Buffer;
}

async function commit(call: Call, target: WriteTarget, { decision, json: encoded }: Encoded, current: Item | undefined): Promise<Attempt> {
  const { form } = call.hub;
  const key = keyOf(call.hub, target.namespace, target.name);
  const fits = encoded.length < surelyFits;
  const json = fits ? encoded : await storable(call, target, { decision, json: encoded }, current);
  const sealed = form.toStore?.(json, key) ?? json;
  const value = sealed instanceof Promise ? await sealed : sealed;
  const result = await call.world.storeOf(call.hub).compareAndSet(key, current?.revision ?? 0, value, ttlOf(call));
  if (!result.committed) return { is: 'overtaken', stored: false, current: result.current };
  return { is: 'done', stored: true, written: { item: itemOf(form, json, result.revision), created: current === undefined, removed: false } };
}

/** What to store: what was encoded, or less where the object is too large with its managedFields. Refuses what is too large anyway. */
async function storable(call: Call, target: WriteTarget, { decision: { object }, json }: Encoded, current: Item | undefined): Promise<Buffer> {
  const { hub } = call;
  const key = keyOf(hub, target.namespace, target.name);
  const write = { key, revision: current?.revision ?? 0, leased: ttlOf(call) !== undefined };
  await nextTurn();
  const refusal = tooLargeToStore(hub, { ...write, object, json: () => json });
  if (refusal === undefined) return json;
  if (target.mayForgetOwners !== true) throw refusal;
  await nextTurn();
  const bare = { ...object, metadata: { ...object.metadata, managedFields: undefined } };
  const less = lazily(() => hub.form.encode(bare));
  const still = tooLargeToStore(hub, { ...write, object: bare, json: less });
  if (still !== undefined) throw still;
  await nextTurn();
  return less();
}

function rehearse(form: StoredForm, decision: Change, json: Buffer, current: Item | undefined): Attempt {
  const item = itemOf(form, json, current?.revision ?? 0);
  return { is: 'unwritten', stored: false, written: { item, created: current === undefined, removed: decision.is === 'remove' } };
}

function ttlOf(call: Call): { ttlSeconds: number } | undefined {
  const seconds = call.hub.strategy.ttlSeconds?.(strategyContext(call, false));
  return seconds === undefined ? undefined : { ttlSeconds: seconds };
}

/** A selfLink that was sent stays in the answer to what does not happen, a resourceVersion in the answer to a creation that does not happen. */
function encodeForRehearsal(form: StoredForm, object: KubernetesObject, current: Item | undefined): Buffer {
  if (current === undefined) return form.encodeWhole(object);
  return form.encodeWhole({ ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
}

async function itemIn(form: StoredForm, entry: Entry): Promise<Item> {
  const served = await servedEntry(form, entry);
  return itemOf(form, served.value, served.revision);
}
