// `binnacle storage migrate`: every object is written once more, in the form and with the key of today; or all of them into another store.
import { createHash } from 'node:crypto';
import { allObjects, type OpenedObjects, type ReadObject } from '#app/storage/open-objects.ts';
import { isBook } from '#app/storage/stored-kinds.ts';
import type { Progress } from '#cli/progress-bar.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { storeRoot } from '#resource/keys.ts';
import { rangeOf, type WriteOptions } from '#store/store.ts';

export interface RewriteSummary {
  readonly rewritten: number;
  /** Lay there as they would be written today. */
  readonly kept: number;
  /** Could not be read, and stay as they are. */
  readonly problems: readonly string[];
}

export interface MigrateParts {
  readonly progress: Progress;
  readonly eventTtlSeconds: number;
}

/** While servers run too: whoever writes an object meanwhile writes it in its newest form. */
export async function rewriteStorage(opened: OpenedObjects, { progress, eventTtlSeconds }: MigrateParts): Promise<RewriteSummary> {
  const { store } = opened;
  const total = await store.count(rangeOf(storeRoot));
  const problems: string[] = [];
  let [done, rewritten, kept] = [0, 0, 0];
  for await (const found of allObjects(opened)) {
    progress.report(++done, total, found.entry.key);
    if (found.resource === undefined) continue;
    if ('problem' in found) {
      problems.push(`${found.entry.key}: ${found.problem}`);
      continue;
    }
    const { entry, resource } = found;
    const value = await storedAs(resource, found.json, entry.key);
    if (Buffer.compare(value, entry.value) === 0) kept++;
    else if ((await store.compareAndSet(entry.key, entry.revision, value, ttlOf(entry.key, eventTtlSeconds))).committed) rewritten++;
  }
  return { rewritten, kept, problems };
}

export interface CopySummary {
  readonly copied: number;
  /** Were there from an attempt before. */
  readonly present: number;
  /** Of all keys and objects but events, the same on both sides. */
  readonly hash: string;
}

/** Throws where an object cannot be read, where the target has other keys, and where the two are not the same in the end. */
export async function copyStorage(source: OpenedObjects, target: OpenedObjects, { progress, eventTtlSeconds }: MigrateParts): Promise<CopySummary> {
  await refuseStrangers(source, target);
  // Definitions may not have arrived there yet.
  const there = target.kinds(await source.custom());
  const total = await source.store.count(rangeOf(storeRoot));
  let [done, copied, present] = [0, 0, 0];
  for await (const found of allObjects(source)) {
    progress.report(++done, total, found.entry.key);
    if (found.resource === undefined) {
      if (!found.isBook) throw new Error(`${found.entry.key}: its resource is not known; nothing is left behind`);
      continue;
    }
    const { json } = readable(found);
    const { key } = found.entry;
    const before = await target.store.get(key);
    const resource = there.of(key) ?? found.resource;
    if (before !== undefined && (await jsonIn(resource, key, before.value)).equals(json)) {
      present++;
      continue;
    }
    const value = await storedAs(resource, json, key);
    await target.store.compareAndSet(key, before?.revision ?? 0, value, ttlOf(key, eventTtlSeconds));
    copied++;
  }
  const [hash, copy] = [await hashOf(source), await hashOf(target)];
  if (hash.text !== copy.text)
    throw new Error(`the two are not the same: ${hash.count} objects here, ${copy.count} there; does a server write to one of them?`);
  return { copied, present, hash: hash.text };
}

/** What the target has and the source has not would be mixed with it. */
async function refuseStrangers(source: OpenedObjects, target: OpenedObjects): Promise<void> {
  const { entries } = await target.store.list(rangeOf(storeRoot));
  for (const { key } of entries) {
    if (!isBook(key) && (await source.store.get(key)) === undefined) throw new Error(`the target is not empty: it has ${key}, which the source has not`);
  }
}

async function storedAs({ form }: ResourceDefinition, json: Buffer, key: string): Promise<Uint8Array> {
  return (await form.toStore?.(json, key)) ?? json;
}

async function jsonIn({ form }: ResourceDefinition, key: string, value: Uint8Array): Promise<Buffer> {
  const [json = value] = (await form.fromStore?.([{ key, value }])) ?? [];
  return Buffer.from(json);
}

function readable(found: ReadObject): { readonly json: Buffer } {
  if ('problem' in found) throw new Error(`${found.entry.key}: ${found.problem}`);
  return found;
}

/** Leases of etcd are not copied: events live as long again as the flag says. */
function ttlOf(key: string, eventTtlSeconds: number): WriteOptions {
  return isEvent(key) ? { ttlSeconds: eventTtlSeconds } : {};
}

function isEvent(key: string): boolean {
  return key.startsWith(`${storeRoot}events/`);
}

async function hashOf(opened: OpenedObjects): Promise<{ readonly text: string; readonly count: number }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const found of allObjects(opened)) {
    // Events go by themselves, on either side in its own time.
    if (found.resource === undefined || isEvent(found.entry.key)) continue;
    hash.update(found.entry.key).update('\0').update(readable(found).json).update('\0');
    count++;
  }
  return { text: hash.digest('hex'), count };
}
