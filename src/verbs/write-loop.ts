// The one way anything is written: read the stored object, compute the next one, compare-and-set, again if somebody was faster.
import type { KubernetesObject } from '#api/object.ts';
import { placeOfVersion, type VersionPlace, withResourceVersion } from '#cache/resource-version.ts';
import { encodeJsonBytes } from '#schema/json/encode-bytes.ts';
import { parseStored } from '#schema/json/parse-json.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { keyOf } from '#resource/keys.ts';
import type { Undo } from '#resource/strategy.ts';
import type { Entry } from '#store/store.ts';
import type { Item } from '#verbs/answer.ts';
import { type Call, strategyContext } from '#verbs/call.ts';

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
    const bytes = target.dryRun ? encodeForRehearsal(call.hub, decision.object) : encodeForStore(call.hub, decision.object);
    if (decision.is === 'write' && current && isStored(bytes, current)) {
      if (decision.undo) await decision.undo(true);
      return { item: current, created: false, removed: false };
    }
    const outcome = target.dryRun ? rehearse(call.hub, { decision, bytes }, current) : await commit(call, key, { decision, bytes }, current);
    if (outcome.committed) return outcome.written;
    current = outcome.current && itemOf(call.hub, outcome.current.value, outcome.current.revision);
  }
}

type Outcome = { committed: true; written: Written } | { committed: false; current: Entry | undefined };

interface Encoded {
  readonly decision: Exclude<Decision, { is: 'keep' }>;
  readonly bytes: Buffer;
}

async function commit(call: Call, key: string, { decision, bytes }: Encoded, current: Item | undefined): Promise<Outcome> {
  const undo = decision.is === 'write' ? decision.undo : undefined;
  try {
    const result = await call.world.store.compareAndSet(key, current?.revision ?? 0, decision.is === 'write' ? bytes : undefined, ttlOf(call));
    const told = undo?.(result.committed);
    if (told) await told;
    if (!result.committed) return { committed: false, current: result.current };
    const removed = decision.is === 'remove';
    if (removed) await call.hub.strategy.afterDelete?.(decision.object, strategyContext(call, false));
    return { committed: true, written: { item: itemOf(call.hub, bytes, result.revision), created: current === undefined, removed } };
  } catch (error) {
    await undo?.(false);
    throw error;
  }
}

function rehearse(hub: ResourceDefinition, { decision, bytes }: Encoded, current: Item | undefined): Outcome {
  if (decision.is === 'write') void decision.undo?.(false);
  // What the client sent as resourceVersion stays in the answer to a creation that does not happen.
  const item = current ? itemOf(hub, bytes, current.revision) : itemOf(hub, encodeJsonBytes(hub.schema, decision.object), 0);
  return { committed: true, written: { item, created: current === undefined, removed: decision.is === 'remove' } };
}

function ttlOf(call: Call): { ttlSeconds: number } | undefined {
  const seconds = call.hub.strategy.ttlSeconds?.(strategyContext(call, false));
  return seconds === undefined ? undefined : { ttlSeconds: seconds };
}

/** The stored form: without resourceVersion, which is put in place when the bytes are read, and without selfLink, which is nothing any more. */
export function encodeForStore(hub: ResourceDefinition, object: KubernetesObject): Buffer {
  const { resourceVersion, selfLink } = object.metadata;
  if (resourceVersion === undefined && selfLink === undefined) return encodeJsonBytes(hub.schema, object);
  return encodeJsonBytes(hub.schema, { ...object, metadata: { ...object.metadata, resourceVersion: undefined, selfLink: undefined } });
}

function encodeForRehearsal(hub: ResourceDefinition, object: KubernetesObject): Buffer {
  return encodeJsonBytes(hub.schema, { ...object, metadata: { ...object.metadata, resourceVersion: undefined } });
}

/** Most writes change the length; only the others are compared. */
function isStored(bytes: Buffer, current: Item): boolean {
  const { length } = placeOfVersion(bytes, current.revision).text;
  if (current.byteLength !== undefined && current.byteLength !== bytes.length + length) return false;
  return withResourceVersion(bytes, current.revision).equals(current.json);
}

/** Revision 0 stands for an object that was never stored (dry run): it has no resourceVersion. */
export function itemOf(hub: ResourceDefinition, stored: Uint8Array, revision: number): Item {
  return new WrittenItem(hub, stored, revision === 0 ? nowhere : placeOfVersion(stored, revision), revision);
}

const nowhere: VersionPlace = { start: 0, end: 0, text: '' };

/** Stored bytes and a resourceVersion, put together where somebody needs them. */
class WrittenItem implements Item {
  readonly revision: number;
  readonly byteLength: number;
  readonly #hub: ResourceDefinition;
  readonly #stored: Uint8Array;
  readonly #place: VersionPlace;
  #json: Buffer | undefined;
  #object: KubernetesObject | undefined;

  constructor(hub: ResourceDefinition, stored: Uint8Array, place: VersionPlace, revision: number) {
    this.#hub = hub;
    this.#stored = stored;
    this.#place = place;
    this.revision = revision;
    this.byteLength = stored.length + place.text.length;
  }

  get json(): Buffer {
    if (this.#json === undefined) {
      this.#json = Buffer.allocUnsafe(this.byteLength);
      this.copyTo(this.#json, 0, 0);
    }
    return this.#json;
  }

  get object(): KubernetesObject {
    this.#object ??= parseStored(this.json, this.#hub.schema);
    return this.#object;
  }

  copyTo(target: Uint8Array, at: number, skip = 0): number {
    const { start, text } = this.#place;
    if (skip > start) target.set(this.json.subarray(skip), at);
    else {
      const middle = at + start - skip;
      target.set(this.#stored.subarray(skip, start), at);
      for (let index = 0; index < text.length; index++) target[middle + index] = text.charCodeAt(index);
      target.set(this.#stored.subarray(start), middle + text.length);
    }
    return at + this.byteLength - skip;
  }
}
