// A compare-and-set went out and no answer came: it may have happened, may not have happened, or may happen yet. What became of the key decides
// (docs/decisions/0008-etcd-store.md): a write that etcd took is the first change of the key after the revision that it expected.
import { isPassing } from '#base/grpc/grpc-error.ts';
import type { Change, Entry, Revision, WriteResult } from '#store/store.ts';
import { UnknownOutcomeError } from '#store/store.ts';

export interface UnknownWrite {
  readonly key: string;
  readonly expected: Revision;
  readonly value: Uint8Array | undefined;
  /** The store had come this far before the write went out. */
  readonly sentAfter: Revision;
}

export interface SettleMeans {
  /** The latest there is, and the revision at which that is true. Throws when etcd does not answer. */
  read(key: string): Promise<{ readonly entry: Entry | undefined; readonly revision: Revision }>;
  changes(key: string, after: Revision, until: Revision): Promise<readonly Change[]>;
  /** Once more; throws a passing GrpcError when its outcome is unknown again. */
  repeat(): Promise<WriteResult>;
  isOver(): boolean;
}

export async function settleWrite(write: UnknownWrite, means: SettleMeans, cause: Error): Promise<WriteResult> {
  let last = cause;
  while (!means.isOver()) {
    try {
      const outcome = await outcomeOf(write, means);
      if (outcome !== 'not yet') return outcome;
      // Of two compare-and-sets at one revision etcd takes one at most.
      const again = await means.repeat();
      if (again.committed) return again;
    } catch (error) {
      if (!isPassing(error)) throw unknown(write, error as Error);
      last = error;
    }
  }
  throw unknown(write, last);
}

async function outcomeOf(write: UnknownWrite, means: SettleMeans): Promise<WriteResult | 'not yet'> {
  const { key, expected, sentAfter } = write;
  const { entry, revision } = await means.read(key);
  if (expected > 0 && entry?.revision === expected) return 'not yet';
  const changes = await means.changes(key, expected > 0 ? expected : sentAfter, revision);
  const ours = expected > 0 ? changes.slice(0, 1).find((change) => isOurs(write, change)) : changes.find((change) => isOurs(write, change));
  if (ours) return { committed: true, revision: ours.revision };
  return entry === undefined && expected === 0 ? 'not yet' : { committed: false, current: entry };
}

/** Objects that are created have a uid of their own; an update or a deletion that another server made just so is what was wanted. */
function isOurs({ expected, value }: UnknownWrite, change: Change): boolean {
  if (expected === 0 && change.previous !== undefined) return false;
  if (value === undefined || change.value === undefined) return value === change.value;
  return Buffer.compare(value, change.value) === 0;
}

function unknown({ key }: UnknownWrite, cause: Error): UnknownOutcomeError {
  return new UnknownOutcomeError(`it is not known whether ${key} was written, read it before trying again: ${cause.message}`, { cause });
}
