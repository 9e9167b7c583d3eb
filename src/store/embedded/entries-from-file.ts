// What the writes of some revisions left, read from the file without LMDB's memory map.
import { LogFile } from '#store/embedded/log-file.ts';
import { decodeLogRecord } from '#store/embedded/records.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import type { Entry, Revision } from '#store/store.ts';

/** `revisions` rise, and their records are in the snapshot. A value is true until the next entry is asked for. */
export function* entriesFromFile(path: string, snapshot: Snapshot, revisions: Float64Array): Generator<Entry, void, undefined> {
  const file = new LogFile(path);
  let next = 0;
  try {
    for (const { revision, record } of file.records(revisions)) {
      while ((revisions[next] as Revision) < revision) yield* entryIn(snapshot, revisions[next++] as Revision);
      next++;
      const { key, value } = decodeLogRecord(record, inPlace);
      if (value !== undefined) yield { key, value, revision };
    }
    while (next < revisions.length) yield* entryIn(snapshot, revisions[next++] as Revision);
  } finally {
    file.close();
  }
}

/** For what was removed from the file since the snapshot was taken. */
function entryIn(snapshot: Snapshot, revision: Revision): readonly Entry[] {
  const entry = snapshot.entry(revision);
  return entry === undefined ? [] : [entry];
}

function inPlace(bytes: Buffer, start: number, end: number): Buffer {
  return bytes.subarray(start, end);
}
