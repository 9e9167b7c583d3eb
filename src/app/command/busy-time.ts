import { performance } from 'node:perf_hooks';
import type { Timers } from '#base/timers.ts';

/** How often it is looked. */
const lookMs = 500;

/** Calls back, once, when the event loop has been busy for `busyMs` since now, all its work together. */
export function whenBusyFor(busyMs: number, timers: Timers, then: () => void, busySoFar: () => number = loopBusyMs): void {
  const before = busySoFar();
  const look = () => (busySoFar() - before >= busyMs ? then() : void timers.after(lookMs, look));
  timers.after(lookMs, look);
}

function loopBusyMs(): number {
  return performance.eventLoopUtilization().active;
}
