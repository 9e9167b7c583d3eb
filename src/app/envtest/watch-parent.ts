import { systemTimers, type Timers } from '#base/timers.ts';

const everyMs = 200;

/** Calls `onGone` when the process that started this one has ended: the system then names another parent. Keeps no process alive. */
export function watchParent(onGone: () => void, parent: () => number = () => process.ppid, timers: Timers = systemTimers): void {
  const first = parent();
  const look = () => {
    if (parent() === first) timers.after(everyMs, look);
    else onGone();
  };
  timers.after(everyMs, look);
}
