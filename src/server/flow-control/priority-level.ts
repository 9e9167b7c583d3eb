// One priority level: so many seats, and queues for those who find none free.
import type { RequestInfo } from '#api/request-info.ts';
import type { Clock } from '#base/clock.ts';
import type { Timers } from '#base/timers.ts';
import { ChurningSet } from '#base/memory/churning.ts';
import { FairQueues, type Waiting } from '#server/flow-control/fair-queues.ts';
import type { PriorityLevelSpec } from '#server/flow-control/flow-objects.ts';
import { FlowCounts } from '#server/flow-control/flow-counts.ts';
import { RetryAfter } from '#server/flow-control/retry-after.ts';
import { type Demand, SeatDemand } from '#server/flow-control/seat-demand.ts';
import { dealHand } from '#server/flow-control/shuffle-shard.ts';

export interface Entry {
  readonly schema: string;
  /** Requests of one flow share a hand of queues. */
  readonly flow: string;
  readonly seats: number;
  /** How long the seats stay taken after the request has ended: its events still cost something. */
  readonly lingerMs: number;
  /** Who waits for a seat, and perhaps no longer. */
  readonly asker: { readonly signal: AbortSignal };
  /** Who asks for what, for those who look in. */
  readonly asked?: { readonly user: string; readonly info: RequestInfo };
}

/** A request that has its seats. `queue` is undefined when it did not have to wait. */
export interface Seated {
  readonly entry: Entry;
  readonly queue: number | undefined;
  readonly arrived: number;
  readonly started: number;
}

export type Rejection = 'queue-full' | 'concurrency-limit' | 'time-out' | 'cancelled';
/** Gives the seats back; calling it again does nothing. */
export type Leave = () => void;

export interface LevelServices {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly maxWaitMs: number;
}

export class PriorityLevel {
  readonly name: string;
  readonly counts = new FlowCounts();
  readonly retryAfter = new RetryAfter();
  readonly demand: SeatDemand;
  uid = '';
  limit = 1;
  nominal = 1;
  exempt = false;
  smoothedDemand = 0;
  lower = 0;
  upper = 0;
  /** Of the last period, for /metrics. */
  lastDemand: Demand = { highest: 0, average: 0, deviation: 0 };
  readonly #services: LevelServices;
  readonly #leaving: Leave[] = [];
  readonly #seated = new ChurningSet<Seated>();
  #queues: FairQueues | undefined;
  #shape = '';
  #deal: { readonly deck: number; readonly hand: number } = { deck: 0, hand: 0 };
  #seatsInUse = 0;

  constructor(name: string, services: LevelServices) {
    this.name = name;
    this.#services = services;
    this.demand = new SeatDemand(this.#now());
  }

  configure(uid: string, { type, limited }: PriorityLevelSpec): void {
    this.uid = uid;
    this.exempt = type === 'Exempt';
    const queuing = limited?.limitResponse?.type === 'Queue' ? (limited.limitResponse.queuing ?? {}) : undefined;
    const shape = JSON.stringify(queuing ?? null);
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#releaseAll();
    const { queues = 64, handSize = 8, queueLengthLimit = 50 } = queuing ?? {};
    this.#queues = queuing && new FairQueues(queues, queueLengthLimit);
    this.#deal = { deck: queues, hand: handSize };
  }

  /** The level was removed: requests that wait are still served, new ones go to another level. */
  retire(): void {
    this.exempt = true;
    this.#releaseAll();
  }

  setLimit(seats: number): void {
    this.limit = seats;
    this.#seatWaiting();
  }

  get seatsInUse(): number {
    return this.#seatsInUse;
  }

  get waiting(): number {
    return this.#queues?.waiting ?? 0;
  }

  /** Who has seats, in order of arrival at them. */
  get seated(): Iterable<Seated> {
    return this.#seated;
  }

  queueRows(): ReturnType<FairQueues['rows']> {
    return this.#queues?.rows() ?? [];
  }

  /** At once when seats are free, which is the usual case; else when the turn comes, or not at all. */
  enter(entry: Entry): Leave | Rejection | Promise<Leave | Rejection> {
    if (this.exempt) return this.#seat(entry, undefined);
    if (this.waiting === 0 && this.#fits(entry.seats)) return this.#seat(entry, undefined);
    if (this.#queues === undefined) return this.#reject(entry, 'concurrency-limit');
    return this.#wait(entry, this.#queues);
  }

  #fits(seats: number): boolean {
    return this.#seatsInUse + seats <= this.limit || this.#seatsInUse === 0;
  }

  #seat(entry: Entry, queue: number | undefined, arrived?: number): Leave {
    const since = this.#now();
    const seated: Seated = { entry, queue, arrived: arrived ?? since, started: since };
    this.#seated.add(seated);
    this.#seatsInUse += entry.seats;
    this.counts.seated(entry.schema, entry.seats);
    this.#noteDemand();
    return () => {
      if (!this.#seated.delete(seated)) return;
      this.counts.left(entry.schema, entry.seats, this.#now() - since);
      if (queue !== undefined) this.#queues?.settleCost(queue, entry.seats, this.#now() - since);
      if (entry.lingerMs > 0) this.#services.timers.after(entry.lingerMs, () => this.#free(entry.seats));
      else this.#freeNextTurn(entry.seats);
    };
  }

  /**
   * One thread serves all: a seat that was free again within the turn would never be missed, and the flow that has the most
   * connections would get the most turns. So a level seats at most `limit` per turn of the event loop.
   */
  #freeNextTurn(seats: number): void {
    if (this.exempt) return this.#free(seats);
    this.#leaving.push(() => this.#free(seats));
    if (this.#leaving.length === 1) setImmediate(() => this.#leaving.splice(0).forEach((free) => free()));
  }

  #free(seats: number): void {
    this.#seatsInUse -= seats;
    this.#seatWaiting();
    this.#noteDemand();
  }

  #wait(entry: Entry, queues: FairQueues): Promise<Leave | Rejection> | Rejection {
    const since = this.#now();
    return new Promise<Leave | Rejection>((resolve) => {
      let queue: number | undefined;
      const settle = (answer: Leave | Rejection) => {
        cancelTimer();
        entry.asker.signal.removeEventListener('abort', cancel);
        this.counts.waited(entry.schema, entry.seats, this.#now() - since, typeof answer === 'function');
        resolve(answer);
      };
      const waiting: Waiting = {
        ...entry,
        since,
        settle: () => settle(this.#seat(entry, queue, since)),
        seatedFrom: (index) => {
          queue = index;
        },
      };
      const giveUp = (why: Rejection) => {
        if (queues.remove(waiting)) settle(this.#reject(entry, why));
      };
      const cancel = () => giveUp('cancelled');
      const cancelTimer = this.#services.timers.after(this.#services.maxWaitMs, () => giveUp('time-out'));
      this.counts.queued(entry.schema, entry.seats, queues.waiting);
      if (!queues.enqueue(waiting, dealHand(entry.flow, this.#deal.deck, this.#deal.hand))) return settle(this.#reject(entry, 'queue-full'));
      entry.asker.signal.addEventListener('abort', cancel, { once: true });
      this.#seatWaiting();
      this.#noteDemand();
    });
  }

  #reject({ schema }: Entry, why: Rejection): Rejection {
    this.counts.rejected(schema, why);
    if (why !== 'cancelled') this.retryAfter.reject(this.#now());
    return why;
  }

  #seatWaiting(): void {
    for (let next = this.#queues?.next(); next !== undefined && this.#fits(next.request.seats); next = this.#queues?.next()) this.#seatNext(next);
  }

  #releaseAll(): void {
    for (let next = this.#queues?.next(); next !== undefined; next = this.#queues?.next()) this.#seatNext(next);
  }

  #seatNext({ queue, request }: NonNullable<ReturnType<FairQueues['next']>>): void {
    this.#queues?.take(queue);
    request.seatedFrom(queue);
    request.settle();
  }

  #noteDemand(): void {
    this.demand.set(this.#seatsInUse + (this.#queues?.waitingSeats ?? 0), this.#now());
  }

  #now(): number {
    return this.#services.clock.now().getTime();
  }
}
