// The owner of compaction. As apiserver's etcd3 compactor does, every interval compacts up to the revision of one interval ago: a paged
// list or a watch that goes on within that time never meets the end of history.
import { pause, type Timers } from '#base/timers.ts';
import type { Retention } from '#store/retention.ts';
import type { Store } from '#store/store.ts';

export interface CompactionPolicy {
  /** 0: never. */
  readonly intervalMs: number;
  readonly retention: Retention;
  readonly timers: Timers;
  /** The store refused; the next interval tries again. */
  readonly onFailure: (error: Error) => void;
}

/** Resolves when `signal` aborts and the compaction under way has ended. */
export async function keepCompacted(store: Store, policy: CompactionPolicy, signal: AbortSignal): Promise<void> {
  const { intervalMs, retention, timers, onFailure } = policy;
  if (intervalMs <= 0) return;
  let oneIntervalAgo = await store.revision();
  for (;;) {
    await pause(timers, intervalMs, signal);
    if (signal.aborted) return;
    let revision = oneIntervalAgo;
    try {
      revision = await store.revision();
      if (await store.claimCompaction(oneIntervalAgo)) await store.compact(retention.giveUpBefore(oneIntervalAgo));
    } catch (error) {
      if (!signal.aborted) onFailure(error as Error);
    }
    oneIntervalAgo = revision;
  }
}
