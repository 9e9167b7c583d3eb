// When V8 optimizes. A server that only answers has few functions that matter, and all of them are hot within a second; one that also plays a
// cluster has many times as many, most of them lukewarm, and optimizing them costs more than it gains.
import { setFlagsFromString } from 'node:v8';

/**
 * Bytes of bytecode that a function runs before V8 thinks of optimizing it; 66 kB by default. Answering alone: the first 6,000 creates cost 10 to 17 %
 * less CPU than with the default, later ones the same (`npm run bench -- --before` a build without it). With controllers and scheduler: while 1,000
 * pods become Ready, 0.9 s of CPU go into optimizing instead of 2.9, and the rest takes no longer (`npx tsx test/bench/alive.ts --only ours`).
 */
const budgets = { answering: 30_000, playing: 700_000 };

/** For the process that is nothing but a server, once it is ready. Measured with the V8 of Node.js 20; later ones tier up in other steps, and are left as they are. */
export function setInterruptBudget(work: keyof typeof budgets): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${budgets[work]}`);
}
