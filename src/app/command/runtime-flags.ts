// Flags of V8 that a server changes while it runs: when V8 collects garbage, and when it optimizes. For a process that is nothing but a server.
import { setFlagsFromString } from 'node:v8';

/** What a start and the first requests leave behind is not worth a collection, which would take 20 ms of the main thread just when the first client asks. */
const collecting = { later: '--no-incremental-marking', asAlways: '--incremental-marking' };

/** What a server does, for V8. `answering` and `busy`: it only answers, at first and once its clients keep it busy. */
type Phase = 'starting' | 'answering' | 'busy' | 'playing';

export type Work = Exclude<Phase, 'starting' | 'busy'>;

/**
 * Bytes of bytecode that a function runs before V8 thinks of optimizing it. A server that only answers has few functions that matter, and all of them are
 * hot within a second; one that also plays a cluster has many times as many, most of them lukewarm, and optimizing them costs more than it gains.
 * Answering alone: the first 6,000 creates cost 10 to 17 % less CPU with 30,000 than with the default, later ones the same (`npm run bench -- --before` a build
 * without it). But V8 works as long on that as the first 1,000 creates take themselves, which a server of tests that is gone soon does not get back, nor one
 * whose client asks for one thing at a time and leaves the loop a third of the time. So a server optimizes little until it is busy: those creates cost 1.0 to
 * 1.2 ms of CPU each instead of 1.9, and the main thread 4 to 12 % more. It must be so from the start on: a function keeps the budget that was in force when V8 began
 * to watch it, and what the start has run would be optimized by the first requests all the same (`npx tsx test/bench/cold.ts`).
 * With controllers and scheduler: while 1,000 pods become Ready, 0.9 s of CPU go into optimizing instead of 2.9, and the rest takes no longer
 * (`npx tsx test/bench/alive.ts --only ours`). Measured with the V8 of Node.js 20; later ones tier up in other steps, and are left as they are.
 */
const interruptBudgets = { asAlways: 67_584, starting: 300_000, answering: 300_000, busy: 30_000, playing: 700_000 };

/**
 * Whether threads share the work of a minor collection. Where little survives they cost more than they do: 0.1 to 0.2 s of CPU while 1,000 pods become Ready,
 * a twelfth of a start and of the first creates. A busy server keeps much for as long as a request takes, and is to be stopped for as short as can be.
 */
const parallelScavenge = { asAlways: true, starting: false, answering: false, busy: true, playing: false };

/**
 * By how much the old generation may grow before V8 collects it, in percent of what the last collection left. By itself V8 began a collection whenever 4 to 8 MB
 * had been added to 25, 36 ms of the main thread and as much of other threads each: for one writer who updates pods every 650 updates, a tenth of their CPU.
 */
const growth = { asAlways: 0, starting: 0, answering: 100, busy: 100, playing: 100 };

interface V8 {
  readonly version: string;
  readonly setFlag: (flag: string) => void;
}

/** tools/run-bundle.cjs emits some around each chunk of the build that it loads, and hears when the server has settled. */
type ChunkEvents = Pick<NodeJS.EventEmitter, 'on' | 'emit'>;

export interface RuntimeFlags {
  onStart(): void;
  onReady(work: Work): void;
  /** Clients wait for its event loop, or it has had much to do. */
  onBusy(): void;
  /** The first clients have been answered. */
  onSettled(): void;
}

export function runtimeFlags(events: ChunkEvents = process, v8: V8 = { version: process.versions.v8, setFlag: setFlagsFromString }): RuntimeFlags {
  let wanted: Wanted = asAlways;
  const want = (change: Partial<Wanted>) => {
    wanted = { ...wanted, ...change };
    setFlags(v8, wanted);
  };
  // V8 refuses compiled code under other flags than those it was compiled with.
  events.on('binnacle:chunk-loading', () => setFlags(v8, asAlways));
  events.on('binnacle:chunk-loaded', () => setFlags(v8, wanted));
  return {
    onStart: () => want({ collecting: 'later', phase: 'starting' }),
    onReady: (work) => want({ phase: work }),
    onBusy: () => {
      if (wanted.phase === 'answering') want({ phase: 'busy' });
    },
    onSettled: () => {
      want({ collecting: 'asAlways' });
      events.emit('binnacle:settled');
    },
  };
}

interface Wanted {
  readonly collecting: keyof typeof collecting;
  readonly phase: Phase | 'asAlways';
}

const asAlways: Wanted = { collecting: 'asAlways', phase: 'asAlways' };

function setFlags({ version, setFlag }: V8, wanted: Wanted): void {
  setFlag(collecting[wanted.collecting]);
  setFlag(`--heap-growing-percent=${growth[wanted.phase]}`);
  if (!version.startsWith('11.')) return;
  setFlag(`--interrupt-budget=${interruptBudgets[wanted.phase]}`);
  setFlag(parallelScavenge[wanted.phase] ? '--parallel-scavenge' : '--no-parallel-scavenge');
}
