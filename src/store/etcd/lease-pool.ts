// Leases of etcd for keys with a time to live. As apiserver's etcd3 lease manager does, keys that are written within a short time share one:
// a cluster writes thousands of events, and etcd has to keep every lease in memory.
import type { Clock } from '#base/clock.ts';
import type { LeaseId } from '#store/etcd/kv-messages.ts';

export interface LeasePoolOptions {
  readonly clock: Clock;
  readonly grant: (ttlSeconds: number) => Promise<LeaseId>;
  /** How much longer than asked for a key may live for that; 0: every key has a lease of its own. */
  readonly reuseSeconds: number;
}

/** Of the time to live, at most. */
const REUSE_SHARE = 0.05;
/** etcd deletes all keys of a lease in one transaction. */
const KEYS_PER_LEASE = 1_000;

interface Lease {
  readonly id: Promise<LeaseId>;
  readonly expires: number;
  keys: number;
}

export class LeasePool {
  readonly #options: LeasePoolOptions;
  #last: Lease | undefined;

  constructor(options: LeasePoolOptions) {
    this.#options = options;
  }

  leaseFor(ttlSeconds: number): Promise<LeaseId> {
    const reuse = Math.floor(Math.min(ttlSeconds * REUSE_SHARE, this.#options.reuseSeconds));
    const now = this.#options.clock.now().getTime();
    const last = this.#last;
    if (reuse > 0 && last && last.keys < KEYS_PER_LEASE && reaches(last, now + ttlSeconds * 1000, reuse * 1000)) {
      last.keys++;
      return last.id;
    }
    const granted = this.#options.grant(ttlSeconds + reuse);
    const lease = { id: granted, expires: now + (ttlSeconds + reuse) * 1000, keys: 1 };
    this.#last = lease;
    granted.catch(() => this.#forget(lease));
    return granted;
  }

  /** A lease that etcd does not know any more. */
  forget(): void {
    this.#last = undefined;
  }

  #forget(lease: Lease): void {
    if (this.#last === lease) this.#last = undefined;
  }
}

/** The lease lasts until then, and not much longer. */
function reaches({ expires }: Lease, deadline: number, slack: number): boolean {
  return deadline <= expires && expires <= deadline + slack;
}
