// The program: reads the command line, runs a server until it is told to stop.
import { homedir } from 'node:os';
import { helpText } from '#app/flags/help.ts';
import { flagsOf, parseOptions, type Program, type ServerOptions } from '#app/flags/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { watchParent } from '#app/envtest/watch-parent.ts';
import { givenWithoutEffect } from '#app/flags/unserved-flags.ts';
import { systemClock } from '#base/clock.ts';
import { type Log, makeLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { kubernetesVersion } from '#server/pages/version.ts';

export async function main(argv: readonly string[], program: Program): Promise<void> {
  try {
    const options = parseOptions(argv, { homeDir: homedir(), program });
    if (options.flags.boolean('help')) return void process.stdout.write(helpText(program, flagsOf(program)));
    if (options.flags.isGiven('version') && options.flags.text('version') !== 'false')
      return void process.stdout.write(`Kubernetes ${kubernetesVersion.gitVersion}\n`);
    await serve(options);
  } catch (problem) {
    if (!isExpected(problem)) throw problem;
    process.stderr.write(`Error: ${problem.message}\n`);
    process.exit(1);
  }
}

/** What the operator can mend needs no stack: wrong flags and files, a data directory in use or damaged, a port that is taken. The rest are our bugs. */
function isExpected(problem: unknown): problem is Error {
  if (!(problem instanceof Error)) return false;
  return !(problem instanceof TypeError || problem instanceof RangeError || problem instanceof ReferenceError || problem instanceof SyntaxError);
}

async function serve(options: ServerOptions): Promise<void> {
  const inEnvtest = options.etcdServers.length > 0;
  // Nothing is lost with it: its objects are in memory, and whoever started it is gone.
  if (inEnvtest) watchParent(() => process.exit(0));
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
  const server = await runServer(options, log, systemClock, verbosity);
  stopOnSignals(server, log, inEnvtest ? 800 : Infinity);
  if (options.program === 'binnacle') process.stdout.write(greeting(server));
}

function greeting({ url, kubeconfig }: RunningServer): string {
  const use = kubeconfig === undefined ? '' : `\n  export KUBECONFIG=${kubeconfig}\n  kubectl get namespaces\n`;
  return `binnacle serves Kubernetes ${kubernetesVersion.gitVersion} at ${url}\n${use}`;
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
