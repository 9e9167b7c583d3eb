// Gives memory back when a server has become idle after work. V8 collects what it has not needed yet when it next allocates, and an idle server does not:
// what one burst of requests left behind would stay for as long as nobody asks. For a process that is nothing but a server.
import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { type Collect, collector } from '#base/memory/collector.ts';
import type { Timers } from '#base/timers.ts';

/** How often it is looked whether the server works. */
const lookMs = 1_000;
/** A server that is less busy than this has nobody who would wait while it collects: loops that play ten nodes keep it busy for a few thousandths. */
const idleShare = 0.02;
/** V8 marks in turns of the event loop, which look like work: 25 to 30 ms for a heap of 50 MB. A client that comes meanwhile and asks for much still ends the row. */
const idleShareWhileCollecting = 0.2;
/** Looks at an idle server before it collects: work that comes in bursts finds its young generation as the last burst left it. */
const looksBefore = 6;
/** After so many looks the last burst is over for good: from then on no more than `littleBytes` have to have been added. */
const looksBeforeLittle = 8;
const littleBytes = 16 << 20;
/**
 * Collections in a row, one with each look: after 1,000 pods of a Deployment the first finds the garbage (heap 87 → 80 MB), the second moves together what is
 * left (61), and the third makes the young generation small (31), which V8 does only when little was allocated since the one before.
 */
const inARow = 3;
/** Less than this share of what was left by the last collection is not worth one. */
const worthShare = 0.25;

/**
 * `worthBytes`: less is not worth a collection when the server has just become idle. The next requests pay for a row: of what V8 knew of the objects of the last
 * ones something is lost (docs/decisions/0010-memory-when-idle.md).
 */
export interface IdleCollectionOptions {
  readonly worthBytes: number;
  readonly heap?: CollectedHeap;
}

export interface CollectedHeap {
  /** How much of the time since it was last asked the event loop was busy, from 0 to 1. */
  busyShare(): number;
  /** What V8 holds, in bytes. */
  held(): number;
  /** Begins to. What is held says so when it is over, which it is before the next look. */
  collect(): void;
  /**
   * Of the young generation, at once. V8 makes it small only where hardly anything was allocated for five seconds, and it measures from one collection to the
   * next: one at the end of a burst parts its allocations from the rest that follows.
   */
  collectYoung(): void;
}

/** Collects until the process ends. */
export function collectWhenIdle(timers: Timers, { worthBytes, heap = ownHeap() }: IdleCollectionOptions): void {
  const collection = new IdleCollection(heap, worthBytes);
  const look = () => {
    collection.look();
    timers.after(lookMs, look);
  };
  look();
}

class IdleCollection {
  readonly #heap: CollectedHeap;
  readonly #worthBytes: number;
  /** What was held after the last collection: it is needed, as far as anybody knows. What a start leaves behind is not worth one. */
  #kept: number;
  #idleLooks = 0;
  /** Collections that the row still has. */
  #left = 0;
  /** The last look has begun a collection. */
  #isCollecting = false;

  constructor(heap: CollectedHeap, worthBytes: number) {
    this.#heap = heap;
    this.#worthBytes = worthBytes;
    this.#kept = heap.held();
  }

  look(): void {
    const share = this.#heap.busyShare();
    this.#idleLooks = share < (this.#isCollecting ? idleShareWhileCollecting : idleShare) ? this.#idleLooks + 1 : 0;
    if (this.#isCollecting) this.#kept = this.#heap.held();
    this.#isCollecting = false;
    if (this.#idleLooks === 0) this.#left = 0;
    else if (this.#left > 0) this.#collect();
    else if (this.#idleLooks === 1 && this.#isWorth(littleBytes)) this.#heap.collectYoung();
    else if (this.#idleLooks >= looksBefore && this.#isWorth(this.#idleLooks < looksBeforeLittle ? this.#worthBytes : littleBytes)) this.#beginRow();
  }

  #isWorth(bytes: number): boolean {
    const held = this.#heap.held();
    // V8 collects by itself, too.
    this.#kept = Math.min(this.#kept, held);
    return held - this.#kept > Math.max(bytes, this.#kept * worthShare);
  }

  #beginRow(): void {
    this.#left = inARow;
    this.#collect();
  }

  #collect(): void {
    this.#left--;
    this.#isCollecting = true;
    this.#heap.collect();
  }
}

export function ownHeap(): CollectedHeap {
  let collect: Collect | undefined;
  let before = performance.eventLoopUtilization();
  return {
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    held: () => getHeapSpaceStatistics().reduce((sum, { space_size: size }) => sum + size, process.memoryUsage().external),
    collect() {
      collect ??= collector();
      beginCollection(collect);
    },
    collectYoung() {
      collect ??= collector();
      collect({ type: 'minor' });
    },
  };
}

/**
 * Begins a collection of the whole heap that V8 goes on with in turns and in its threads. One that is done at once (`gc()`) forgets the maps of all
 * objects of which none lives just then, though optimized code is made for them: V8 looks which maps it should retain (`--retain-maps-for-n-gc`) before it
 * has marked what they were made by. When it comes to that in turns, nearly all is marked, and the code stays.
 */
function beginCollection(collect: Collect): void {
  // V8 thinks of a new collection when a minor one is over; under the first flag it always begins one, under the second it moves together what pages hold that are
  // a fifth empty.
  for (const flag of ['--stress-incremental-marking', '--optimize-for-size']) setFlagsFromString(flag);
  collect({ type: 'minor' });
  for (const flag of ['--no-stress-incremental-marking', '--no-optimize-for-size']) setFlagsFromString(flag);
}
