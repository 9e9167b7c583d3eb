// Does the work grow with the input, or with its square? Measured in CPU time, so that other processes of a busy machine
// do not count; the least of several runs, and the middle one of three doublings, so that garbage and caches do not either.
import type { GrowthEntry } from './growth-entry.ts';

export interface Growth {
  /** The largest input that was measured, in bytes. */
  readonly bytes: number;
  /** CPU time in milliseconds for an eighth, a quarter, a half and the whole of it. */
  readonly times: readonly number[];
  /** How many times as long twice the input takes: 2 when linear, 4 when quadratic. */
  readonly doubling: number;
}

/** n·log n gives about 2.2, n·√n 2.83, n² 4. */
export const allowedDoubling = 2.7;

const smallest = 1024;
/** Inputs grow until one run takes this long, or the sender can send no more: what is too cheap to measure there is cheap. */
const enoughMs = 12;
const runs = 2;

/**
 * Measures once more, with more input, when the growth is too large: a memo that holds all of a small input and no longer all of a large one makes one size
 * steep, a square is steep at every size.
 */
export function measureGrowth({ prepare, maxBytes }: Pick<GrowthEntry, 'prepare' | 'maxBytes'>): Growth {
  const bytes = climb(prepare, maxBytes);
  const growth = growthAt(bytes, prepare);
  return growth.doubling <= allowedDoubling || bytes >= maxBytes ? growth : growthAt(Math.min(bytes * 4, maxBytes), prepare, 2);
}

/** Measures again while the growth is too large, and keeps the least time of each size. */
function growthAt(bytes: number, prepare: GrowthEntry['prepare'], rounds = 8): Growth {
  const sizes = [8, 4, 2, 1].map((part) => Math.ceil(bytes / part));
  let times = sizes.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    times = sizes.map((size, at) => Math.min(times[at] ?? 0, leastTime(prepare(size))));
    if (doublingOf(times) <= allowedDoubling) break;
  }
  return { bytes, times, doubling: doublingOf(times) };
}

/** The first size whose run takes long enough; in larger steps while even a square would stay below that. */
function climb(prepare: GrowthEntry['prepare'], maxBytes: number): number {
  for (let bytes = smallest; bytes < maxBytes; ) {
    const time = timeOf(prepare(bytes), 1);
    if (time >= enoughMs) return bytes;
    bytes *= time < enoughMs / 16 ? 4 : 2;
  }
  return maxBytes;
}

/** A collection of garbage makes one step steep, a square makes all of them steep. */
function doublingOf(times: readonly number[]): number {
  const steps = times.slice(1).map((time, at) => time / Math.max(times[at] ?? 0, resolutionMs));
  return steps.sort((a, b) => a - b)[1] ?? 0;
}

/** What takes less cannot be told from nothing. */
const resolutionMs = 0.01;

/** What is short is done often enough to be measured. */
function leastTime(work: () => unknown): number {
  const once = timeOf(work, 1);
  const times = once >= 2 ? 1 : Math.min(200, Math.ceil(2 / Math.max(once, resolutionMs)));
  let least = once;
  for (let run = 0; run < runs; run++) least = Math.min(least, timeOf(work, times));
  return least;
}

function timeOf(work: () => unknown, times: number): number {
  globalThis.gc?.({ type: 'minor' });
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) attempt(work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

/** A refusal is an answer. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
}
