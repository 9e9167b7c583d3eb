import { compactedRevision } from '#store/embedded/compaction.ts';
import type { Snapshot } from '#store/embedded/snapshot.ts';
import type { Revision } from '#store/store.ts';

/** As in etcd: a store without writes is at 1, so that 0 can mean "nothing". */
const FIRST_REVISION = 1;

/** The last one that LMDB knows of; it is remembered also when nothing is left of it. */
export function lastRevision(snapshot: Snapshot): Revision {
  return Math.max(FIRST_REVISION, snapshot.lastLogged(), compactedRevision(snapshot));
}
