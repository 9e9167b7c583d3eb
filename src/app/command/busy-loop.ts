import { performance } from 'node:perf_hooks';
import type { Timers } from '#base/timers.ts';

/** What the event loop has done since the process began. */
export interface LoopTimes {
  readonly activeMs: number;
  readonly idleMs: number;
}

/** How often it is looked. */
const lookMs = 200;
/** A loop that was busy for so much of the time between two looks has clients waiting: one client that asks for one thing at a time leaves a third of it. */
const saturatedShare = 0.9;

/** Calls back, once, when the event loop has had no time to rest between two looks, or has been busy for `busyMs` in all. */
export function whenLoopIsBusy(busyMs: number, timers: Timers, then: () => void, timesSoFar: () => LoopTimes = timesOfLoop): void {
  const beginning = timesSoFar();
  let before = beginning;
  const look = () => {
    const now = timesSoFar();
    const active = now.activeMs - before.activeMs;
    const isSaturated = active > saturatedShare * (active + now.idleMs - before.idleMs) && active > saturatedShare * lookMs;
    before = now;
    if (isSaturated || now.activeMs - beginning.activeMs >= busyMs) then();
    else timers.after(lookMs, look);
  };
  timers.after(lookMs, look);
}

function timesOfLoop(): LoopTimes {
  const { active, idle } = performance.eventLoopUtilization();
  return { activeMs: active, idleMs: idle };
}
