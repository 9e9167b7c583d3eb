// `binnacle serve`: a server until it is told to stop.
import { whenLoopIsBusy } from '#app/command/busy-loop.ts';
import { greeting } from '#app/command/greeting.ts';
import { runtimeFlags } from '#app/command/runtime-flags.ts';
import { givenWithoutEffect } from '#app/flags/unserved-flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { watchParent } from '#app/envtest/watch-parent.ts';
import { storeKind } from '#app/open-store.ts';
import { isOn } from '#app/loops/controllers.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { systemClock } from '#base/clock.ts';
import { collectWhenIdle } from '#base/memory/idle-collection.ts';
import { type Log, makeLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';

/** The first clients of a server wait for it, and have asked by then. */
const untilSettledMs = 300;

/**
 * Work of its event loop, in all, after which a server that only answers is no longer one of a short test: some 3,000 requests of one client. The bound
 * decides who pays for V8's optimizing: with 1,500 the first patches after 1,000 creates do, with 4,000 nobody before 4,000 requests, and whoever sends twice
 * as many has paid a second of CPU more than with optimizing from the start on (`npx tsx test/bench/cold.ts`).
 */
const untilBusyMs = 3_000;

/** Bytes that an idle server may hold beyond what it needs. One that only answers is asked in bursts, and should be as fast in the next. */
const idleGarbage = { playing: 16 << 20, answering: 64 << 20 };

export async function serve(options: ServerOptions): Promise<void> {
  const flags = runtimeFlags();
  flags.onStart();
  const verbosity = { value: options.log.verbosity };
  const log = makeLog({
    format: options.log.format,
    level: () => (verbosity.value >= 4 ? 'debug' : 'info'),
    write: (line) => process.stderr.write(line),
    now: () => systemClock.now(),
  });
  for (const name of options.flags.deprecated()) log.warn(`flag --${name} has been deprecated`);
  const idle = givenWithoutEffect(options.flags);
  if (idle.length > 0) log.warn('flags that have no effect on this server', { flags: idle.map((name) => `--${name}`).join(' ') });
  let inEnvtest = false;
  const kind = async () => {
    const found = await storeKind(options);
    inEnvtest = options.etcdServers.length > 0 && found === 'memory';
    // Nothing is lost with it: its objects are in memory, and whoever started it is gone.
    if (inEnvtest) watchParent(() => process.exit(0));
    return found;
  };
  const server = await runServer(options, log, systemClock, verbosity, systemTimers, { kind });
  const work = runsDeployments(options) ? 'playing' : 'answering';
  flags.onReady(work);
  whenLoopIsBusy(untilBusyMs, systemTimers, flags.onBusy);
  systemTimers.after(untilSettledMs, () => {
    flags.onSettled();
    collectWhenIdle(systemTimers, { worthBytes: idleGarbage[work] });
  });
  stopOnSignals(server, log, inEnvtest ? 800 : Infinity);
  if (options.program === 'binnacle') process.stdout.write(greeting({ ...server, ...options, runsDeployments: runsDeployments(options) }));
}

function runsDeployments({ controllers }: ServerOptions): boolean {
  return (['deployment-controller', 'replicaset-controller', 'scheduler'] as const).every((name) => isOn(controllers, name));
}

/** The first signal stops gently, but not for longer than `limitMs`; the second at once. */
function stopOnSignals(server: RunningServer, log: Log, limitMs: number): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info('stopping', { signal });
    if (limitMs < Infinity) systemTimers.after(limitMs, () => process.exit(0));
    server.close().then(
      () => process.exit(0),
      (cause: unknown) => {
        log.error('could not stop cleanly', cause);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}
