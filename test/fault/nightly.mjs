#!/usr/bin/env node
// Everything that tries to break the server, one after the other, against the bundle. `--quick` is what every change must
// pass (about two minutes); without it what a night has time for (about an hour).
//   npm run nightly [-- --quick] [--only REGEX]
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/server-under-test.mjs';

const quick = process.argv.includes('--quick');
const only = process.argv.includes('--only') ? new RegExp(process.argv[process.argv.indexOf('--only') + 1]) : /./;

/** Each: what it is, the program, its arguments when there is no time (undefined: it does not run then) and when there is. */
const runs = [
  ['hostile input', 'hostile.mjs', [], []],
  // The short form runs on machines that do something else too; the long one holds the 250 ms.
  [
    'large bodies',
    'large-bodies.mjs',
    ['--only', 'a review with|a merge patch|strategic patch with|an apply of|owner|a role of|pull secrets|JSON patch', '--limit', '500'],
    [],
  ],
  ['one request and the others', 'freeze.mjs', ['--times', 2], ['--times', 50]],
  // In need of a quiet machine: a percentile beside other work measures that work.
  ['hostile definitions', 'hostile-definitions.mjs', undefined, ['--rounds', 10]],
  ['fuzzing', 'fuzz.mjs', ['--count', 1000, '--wave', 200], ...nights(20, 5000)],
  ['aborted requests', 'aborted-requests.ts', ['--count', 600], ['--count', 10_000]],
  ['overload', 'overload.mjs', ['--connections', 500, '--seconds', 4], ['--connections', 2000, '--seconds', 20]],
  ['kill -TERM under load', 'stop-under-load.mjs', ['--rounds', 1], ['--rounds', 20]],
  ['webhooks and policies that come, hang and go', 'webhook-faults.mjs', ['--rounds', 1], ['--rounds', 20]],
  ['extension servers and webhooks that hang and go', 'extension-faults.mjs', ['--rounds', 1], ['--rounds', 20]],
  ['kill -9 under load', 'kill-under-load.mjs', ['--rounds', 3], ['--rounds', 50]],
  ['kill -9 in first starts', 'first-start-kill.mjs', ['--rounds', 4], ['--rounds', 60]],
  ['kill -9 in the midst of rollouts', 'rollout-kill.mjs', ['--rounds', 1], ['--rounds', 60]],
  ['disk faults', 'disk-faults.mjs', [], []],
  ['a full disk under the store', 'store-full-disk.ts', [], []],
  ['kills at named points of the store', 'store-crash.ts', ['--rounds', 10], ['--rounds', 200]],
  ['kills in the midst of compactions', 'store-crash.ts', ['--compacting', '--rounds', 5], ['--compacting', '--rounds', 100]],
  ['damaged files of the store', 'store-damage.ts', ['--every', 200], ['--every', 1]],
  ['churn', 'churn.ts', ['--updates', 60_000, '--interval', 2_000], ['--updates', 300_000, '--interval', 10_000]],
  ['namespaces full of objects go', 'namespaces-gone.mjs', ['--namespaces', 4, '--objects', 200, '--kill', 1, '--cluster'], [], ['--kill', 5, '--cluster']],
  ['owners, kinds that come and go, late watches', '../property/garbage-collector.test.ts', undefined, ['SEEDS=5-104']],
  ['pods put to both schedulers', '../conformance/scheduler.mjs', undefined, ['--clusters', 250, '--seed', 1], ['--clusters', 250, '--seed', 2]],
  ['claims and volumes, late watches', '../property/volume-binder.test.ts', undefined, ['SEEDS=4-53']],
  ['workloads whose controllers hear late', '../property/stale-views.test.ts', undefined, ['SEEDS=31-1030']],
  ['Jobs whose controller hears late and is killed', '../property/jobs.test.ts', undefined, ['SEEDS=13-1012']],
  ['churn over HTTP', 'churn-http.mjs', ['--updates', 3_000, '--interval', '2s'], ['--updates', 300_000, '--interval', '5s']],
  ['controllers of nodes beside the original', '../conformance/node-controllers.mjs', undefined, ['--long']],
  // Built with Go, which takes longer than they do.
  ['definitions of ten projects', '../conformance/real-definitions.mjs', undefined, []],
  ['servers of mixed versions beside the original', '../conformance/mixed-versions.mjs', undefined, []],
  ['sample-apiserver behind the aggregator', '../conformance/sample-apiserver.ts', undefined, ['--bundle']],
  ['random webhooks and policies beside the original', '../conformance/random-rules.mjs', undefined, ['--seeds', '1-300']],
  ['random objects beside the original', '../conformance/random-objects.mjs', undefined, ['--bundle', '--seed', '1']],
  ["gateway-api's own tests", '../conformance/gateway-api.mjs', undefined, []],
  ['nothing is left of environments', 'nothing-left.mjs', ['--count', 6], ['--count', 100]],
  ['soak', 'soak.mjs', ['--seconds', 10, '--watchers', 100], ['--seconds', 600]],
];

/** Judged by times and memory, which a moment of the machine spoils: one that fails is run once more. A write that is lost is lost at once. */
const measured = new Set(['large bodies', 'one request and the others', 'overload', 'churn', 'churn over HTTP', 'soak']);

if (!existsSync(join(root, 'bin/binnacle'))) {
  console.error('there is no bundle: npm run build');
  process.exit(1);
}
const results = [];
for (const [name, file, short, ...long] of runs.filter(([name]) => only.test(name))) {
  for (const args of (quick ? [short] : long).filter((args) => args !== undefined)) {
    const result = await run(name, file, args);
    results.push(result.ok || !measured.has(name) ? result : { ...(await run(name, file, args)), again: true });
  }
}
console.log(`\n${results.map(({ name, ok, seconds, again }) => `${ok ? '✓' : '✘'} ${name} (${seconds} s${again ? ', in the second run' : ''})`).join('\n')}`);
process.exit(results.every(({ ok }) => ok) ? 0 : 1);

/** Many requests in slices with seeds of their own, so that a finding can be repeated alone. */
function nights(slices, count) {
  return Array.from({ length: slices }, (_, slice) => ['--count', count, '--seed', 1000 + slice, '--wave', 500]);
}

/** Tests of vitest get their arguments in the environment. */
function commandOf(file, args) {
  const path = join(root, 'test/fault', file);
  if (file.endsWith('.test.ts')) return [[join(root, 'node_modules/vitest/vitest.mjs'), 'run', path], Object.fromEntries(args.map((arg) => arg.split('=')))];
  if (file.endsWith('.ts')) return [['--import', 'tsx', path, ...args.map(String)], {}];
  return [[path, ...args.map(String), '--bundle'], {}];
}

async function run(name, file, args) {
  const [words, env] = commandOf(file, args);
  console.log(`\n== ${name}: ${file} ${args.join(' ')}`);
  const started = performance.now();
  const child = spawn(process.execPath, words, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  process.once('SIGINT', () => child.kill());
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return { name: args.length === 0 ? name : `${name} ${args.join(' ')}`, ok: code === 0, seconds: Math.round((performance.now() - started) / 1000) };
}
