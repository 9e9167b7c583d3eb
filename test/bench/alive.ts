// What it takes until all pods of one Deployment are Ready: time, CPU and memory of our one process, beside kube-apiserver, etcd,
// kube-controller-manager, kube-scheduler and kwok; and what controllers, scheduler and a node cost when nothing happens.
//   npx tsx test/bench/alive.ts [--pods 1000] [--nodes 10] [--theirs] [--only ours|theirs|idle]
// --theirs also measures the original in both forms, as it is shipped and without the limits that its programs put on their requests, and says
// whether ours needs no more than the wanted share of each; if not, the exit code is 1.
// Programs: REFERENCE_BIN or ~/.cache/reference-server/bin; kwok and its stages: below SUITES_WORK or /tmp/suites (../shared/suites/lib/build kwok).
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startManager, startScheduler, stopAll } from '../support/control-plane-programs.mjs';
import { freePort, root } from '../support/server-under-test.mjs';
import { cpuMs, memoryOf } from './server-processes.ts';
import { Target } from './target.ts';

const { values: options } = parseArgs({
  options: {
    pods: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '10' },
    theirs: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const [pods, nodes] = [Number(options.pods), Number(options.nodes)];
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const idleSeconds = 20;
const restMs = 10_000;

/** Of the time, the CPU and the memory of the original. */
const wantedShare = 0.25;

interface Reading {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly wholeMb: number;
  readonly anonymousMb: number;
}

/** The limits that kube-controller-manager and kube-scheduler put on their own requests. */
const forms = { 'as shipped': [], 'without limits': ['--kube-api-qps=5000', '--kube-api-burst=5000'] } as const;

const ours = options.only === undefined || options.only === 'ours' ? await measureOurs() : undefined;
if (options.theirs || options.only === 'theirs') {
  for (const [form, limits] of Object.entries(forms)) {
    const theirs = await measureTheirs(form, limits);
    if (ours) judge(ours, theirs, form);
  }
}
if (options.only === undefined || options.only === 'idle') await measureIdle();

async function measureOurs(): Promise<Reading> {
  await using target = await Target.startBinnacle(undefined, ['--controllers=*', `--nodes=${nodes}`]);
  return await measure('binnacle', target, target.pids);
}

function judge(ours: Reading, theirs: Reading, form: string): void {
  const names = { seconds: 'time', cpuSeconds: 'CPU', wholeMb: 'memory', anonymousMb: 'memory of its own' } as const;
  const verdicts = Object.entries(names).map(([key, name]) => {
    const share = ours[key as keyof Reading] / theirs[key as keyof Reading];
    if (share > wantedShare) process.exitCode = 1;
    return `${name} ${share.toFixed(2)}${share > wantedShare ? ' (too much)' : ''}`;
  });
  console.log(`  of the original ${form}, wanted at most ${wantedShare}: ${verdicts.join(', ')}`);
}

async function measure(name: string, target: Target, pids: readonly number[]): Promise<Reading> {
  const countOf = async (path: string) => (JSON.parse((await target.expect(200, { path })).body.toString()) as { items: readonly object[] }).items.length;
  while ((await countOf('/api/v1/nodes')) < nodes || (await countOf('/api/v1/namespaces/default/serviceaccounts')) < 1) await wait(100);
  // Caches are filled and nodes ready.
  await wait(4_000);
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  const spec = { replicas: pods, selector: { matchLabels: { app: 'web' } }, template };
  const [before, began] = [cpuMs(pids), performance.now()];
  await target.expect(201, { method: 'POST', path: deployments, body: { metadata: { name: 'web' }, spec } });
  while ((await readyIn(target)) < pods) await wait(50);
  const seconds = (performance.now() - began) / 1000;
  // Events are written behind; those that somebody leaves out are not waited for.
  for (let looks = 0; looks < 75 && (await eventsIn(target)) < pods; looks++) await wait(200);
  await wait(2_000);
  const cpuSeconds = (cpuMs(pids) - before) / 1000;
  // What each keeps when the work is done.
  await wait(restMs);
  const { anonymousMb, wholeMb } = memoryOf(pids);
  const memory = `${wholeMb.toFixed(0)} MB (${anonymousMb.toFixed(0)} MB of its own)`;
  console.log(`${name}: ${pods} pods Ready after ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of CPU; ${memory} ${restMs / 1000} s later`);
  return { seconds, cpuSeconds, wholeMb, anonymousMb };
}

async function readyIn(target: Target): Promise<number> {
  const { body } = await target.expect(200, { path: `${deployments}/web` });
  return (JSON.parse(body.toString()) as { status: { readyReplicas?: number } }).status.readyReplicas ?? 0;
}

async function eventsIn(target: Target): Promise<number> {
  const { body } = await target.expect(200, { path: '/api/v1/namespaces/default/events?limit=1' });
  const { items, metadata } = JSON.parse(body.toString()) as { items: readonly object[]; metadata: { remainingItemCount?: number } };
  return items.length + (metadata.remainingItemCount ?? 0);
}

async function measureTheirs(form: string, limits: readonly string[]): Promise<Reading> {
  const shared = join(root, '../shared/reference-server');
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-alive-'));
  const children: ChildProcess[] = [];
  const { status, stderr } = spawnSync(join(shared, 'up'), [dir, String(await freePort())], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  try {
    await using target = Target.running(join(dir, 'kubeconfig'));
    const server = { url: target.url, pki: join(dir, 'pki') };
    for (const start of [startManager, startScheduler]) children.push((await start(server, dir, ['--leader-elect=false', ...limits])).child);
    children.push(await startKwok(dir));
    for (let index = 0; index < nodes; index++) await makeNode(target, `node-${index}`);
    const name = `kube-apiserver, etcd, kube-controller-manager, kube-scheduler and kwok ${form}`;
    return await measure(name, target, [...target.pids, ...children.map(({ pid }) => pid ?? 0)]);
  } finally {
    await stopAll(children);
    spawnSync(join(shared, 'down'), [dir]);
    rmSync(dir, { recursive: true, force: true });
  }
}

/** With the stages that it names fast. */
async function startKwok(dir: string): Promise<ChildProcess> {
  const work = process.env['SUITES_WORK'] ?? '/tmp/suites';
  const log = openSync(join(dir, 'kwok.log'), 'a');
  const stages = ['node/fast/node-initialize', 'node/heartbeat-with-lease/node-heartbeat-with-lease', 'pod/fast/pod-ready'];
  const configs = stages.map((stage) => `--config=${join(work, 'src/kwok/kustomize/stage', `${stage}.yaml`)}`);
  const flags = [`--kubeconfig=${join(dir, 'kubeconfig')}`, '--manage-all-nodes=true', `--server-address=127.0.0.1:${await freePort()}`];
  return spawn(join(work, 'bin/kwok'), [...flags, '--node-lease-duration-seconds=40', ...configs], { stdio: ['ignore', log, log] });
}

async function makeNode(target: Target, name: string): Promise<void> {
  const allocatable = { cpu: '8', memory: '32Gi', pods: '110' };
  const labels = { 'kubernetes.io/hostname': name };
  const body = { metadata: { name, labels }, status: { allocatable, capacity: allocatable } };
  await target.expect(201, { method: 'POST', path: '/api/v1/nodes', body });
}

/** The same server with and without what plays. */
async function measureIdle(): Promise<void> {
  const idle = async (flags: readonly string[]) => {
    await using target = await Target.startBinnacle(undefined, flags);
    await wait(10_000);
    const before = cpuMs(target.pids);
    await wait(idleSeconds * 1_000);
    return { share: (cpuMs(target.pids) - before) / (idleSeconds * 10), mb: memoryOf(target.pids).wholeMb };
  };
  const [bare, whole] = [await idle(['--controllers=']), await idle(['--controllers=*', '--nodes=1'])];
  const difference = { share: (whole.share - bare.share).toFixed(2), mb: (whole.mb - bare.mb).toFixed(0) };
  console.log(
    `idle: ${bare.mb.toFixed(0)} MB and ${bare.share.toFixed(2)} % of a core without controllers and nodes; they cost ${difference.mb} MB and ${difference.share} %`,
  );
}
