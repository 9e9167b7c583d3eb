// What the tests of the store contract share: a store to test, a clock that stands still, and short forms for writing and reading.
import { test as plainTest, expect } from 'vitest';
import type { ExpiringStore } from '#store/expiry.ts';
import { type Change, type Revision, rangeOf, type WatchBatch, type WriteResult } from '#store/store.ts';
import { nextTurn } from '#base/next-turn.ts';

/** A clock that stands still until it is told to move on. */
export class StoppedClock {
  #now = Date.parse('2026-01-01T00:00:00Z');

  now(): Date {
    return new Date(this.#now);
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

export const pods = rangeOf('/registry/pods/');

export type OpenStore = (clock: StoppedClock) => Promise<ExpiringStore>;

export interface Subject {
  clock: StoppedClock;
  store: ExpiringStore;
  /** Ends the watches of the test. */
  signal: AbortSignal;
}

export type ContractTest = (name: string, body: (subject: Subject) => Promise<void>) => void;

/** A test with a fresh store, closed when it ends. */
export function contractTest(open: OpenStore): ContractTest {
  return (name, body) =>
    plainTest(name, async () => {
      const clock = new StoppedClock();
      const end = new AbortController();
      const store = await open(clock);
      try {
        await body({ clock, store, signal: end.signal });
      } finally {
        end.abort();
        await store.close();
      }
    });
}

export function bytes(value: string): Uint8Array {
  return Buffer.from(value);
}

export function text(value: Uint8Array): string {
  return Buffer.from(value).toString();
}

export function pod(name: string): string {
  return pods.start + name;
}

/** A write that must succeed. */
export async function write(store: ExpiringStore, name: string, expected: Revision, value: string | undefined): Promise<Revision> {
  const result = await store.compareAndSet(pod(name), expected, value === undefined ? undefined : bytes(value));
  if (!result.committed) throw new Error(`${name} is not at ${expected} but at ${result.current?.revision ?? 0}`);
  return result.revision;
}

export async function writeMany(store: ExpiringStore, prefix: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await write(store, `${prefix}${i}`, 0, `${i}`);
}

/** Does not wait for the disk where the store can do that. */
export function writeDeferred(
  store: ExpiringStore,
  name: string,
  expected: Revision,
  value: string,
  onLost: () => void = failOnLoss,
): WriteResult | Promise<WriteResult> {
  return store.compareAndSetDeferred(pod(name), expected, bytes(value), onLost);
}

function failOnLoss(): never {
  throw new Error('a deferred write was lost');
}

type WriteText = (store: ExpiringStore, name: string, expected: Revision, value: string) => WriteResult | Promise<WriteResult>;

export async function increment(store: ExpiringStore, name: string, times: number, set: WriteText = writeBehind): Promise<void> {
  for (let done = 0; done < times; ) {
    const entry = await store.get(pod(name));
    const next = `${Number(text(entry?.value ?? bytes('NaN'))) + 1}`;
    if ((await set(store, name, entry?.revision ?? 0, next)).committed) done++;
  }
}

const writeBehind: WriteText = (store, name, expected, value) => store.compareAndSet(pod(name), expected, bytes(value));

export async function valueOf(store: ExpiringStore, name: string): Promise<string | undefined> {
  const entry = await store.get(pod(name));
  return entry && text(entry.value);
}

export async function stateAt(store: ExpiringStore, at: Revision): Promise<string> {
  const { entries } = await store.list(pods, { at });
  return entries.map(({ key, value }) => `${key.slice(pods.start.length)}=${text(value)}`).join(' ');
}

export function readable(result: WriteResult | { key: string; value: Uint8Array; revision: Revision } | undefined): unknown {
  if (result === undefined) return undefined;
  if ('key' in result) return { ...result, value: text(result.value) };
  return result.committed ? result : { ...result, current: readable(result.current) };
}

export function keysOf(entries: readonly { readonly key: string }[]): string[] {
  return entries.map(({ key }) => key);
}

/** "revision key: previous@revision > value" */
export function told({ key, revision, value, previous }: Change): string {
  const before = previous === undefined ? '-' : `${text(previous.value)}@${previous.revision}`;
  return `${revision} ${key.slice(pods.start.length)}: ${before} > ${value === undefined ? '-' : text(value)}`;
}

export async function collect(batches: AsyncIterable<WatchBatch>, count: number): Promise<Change[]> {
  const changes: Change[] = [];
  let told: Revision = 0;
  for await (const batch of batches) {
    expect(batch.revision).toBeGreaterThan(told);
    for (const { revision } of batch.changes) expect(revision <= batch.revision && revision > told).toBe(true);
    told = batch.revision;
    changes.push(...batch.changes);
    if (changes.length >= count) break;
  }
  return changes;
}

export async function each(batches: AsyncIterable<WatchBatch>, visit: (change: Change) => unknown): Promise<void> {
  for await (const { changes } of batches) for (const change of changes) await visit(change);
}

export function countFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}
