// Both stores that run in this process against a model that keeps every state there ever was.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import type { ExpiringStore } from '#store/expiry.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { type Change, CompactedError, FutureRevisionError, type KeyRange, type Revision } from '#store/store.ts';

interface Value {
  readonly revision: Revision;
  readonly text: string;
}
type State = ReadonlyMap<string, Value>;

/** States by revision, the revision being the index. Plain and slow. */
class Model {
  readonly states: State[] = [new Map(), new Map()];
  readonly changes: { key: string; revision: Revision; text: string | undefined; previous: Revision | undefined }[] = [];
  compactedAt = 0;

  get revision(): Revision {
    return this.states.length - 1;
  }

  write(key: string, expected: Revision, text: string | undefined): { committed: boolean; revision: Revision | undefined } {
    const state = new Map(this.states[this.revision]);
    const current = state.get(key);
    if ((current?.revision ?? 0) !== expected || (current === undefined && text === undefined)) return { committed: false, revision: current?.revision };
    const revision = this.revision + 1;
    if (text === undefined) state.delete(key);
    else state.set(key, { revision, text });
    this.states.push(state);
    this.changes.push({ key, revision, text, previous: current?.revision });
    return { committed: true, revision };
  }

  list({ start, end }: KeyRange, at: Revision): string[] {
    const state = this.states[at] as State;
    return [...state]
      .filter(([key]) => Buffer.compare(Buffer.from(start), Buffer.from(key)) <= 0 && Buffer.compare(Buffer.from(key), Buffer.from(end)) < 0)
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .map(([key, { revision, text }]) => `${key}@${revision}=${text}`);
  }
}

const key = fc.constantFrom('/a', '/a/b', '/a-b', '/b', '/ä', '/\uffee', '/\u{1f600}', '/c');
const range = fc.record({ start: key, end: key });
/** Picks a revision relative to what there is: some current, some old, some in the future. */
const position = fc.double({ min: 0, max: 1.1, noNaN: true });
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('write' as const), key, stale: fc.boolean(), text: fc.option(fc.string({ maxLength: 8 }), { nil: undefined }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const), range, at: position, limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('get' as const), key, at: position }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watch' as const), range, after: position }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), before: position }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Subject {
  store: ExpiringStore;
  /** Undefined for stores that do not outlive their closing. */
  readonly reopen: (() => Promise<ExpiringStore>) | undefined;
}

const scratch = mkdtempSync(join(tmpdir(), 'binnacle-model-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const kinds: Record<string, () => Promise<Subject>> = {
  'the memory store': async () => ({ store: openMemoryStore(), reopen: undefined }),
  'the embedded store': async () => {
    const directory = mkdtempSync(join(scratch, 'store-'));
    const reopen = () => openEmbeddedStore(directory);
    return { store: await reopen(), reopen };
  },
};

describe.each(Object.entries(kinds))('%s', (_, open) => {
  test('does what a plain map with all its history does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const subject = await open();
        const model = new Model();
        try {
          for (const one of steps) await take(one, subject, model);
          await compareAll(subject.store, model);
        } finally {
          await subject.store.close();
        }
      }),
      { numRuns: 60 },
    );
  });

  test('concurrent writes come out as if they had been done one after the other', async () => {
    const writes = fc.array(fc.record({ key, guess: fc.integer({ min: 0, max: 12 }), text: fc.option(fc.string({ maxLength: 8 }), { nil: undefined }) }), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        const { store } = await open();
        try {
          const results = await Promise.all(
            all.map(async ({ key, guess, text }) => ({ key, guess, text, result: await store.compareAndSet(key, guess, bytesOf(text)) })),
          );
          const committed = results.flatMap(({ result, ...write }) => (result.committed ? [{ ...write, revision: result.revision }] : []));
          const model = new Model();
          for (const { key, guess, text, revision } of committed.sort((a, b) => a.revision - b.revision)) {
            expect(model.write(key, guess, text)).toEqual({ committed: true, revision });
          }
          await compareAll(store, model);
        } finally {
          await store.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});

async function take(step: Step, subject: Subject, model: Model): Promise<void> {
  const { store } = subject;
  const at = (position: number) => Math.round(position * model.revision);
  switch (step.do) {
    case 'write':
      return compareWrite(store, model, step);
    case 'get':
      return compareGet(store, model, step.key, at(step.at));
    case 'list':
      return compareList(store, model, { ...step, at: at(step.at) });
    case 'watch':
      return compareWatch(store, model, step.range, at(step.after));
    case 'compact':
      return compareCompact(store, model, at(step.before));
    case 'reopen':
      if (subject.reopen === undefined) return;
      await store.close();
      subject.store = await subject.reopen();
      expect(await subject.store.revision()).toBe(model.revision);
  }
}

async function compareWrite(
  store: ExpiringStore,
  model: Model,
  { key, stale, text }: { key: string; stale: boolean; text: string | undefined },
): Promise<void> {
  const current = model.states[model.revision]?.get(key)?.revision ?? 0;
  const expected = stale ? current + 1 : current;
  const result = await store.compareAndSet(key, expected, bytesOf(text));
  const seen = result.committed ? result : { committed: false, revision: result.current?.revision };
  expect(seen).toEqual(model.write(key, expected, text));
}

async function compareGet(store: ExpiringStore, model: Model, key: string, at: Revision): Promise<void> {
  if (await refuses(model, at, () => store.get(key, { at }))) return;
  const entry = await store.get(key, { at });
  expect(entry && { revision: entry.revision, text: Buffer.from(entry.value).toString() }).toEqual(model.states[at]?.get(key));
}

async function compareList(store: ExpiringStore, model: Model, { range, at, limit }: { range: KeyRange; at: Revision; limit: number }): Promise<void> {
  if (await refuses(model, at, () => store.list(range, { at, limit }))) return;
  const page = await store.list(range, { at, limit });
  const whole = model.list(range, at);
  expect(page.entries.map(({ key, revision, value }) => `${key}@${revision}=${Buffer.from(value)}`)).toEqual(whole.slice(0, limit));
  expect([page.revision, page.more]).toEqual([at, whole.length > limit]);
}

async function compareWatch(store: ExpiringStore, model: Model, range: KeyRange, after: Revision): Promise<void> {
  if (after < model.compactedAt) {
    await expect(readOn(store, range, after, 1)).rejects.toThrow(CompactedError);
    return;
  }
  const expected = model.changes.filter(
    ({ key, revision }) =>
      revision > after &&
      model
        .list(range, revision)
        .concat(model.list(range, revision - 1))
        .some((entry) => entry.startsWith(`${key}@`)),
  );
  const changes = await readOn(store, range, after, expected.length);
  expect(
    changes.map(({ key, revision, value, previous }) => ({ key, revision, text: value && Buffer.from(value).toString(), previous: previous?.revision })),
  ).toEqual(expected);
}

async function compareCompact(store: ExpiringStore, model: Model, before: Revision): Promise<void> {
  if (before > model.revision) {
    await expect(store.compact(before)).rejects.toThrow(FutureRevisionError);
    return;
  }
  await store.compact(before);
  model.compactedAt = Math.max(model.compactedAt, before);
}

async function compareAll(store: ExpiringStore, model: Model): Promise<void> {
  const everything = { start: '/', end: '0' };
  expect(await store.revision()).toBe(model.revision);
  for (let at = model.compactedAt; at <= model.revision; at++) await compareList(store, model, { range: everything, at, limit: 100 });
  await compareWatch(store, model, everything, model.compactedAt);
  expect(await store.count(everything)).toBe(model.list(everything, model.revision).length);
}

async function refuses(model: Model, at: Revision, read: () => Promise<unknown>): Promise<boolean> {
  if (at > model.revision) await expect(read()).rejects.toThrow(FutureRevisionError);
  else if (at < model.compactedAt) await expect(read()).rejects.toThrow(CompactedError);
  else return false;
  return true;
}

async function readOn(store: ExpiringStore, range: KeyRange, after: Revision, count: number): Promise<Change[]> {
  const changes: Change[] = [];
  if (count === 0) return changes;
  for await (const batch of store.watch(range, after, new AbortController().signal)) {
    changes.push(...batch.changes);
    if (changes.length >= count) break;
  }
  return changes;
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text);
}
