// What must be true of a store after its process was killed, checked against what that process had told, over many lives
// of one directory. Every check throws with a sentence that says what was broken.
import assert from 'node:assert/strict';
import { type Change, type Page, rangeOf, type Revision, type Store } from '#store/store.ts';
import { decodeValue, type JournalLine, sameStamp, type Stamp } from './crash-journal.ts';

interface Write {
  readonly key: string;
  readonly stamp: Stamp | undefined;
}

const everything = rangeOf('/registry/');

export class Ledger {
  /** Acknowledged or found after a crash; all of them have to stay as they are. */
  readonly #known = new Map<Revision, Write>();
  #tried: Write[] = [];
  /** Revision found at the end of the last life: everything new lies behind it. */
  #last: Revision = 1;
  #compacted: Revision = 0;
  acknowledged = 0;

  note(line: JournalLine): void {
    if (line.event === 'trying') this.#tried.push({ key: line.key, stamp: line.stamp });
    if (line.event === 'written') this.#noteWritten(line.revision, { key: line.key, stamp: line.stamp });
    if (line.event === 'compacting') this.#compacted = Math.max(this.#compacted, line.before);
    if (line.event === 'watched') assert.ok(line.revision > this.#last, `revision ${line.revision} was told twice`);
  }

  /** The whole check of a reopened store; `watched` is the last revision a watcher saw in the life before. */
  async check(store: Store, watched: Revision, random: () => number): Promise<void> {
    const revision = await store.revision();
    assert.ok(revision >= watched, `a watcher saw revision ${watched}, the store is back at ${revision}`);
    const start = await this.#historyStart(store);
    const changes = await readChanges(store, start, revision);
    this.#checkChanges(changes, start, revision);
    await checkStates(store, changes, start, random);
    for (let i = 0; i < 5; i++) await checkResumption(store, changes, between(start, revision, random), revision);
    this.#last = revision;
    this.#tried = [];
  }

  #noteWritten(revision: Revision, write: Write): void {
    assert.ok(revision > this.#last, `revision ${revision} was given out again, the life before ended at ${this.#last}`);
    assert.ok(!this.#known.has(revision), `revision ${revision} was given to two writes`);
    this.#known.set(revision, write);
    this.acknowledged++;
  }

  /** A compaction that was asked for may or may not have begun. */
  async #historyStart(store: Store): Promise<Revision> {
    try {
      await store.list(everything, { at: 1, limit: 1 });
      return 1;
    } catch (error) {
      const { compactedAt } = error as { compactedAt?: Revision };
      assert.ok(
        compactedAt !== undefined && compactedAt <= this.#compacted,
        `compacted up to ${compactedAt}, but nobody asked for more than ${this.#compacted}`,
      );
      return compactedAt;
    }
  }

  #checkChanges(changes: readonly Change[], start: Revision, revision: Revision): void {
    const found = new Map(changes.map((change) => [change.revision, writeOf(change)]));
    for (const [known, write] of this.#known) {
      if (known > start) this.#checkKept(known, write, found.get(known));
    }
    for (const [fresh, write] of found) {
      if (!this.#known.has(fresh)) this.#adopt(fresh, write);
    }
    assert.deepEqual(
      [...found.keys()],
      [...found.keys()].sort((a, b) => a - b),
      'changes are out of order',
    );
    assert.ok(found.size === 0 || Math.max(...found.keys()) <= revision, 'a change from the future');
  }

  #checkKept(revision: Revision, write: Write, found: Write | undefined): void {
    assert.ok(found !== undefined, `the acknowledged write ${revision} of ${write.key} is lost`);
    assert.ok(found.key === write.key && sameStamp(found.stamp, write.stamp), `revision ${revision} is another write than before`);
  }

  /** Durable without having been acknowledged: fine, if somebody asked for it in the life that has just ended. */
  #adopt(revision: Revision, write: Write): void {
    assert.ok(revision > this.#last, `revision ${revision} appeared behind the end of an earlier life`);
    const asked = this.#tried.some((tried) => tried.key === write.key && sameStamp(tried.stamp, write.stamp));
    assert.ok(asked, `revision ${revision} of ${write.key} is a write that nobody asked for`);
    this.#known.set(revision, write);
  }
}

export async function expiringKeys(store: Store): Promise<{ expiring: string[]; lasting: string[] }> {
  const { entries } = await store.list(everything);
  const expires = (value: Uint8Array) => decodeValue(value).expires;
  return {
    expiring: entries.filter(({ value }) => expires(value)).map(({ key }) => key),
    lasting: entries.filter(({ value }) => !expires(value)).map(({ key }) => key),
  };
}

function writeOf({ key, value }: Change): Write {
  return { key, stamp: value && decodeValue(value) };
}

async function readChanges(store: Store, after: Revision, upTo: Revision): Promise<Change[]> {
  const end = new AbortController();
  const changes: Change[] = [];
  if (after >= upTo) return changes;
  for await (const batch of store.watch(everything, after, end.signal)) {
    changes.push(...batch.changes);
    if ((changes.at(-1)?.revision ?? 0) >= upTo) break;
  }
  return changes;
}

/** Plays the changes onto the oldest state kept, and compares on the way at some revisions, and at the end. */
async function checkStates(store: Store, changes: readonly Change[], start: Revision, random: () => number): Promise<void> {
  const state = stateOf(await store.list(everything, { at: start }));
  for (const { key, revision: at, value, previous } of changes) {
    const before = state.get(key);
    assert.equal(previous?.revision, before?.revision, `the change ${at} of ${key} follows another value than it says`);
    assert.ok(sameStamp(previous && decodeValue(previous.value), before?.stamp), `the change ${at} of ${key} has a wrong previous value`);
    if (value === undefined) state.delete(key);
    else state.set(key, { revision: at, stamp: decodeValue(value) });
    if (random() < 0.02) assert.deepEqual(stateOf(await store.list(everything, { at })), sorted(state), `the list at ${at} is not what the changes say`);
  }
  assert.deepEqual(stateOf(await store.list(everything)), sorted(state), 'the list is not what the changes say');
  assert.equal(await store.count(everything), state.size);
}

type State = Map<string, { revision: Revision; stamp: Stamp }>;

function stateOf(page: Page): State {
  return new Map(page.entries.map(({ key, revision, value }) => [key, { revision, stamp: decodeValue(value) }]));
}

function sorted(state: State): State {
  return new Map([...state].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function checkResumption(store: Store, changes: readonly Change[], after: Revision, upTo: Revision): Promise<void> {
  const expected = changes.filter((change) => change.revision > after).map((change) => change.revision);
  const resumed = await readChanges(store, after, Math.min(upTo, expected.at(-1) ?? after));
  assert.deepEqual(
    resumed.map((change) => change.revision),
    expected,
    `a watch from ${after} has gaps or duplicates`,
  );
}

function between(low: Revision, high: Revision, random: () => number): Revision {
  return low + Math.floor(random() * (high - low + 1));
}
