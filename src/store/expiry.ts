// Keys with a time to live: when to look for those that are due. Deleting them is the store's own work.
import type { Clock } from '#base/clock.ts';
import type { Store } from '#store/store.ts';

export interface ExpiringStore extends Store {
  /** Deletes the keys whose time is up by the store's clock. The store calls this by itself; tests that stop the clock call it too. */
  expireDue(): Promise<void>;
}

/** setTimeout cannot wait longer; looking earlier than needed does no harm. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Deadlines are rounded up to this, so that many close to each other are one awakening. */
const STEP_MS = 500;
const RETRY_MS = 5_000;

/** One timer for the earliest deadline, so that an idle store stays asleep. */
export class ExpiryTimer {
  readonly #clock: Clock;
  readonly #expireDue: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #due = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, expireDue: () => Promise<void>) {
    this.#clock = clock;
    this.#expireDue = expireDue;
  }

  arm(exactDeadline: number): void {
    const deadline = Math.ceil(exactDeadline / STEP_MS) * STEP_MS;
    if (deadline >= this.#due) return;
    this.stop();
    this.#due = deadline;
    const wait = Math.min(Math.max(0, deadline - this.#clock.now().getTime()), LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => this.#ring(), wait).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#due = Number.POSITIVE_INFINITY;
  }

  #ring(): void {
    this.#due = Number.POSITIVE_INFINITY;
    this.#expireDue().catch(() => this.arm(this.#clock.now().getTime() + RETRY_MS));
  }
}
