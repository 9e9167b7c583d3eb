// Flags of V8 that a server changes while it runs: when V8 collects garbage, and when it optimizes. For a process that is nothing but a server.
import { setFlagsFromString } from 'node:v8';

/** What a start and the first requests leave behind is not worth a collection, which would take 20 ms of the main thread just when the first client asks. */
const collecting = { later: '--no-incremental-marking', asAlways: '--incremental-marking' };

/**
 * Bytes of bytecode that a function runs before V8 thinks of optimizing it. A server that only answers has few functions that matter, and all of them are
 * hot within a second; one that also plays a cluster has many times as many, most of them lukewarm, and optimizing them costs more than it gains.
 * Answering alone: the first 6,000 creates cost 10 to 17 % less CPU than with the default, later ones the same (`npm run bench -- --before` a build without
 * it). With controllers and scheduler: while 1,000 pods become Ready, 0.9 s of CPU go into optimizing instead of 2.9, and the rest takes no longer
 * (`npx tsx test/bench/alive.ts --only ours`). Measured with the V8 of Node.js 20; later ones tier up in other steps, and are left as they are.
 */
const interruptBudgets = { asAlways: 67_584, answering: 30_000, playing: 700_000 };

/**
 * Little survives in the young generation of a server that plays: threads that share the work of a scavenge cost it 0.1 to 0.2 s of CPU while 1,000 pods
 * become Ready, and it is no faster for them.
 */
const scavenging = { asAlways: '--parallel-scavenge', answering: '--parallel-scavenge', playing: '--no-parallel-scavenge' };

/**
 * By how much the old generation may grow before V8 collects it, in percent of what the last collection left. By itself V8 began a collection whenever 4 to 8 MB
 * had been added to 25, 36 ms of the main thread and as much of other threads each: for one writer who updates pods every 650 updates, a tenth of their CPU.
 */
const growth = { asAlways: 0, answering: 100, playing: 100 };

export type Work = 'answering' | 'playing';

interface V8 {
  readonly version: string;
  readonly setFlag: (flag: string) => void;
}

/** tools/run-bundle.cjs emits some around each chunk of the build that it loads, and hears when the server has settled. */
type ChunkEvents = Pick<NodeJS.EventEmitter, 'on' | 'emit'>;

export interface RuntimeFlags {
  onStart(): void;
  onReady(work: Work): void;
  /** The first clients have been answered. */
  onSettled(): void;
}

export function runtimeFlags(events: ChunkEvents = process, v8: V8 = { version: process.versions.v8, setFlag: setFlagsFromString }): RuntimeFlags {
  let wanted: Wanted = asAlways;
  const want = (change: Wanted) => {
    wanted = { ...wanted, ...change };
    setFlags(v8, wanted);
  };
  // V8 refuses compiled code under other flags than those it was compiled with.
  events.on('binnacle:chunk-loading', () => setFlags(v8, asAlways));
  events.on('binnacle:chunk-loaded', () => setFlags(v8, wanted));
  return {
    onStart: () => want({ collecting: 'later' }),
    onReady: (work) => want({ optimizing: work }),
    onSettled: () => {
      want({ collecting: 'asAlways' });
      events.emit('binnacle:settled');
    },
  };
}

interface Wanted {
  readonly collecting?: keyof typeof collecting;
  readonly optimizing?: keyof typeof interruptBudgets;
}

const asAlways = { collecting: 'asAlways', optimizing: 'asAlways' } as const;

function setFlags({ version, setFlag }: V8, wanted: Wanted): void {
  setFlag(collecting[wanted.collecting ?? 'asAlways']);
  const work = wanted.optimizing ?? 'asAlways';
  setFlag(`--heap-growing-percent=${growth[work]}`);
  if (!version.startsWith('11.')) return;
  setFlag(`--interrupt-budget=${interruptBudgets[work]}`);
  setFlag(scavenging[work]);
}
