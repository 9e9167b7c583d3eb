#!/usr/bin/env node
// One greedy user with many connections, made beforehand, against one modest user: the modest one's p99 must not suffer
// beyond 10x its quiet value of the same run (of 2.5 ms at least), every refusal is a 429, system requests go on, and memory is bounded.
//   node test/fault/overload.mjs [--connections 2000] [--seconds 8] [--bundle]
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { root, startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';
import { keptBytes } from './kept-memory.mjs';

const option = (name, fallback) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback);
const [connections, seconds] = [option('connections', 2000), option('seconds', 8)];
const path = '/api/v1/namespaces/default';
const tenfold = 10;
/** A quiet p99 below this says more about two cores without anything else to do than about the server. */
const leastQuietMs = 2.5;
const memoryGrowth = 1.25;
const residentLimit = 1e9;

const server = await startServer({ from: process.argv.includes('--bundle') ? 'bundle' : 'sources' });
await grant();
const load = fork(join(root, 'test/fault/greedy-client.mjs'), [String(server.port), path, String(connections)]);
process.once('exit', () => load.kill());
await said('connected');
const [modest, system] = [client('alice-token'), client('admin-token')];
await Promise.all([sample(modest, 500), sample(system, 500)]);
const [quiet, quietSystem] = await Promise.all([sample(modest, 2000), sample(system, 2000)]);
load.send('go');
await Promise.all([sample(modest, 1500), sample(system, 1500)]);
const memory = [await keptBytes(server)];
const half = (seconds * 1000) / 2;
const [first, firstSystem] = await Promise.all([sample(modest, half), sample(system, half)]);
memory.push(await keptBytes(server));
const [second, secondSystem] = await Promise.all([sample(modest, half), sample(system, half)]);
memory.push(await keptBytes(server));
const resident = rss();
const counted = said('codes');
load.send('stop');
const { codes } = await counted;
for (const { agent } of [modest, system]) agent.destroy();
await server.stop();

const [busy, busySystem] = [
  [...first, ...second],
  [...firstSystem, ...secondSystem],
];
console.log(`modest user: quiet p99 ${p99(quiet)} ms (${quiet.length} requests), under load p99 ${p99(busy)} ms (${busy.length} requests)`);
console.log(
  `system user: quiet p99 ${p99(quietSystem)} ms (${quietSystem.length} requests), under load p99 ${p99(busySystem)} ms (${busySystem.length} requests)`,
);
console.log(
  `greedy user: ${JSON.stringify(codes)}; memory in use ${memory.map((bytes) => `${Math.round(bytes / 1e6)} MB`).join(', ')}, ${Math.round(resident / 1e6)} MB resident`,
);
assert.deepEqual(
  Object.keys(codes).filter((code) => code !== '200' && code !== '429'),
  [],
);
assert.ok((codes['200'] ?? 0) > connections, 'the greedy user is slowed down, not locked out');
assert.ok(p99(busy) <= allowed(quiet), `the modest user's p99 grew from ${p99(quiet)} to ${p99(busy)} ms`);
assert.ok(p99(busySystem) <= allowed(quietSystem), `the p99 of system requests grew from ${p99(quietSystem)} to ${p99(busySystem)} ms`);
assert.ok(memory[2] <= memoryGrowth * memory[0], `memory grew under the same load: ${memory}`);
assert.ok(resident < residentLimit, `${resident} bytes are resident`);

function allowed(quietTimes) {
  return tenfold * Math.max(p99(quietTimes), leastQuietMs);
}

async function grant() {
  const body = JSON.stringify({
    metadata: { name: 'overload' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: ['alice', 'bob'].map((name) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })),
  });
  await ask(server, { method: 'POST', path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', headers: { 'content-type': 'application/json' }, body });
}

function client(token) {
  return { token, agent: new https.Agent({ keepAlive: true, maxSockets: 1 }) };
}

async function sample({ token, agent }, ms) {
  const times = [];
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const answer = await ask(server, { path, token, agent, timeoutMs: 60_000 });
    assert.equal(answer.code, 200);
    times.push(answer.ms);
  }
  return times;
}

function p99(times) {
  return Number([...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * 0.99))].toFixed(1));
}

function rss() {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024;
}

function said(what) {
  return new Promise((resolve) => load.on('message', (message) => what in message && resolve(message)));
}
