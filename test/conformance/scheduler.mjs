#!/usr/bin/env node
// Our scheduler beside the real kube-scheduler: random clusters and pods are put to both. Ours must find the same nodes with the same scores,
// choose one of the best, and say the same where a pod fits nowhere.
//   node test/conformance/scheduler.mjs [--clusters 20] [--pods 4] [--seed 1] [--bundle] [--show 10]
// Programs: REFERENCE_BIN or ~/.cache/reference-server/bin.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, startScheduler, stopAll } from '../support/control-plane-programs.mjs';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { Generator } from './scheduler/generate.mjs';
import { ScoreLog } from './scheduler/score-log.mjs';
import { Target } from './scheduler/target.mjs';

const { values: options } = parseArgs({
  options: {
    clusters: { type: 'string', default: '20' },
    pods: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
    bundle: { type: 'boolean' },
  },
});
const reference = join(root, '../shared/reference-server');
const missing = ['kube-scheduler', 'kube-apiserver', 'etcd'].filter((program) => !existsSync(join(bin, program)));
if (missing.length > 0 || !existsSync(reference)) {
  console.error(`SKIPPED: there is no ${missing.join(', ') || reference} (../shared/reference-server/install ${missing.join(' ')})`);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const seeds = Array.from({ length: Number(options.clusters) }, (_, index) => Number(options.seed) * 100_000 + index);
const clusterOf = (seed) => new Generator(seed).cluster(Number(options.pods));
const began = performance.now();
const [ours, theirs] = await Promise.all([withOurs(outcomes), withTheirs(outcomes)]);
const cases = seeds.flatMap((seed) => compared(seed));
const wrong = cases.filter(({ problem }) => problem !== undefined);
for (const { seed, index, problem } of wrong.slice(0, Number(options.show))) console.log(`cluster ${seed}, pod ${index}: ${problem}`);
const count = (kind) => cases.filter((one) => one.kind === kind).length;
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `${cases.length} pods on ${seeds.length} clusters: ${count('scored')} scored, ${count('only')} with one node that will do, ${count('made room')} after others were removed, ` +
    `${count('misfit')} fit nowhere; ${wrong.length} differ (${seconds} s)`,
);
process.exit(wrong.length === 0 && cases.length > 0 ? 0 : 1);

async function outcomes(target) {
  await target.prepare();
  const bySeed = new Map();
  for (const seed of seeds) bySeed.set(seed, await target.run(clusterOf(seed)));
  return bySeed;
}

async function withOurs(use) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-scheduler-'));
  const flags = ['--controllers=scheduler', '--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection', '--v=4'];
  const server = await startServer({ dir, flags, ...(options.bundle && { from: 'bundle' }) });
  const log = new ScoreLog(server.logFile, /nodes were scored pod="([^"]+)" scores=(\{.*\})/, ([, pod, scores]) => [pod, JSON.parse(scores)]);
  return finishing(use, server.url, log, () => server.stop());
}

async function withTheirs(use) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-kube-scheduler-'));
  const port = await freePort();
  const pki = join(dir, 'pki');
  const flags = ['--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection'];
  const env = { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' };
  const { status, stderr } = spawnSync(join(reference, 'up'), [dir, String(port), '--', ...flags], { encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  const url = `https://127.0.0.1:${port}`;
  const scheduler = await startScheduler({ url, pki }, dir, [
    '--leader-elect=false',
    '--kube-api-qps=2000',
    '--kube-api-burst=4000',
    '--vmodule=schedule_one=10',
  ]);
  process.once('exit', () => {
    scheduler.child.kill('SIGKILL');
    spawnSync(join(reference, 'down'), [dir]);
  });
  const line = /"Calculated node's final score for pod" .*pod="([^"]+)" node="([^"]+)" score=(\d+)/;
  const log = new ScoreLog(scheduler.logFile, line, ([, pod, node, score]) => [pod, { [node]: Number(score) }]);
  return finishing(use, url, log, async () => {
    await stopAll([scheduler.child]);
    spawnSync(join(reference, 'down'), [dir]);
    rmSync(dir, { recursive: true, force: true });
  });
}

async function finishing(use, url, log, stop) {
  const target = new Target(url, (pod) => log.scoresOf(pod));
  try {
    return await use(target);
  } finally {
    target.close();
    log.close();
    await stop();
  }
}

function compared(seed) {
  const [own, real] = [ours.get(seed), theirs.get(seed)];
  return Array.from({ length: Math.max(own.length, real.length) }, (_, index) => {
    const one = { own: own[index], real: real[index] };
    return { seed, index, kind: kindOf(one.real), problem: problemOf(one) };
  });
}

function kindOf(real) {
  if (real === undefined || (real.node === '' && real.nominated === '')) return 'misfit';
  if (real.victims.length > 0) return 'made room';
  return real.scores === undefined ? 'only' : 'scored';
}

/** Undefined: the real one could have done the same. */
function problemOf({ own, real }) {
  if (own === undefined || real === undefined) return `only one of them went on: ${JSON.stringify(own ?? real)}`;
  if (own.victims.join() !== real.victims.join()) return `removed [${own.victims}], the original [${real.victims}]`;
  if (own.victims.length > 0) return undefined;
  if ((own.node === '') !== (real.node === '')) return `went to «${own.node}» (${own.message}), in the original to «${real.node}» (${real.message})`;
  if (own.node === '') return own.message === real.message ? undefined : `said\n  ${own.message}\n  the original\n  ${real.message}`;
  if (JSON.stringify(sorted(own.scores)) !== JSON.stringify(sorted(real.scores))) {
    return `scored ${JSON.stringify(sorted(own.scores))}, the original ${JSON.stringify(sorted(real.scores))}`;
  }
  if (real.scores === undefined) return own.node === real.node ? undefined : `went to ${own.node}, in the original to ${real.node}`;
  const best = Math.max(...Object.values(real.scores));
  return real.scores[own.node] === best ? undefined : `went to ${own.node}, which is not one of the best: ${JSON.stringify(real.scores)}`;
}

function sorted(scores) {
  return scores && Object.entries(scores).sort(([a], [b]) => (a < b ? -1 : 1));
}
