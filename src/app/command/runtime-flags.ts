// Flags of V8 that a server changes while it runs: when V8 collects garbage, and when it optimizes. For a process that is nothing but a server.
import { setFlagsFromString } from 'node:v8';

/** What a start and the first requests leave behind is not worth a collection, which would take 20 ms of the main thread just when the first client asks. */
const collecting = { later: '--no-incremental-marking', asAlways: '--incremental-marking' };

/** What a server does, for V8. `answering` and `busy`: it only answers, at first and once its clients keep it busy. */
type Phase = 'starting' | 'answering' | 'busy' | 'playing';

export type Work = Exclude<Phase, 'starting' | 'busy'>;

/**
 * When V8 optimizes a function. `budget`: bytes of bytecode that it runs before V8 thinks of it (67,584 unless told otherwise). `inlined`: bytes of bytecode of other
 * functions that may become part of it (920).
 * Optimizing is dear: with what V8 does by itself the first 1,000 creates cost as much of its threads as they take themselves, which a server of tests that is gone soon
 * does not get back, nor one whose client asks for one thing at a time. Most of that is inlining: with little of it a function is optimized for a fraction, and runs
 * almost as fast. So a server inlines little until its clients keep it busy. Of pods by one client, in µs of CPU for each: with a budget of 300,000 and all inlining 870,
 * 1,090, 1,010 and 220 for the first 1,000 creates, patches, updates and gets, and 790, 810, 680 and 80 for the next 2,000; so 980, 1,140, 820 and 100, and 600, 660,
 * 590 and 90. The next 1,000 patches cost 690 instead of 600, since what is optimized early stays as it is; after 9,000 of a kind nothing of that was seen
 * (`npx tsx test/bench/cold.ts`).
 * It must be so from the start on: a function keeps the budget that was in force when V8 began to watch it.
 * A busy server has few functions that matter: the first 6,000 creates by many writers cost 10 to 17 % less with 30,000 than with V8's own budget. One that also plays a
 * cluster has many times as many, most of them lukewarm: 1,000 pods are Ready after 1.8 s and 2.2 s of CPU (2.0 and 2.4 with 700,000 and inlining), 5,000 after 8.0 and
 * 9.1 s (8.7 and 10.2; `npx tsx test/bench/alive.ts --only ours`).
 * Measured with the V8 of Node.js 20; later ones tier up in other steps, and are left as they are.
 */
const optimizing = {
  asAlways: { budget: 67_584, inlined: 920 },
  starting: { budget: 90_000, inlined: 150 },
  answering: { budget: 90_000, inlined: 150 },
  busy: { budget: 30_000, inlined: 920 },
  playing: { budget: 400_000, inlined: 0 },
};

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
  const { budget, inlined } = optimizing[wanted.phase];
  setFlag(`--interrupt-budget=${budget}`);
  setFlag(`--max-inlined-bytecode-size-cumulative=${inlined}`);
  setFlag(parallelScavenge[wanted.phase] ? '--parallel-scavenge' : '--no-parallel-scavenge');
}
