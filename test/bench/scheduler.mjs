#!/usr/bin/env node
// What placing costs: pods of one ReplicaSet on empty nodes, bound by our scheduler and by the real kube-scheduler on a real kube-apiserver.
// CPU time of the processes from the first pod to the last binding, and how long that took.
//   node test/bench/scheduler.mjs [--pods 1000] [--nodes 100] [--bundle] [--only ours|theirs]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ask } from '../fault/hostile-client.mjs';
import { startScheduler, stopAll } from '../support/control-plane-programs.mjs';
import { freePort, root, startServer } from '../support/server-under-test.mjs';

const { values: options } = parseArgs({
  options: { pods: { type: 'string', default: '1000' }, nodes: { type: 'string', default: '100' }, bundle: { type: 'boolean' }, only: { type: 'string' } },
});
const [pods, nodes] = [Number(options.pods), Number(options.nodes)];
const withoutAccounts = '--disable-admission-plugins=ServiceAccount';
const agent = new https.Agent({ keepAlive: true, maxSockets: 16 });

const results = {};
if (options.only !== 'theirs') results.ours = await measureOurs(['--controllers=scheduler']);
if (options.only !== 'theirs') results['ours, pods that nobody places'] = await measureOurs(['--controllers=']);
if (options.only !== 'ours') results.theirs = await measureTheirs();
console.log(`${pods} pods on ${nodes} nodes:`);
for (const [name, { seconds, cpu }] of Object.entries(results)) {
  console.log(
    `${name}: ${seconds.toFixed(1)} s; CPU ${Object.entries(cpu)
      .map(([program, used]) => `${program} ${used.toFixed(1)} s`)
      .join(', ')}`,
  );
}
agent.destroy();

async function measureOurs(flags) {
  const server = await startServer({ flags: [...flags, withoutAccounts], ...(options.bundle && { from: 'bundle' }) });
  try {
    return await place(server.url, { binnacle: server.child.pid }, flags[0] !== '--controllers=');
  } finally {
    await server.stop();
  }
}

async function measureTheirs() {
  const reference = join(root, '../shared/reference-server');
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const port = await freePort();
  const { status, stderr } = spawnSync(join(reference, 'up'), [dir, String(port), '--', withoutAccounts], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const url = `https://127.0.0.1:${port}`;
  // Its own limit on requests would make it wait, not work.
  const scheduler = await startScheduler({ url, pki: join(dir, 'pki') }, dir, ['--leader-elect=false', '--kube-api-qps=5000', '--kube-api-burst=5000']);
  try {
    const [etcd, apiserver] = readFileSync(join(dir, 'pids'), 'utf8').trim().split('\n').map(Number);
    return await place(url, { 'kube-scheduler': scheduler.child.pid, 'kube-apiserver': apiserver, etcd }, true);
  } finally {
    await stopAll([scheduler.child]);
    spawnSync(join(reference, 'down'), [dir]);
    rmSync(dir, { recursive: true, force: true });
  }
}

async function place(url, processes, isPlaced) {
  const send = (method, path, body, type = 'application/json') => request(url, method, path, body, type);
  const allocatable = { cpu: '32', memory: '64Gi', pods: '500' };
  for (let index = 0; index < nodes; index++) {
    const name = `node-${index}`;
    const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `zone-${index % 3}` };
    await send('POST', '/api/v1/nodes', { metadata: { name, labels }, status: { allocatable, capacity: allocatable } });
    await send('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } }, 'application/merge-patch+json');
  }
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m', memory: '64Mi' } } }] } };
  const made = await send('POST', '/apis/apps/v1/namespaces/default/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: made.metadata.uid, controller: true };
  await wait(1_000);
  const before = cpuOf(processes);
  const began = performance.now();
  const create = async (index) =>
    send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: `web-${index}`, labels, ownerReferences: [owner] }, spec: template.spec });
  for (let first = 0; first < pods; first += 16) await Promise.all(Array.from({ length: Math.min(16, pods - first) }, (_, index) => create(first + index)));
  for (;;) {
    const left = (await send('GET', '/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName=&limit=1')).items.length;
    if (left === 0 || !isPlaced) break;
    await wait(20);
  }
  const seconds = (performance.now() - began) / 1000;
  // Events are written behind.
  await wait(1_000);
  const after = cpuOf(processes);
  return { seconds, cpu: Object.fromEntries(Object.keys(processes).map((name) => [name, after[name] - before[name]])) };
}

async function request(url, method, path, body, type) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
  const answer = await ask({ url }, { method, path, agent, headers, body: text });
  if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.code} ${answer.body}`);
  return JSON.parse(answer.body.toString());
}

/** User and system time so far, in seconds. */
function cpuOf(processes) {
  return Object.fromEntries(
    Object.entries(processes).map(([name, pid]) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return [name, (Number(fields[11]) + Number(fields[12])) / 100];
    }),
  );
}
