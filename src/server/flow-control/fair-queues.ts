// The waiting room of one priority level: queues that get seats in turn, by virtual time.
// A queue's virtual time grows by what its requests cost, so a queue of cheap or few requests comes first.
import type { RequestInfo } from '#api/request-info.ts';

export interface Waiting {
  readonly seats: number;
  /** Says which queue it came from, just before it is seated. */
  readonly seatedFrom: (queue: number) => void;
  /** Seats it. */
  readonly settle: () => void;
  readonly flow: string;
  readonly schema: string;
  readonly since: number;
  readonly lingerMs: number;
  readonly asked?: { readonly user: string; readonly info: RequestInfo };
}

interface Queue {
  readonly index: number;
  readonly waiting: Waiting[];
  waitingSeats: number;
  /** Virtual start of the queue's next request. */
  nextStart: number;
}

/** How long a request is taken to last until it has ended: upstream's guess too. */
export const assumedMs = 3;

export class FairQueues {
  readonly #queues: readonly Queue[];
  readonly #lengthLimit: number;
  /** The virtual time of the last request seated: a queue that was empty starts here, not in the past. */
  #now = 0;
  #waiting = 0;
  #waitingSeats = 0;

  constructor(queues: number, lengthLimit: number) {
    this.#queues = Array.from({ length: queues }, (_, index) => ({ index, waiting: [], waitingSeats: 0, nextStart: 0 }));
    this.#lengthLimit = lengthLimit;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get waitingSeats(): number {
    return this.#waitingSeats;
  }

  /** Into the shortest queue of the hand; false when that is full. */
  enqueue(request: Waiting, hand: readonly number[]): boolean {
    const queue = this.#shortest(hand);
    if (queue === undefined || queue.waiting.length >= this.#lengthLimit) return false;
    if (queue.waiting.length === 0) queue.nextStart = Math.max(queue.nextStart, this.#now);
    queue.waiting.push(request);
    queue.waitingSeats += request.seats;
    this.#count(1, request.seats);
    return true;
  }

  /** The request that gets the next seats, if any waits. It stays until `take`. */
  next(): { readonly queue: number; readonly request: Waiting } | undefined {
    let chosen: Queue | undefined;
    for (const queue of this.#queues) {
      if (queue.waiting.length > 0 && (chosen === undefined || finish(queue) < finish(chosen))) chosen = queue;
    }
    const request = chosen?.waiting[0];
    return chosen === undefined || request === undefined ? undefined : { queue: chosen.index, request };
  }

  take(index: number): void {
    const queue = this.#queues[index];
    const request = queue?.waiting.shift();
    if (queue === undefined || request === undefined) return;
    queue.waitingSeats -= request.seats;
    this.#count(-1, -request.seats);
    this.#now = Math.max(this.#now, queue.nextStart);
    queue.nextStart += request.seats * assumedMs;
  }

  /** The request lasted `ms`: the queue pays for more than was assumed. Less is not given back, or it would stay ahead of newcomers. */
  settleCost(index: number, seats: number, ms: number): void {
    const queue = this.#queues[index];
    if (queue !== undefined) queue.nextStart += seats * Math.max(0, ms - assumedMs);
  }

  /** Gives up waiting; false when it was not there any more. */
  remove(request: Waiting): boolean {
    for (const queue of this.#queues) {
      const at = queue.waiting.indexOf(request);
      if (at < 0) continue;
      queue.waiting.splice(at, 1);
      queue.waitingSeats -= request.seats;
      this.#count(-1, -request.seats);
      return true;
    }
    return false;
  }

  rows(): readonly { readonly index: number; readonly waiting: readonly Waiting[]; readonly waitingSeats: number; readonly nextStart: number }[] {
    return this.#queues;
  }

  #shortest(hand: readonly number[]): Queue | undefined {
    let chosen: Queue | undefined;
    for (const index of hand) {
      const queue = this.#queues[index];
      if (queue !== undefined && (chosen === undefined || queue.waitingSeats < chosen.waitingSeats)) chosen = queue;
    }
    return chosen;
  }

  #count(requests: number, seats: number): void {
    this.#waiting += requests;
    this.#waitingSeats += seats;
  }
}

/** Virtual time at which the queue's first request would be done. */
function finish({ nextStart, waiting }: Queue): number {
  return nextStart + (waiting[0]?.seats ?? 0) * assumedMs;
}
