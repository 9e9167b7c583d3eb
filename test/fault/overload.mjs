#!/usr/bin/env node
// One greedy user with many connections against one modest user: the modest one's p99 must not suffer beyond 10x, every
// refusal is a 429, and system requests go on.   node test/fault/overload.mjs [connections] [seconds]
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import https from 'node:https';
import { join } from 'node:path';
import { root, startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';

const connections = Number(process.argv[2] ?? 500);
const seconds = Number(process.argv[3] ?? 5);
const server = await startServer();
const path = '/api/v1/namespaces/default';
await grant(server);
const modest = new https.Agent({ keepAlive: true, maxSockets: 1 });
const system = new https.Agent({ keepAlive: true, maxSockets: 1 });
const quiet = await sample(modest, 'alice-token', 1000);
const load = fork(join(root, 'test/fault/greedy-client.mjs'), [server.url, path, String(connections)]);
process.once('exit', () => load.kill());
await new Promise((resolve) => {
  let warm = 0;
  load.on('message', (message) => message.warm && ++warm === connections && resolve());
});
const busy = await sample(modest, 'alice-token', seconds * 1000);
const exempt = await sample(system, 'admin-token', 1000);
const counted = new Promise((resolve) => load.on('message', (message) => message.codes && resolve(message.codes)));
load.send('stop');
const codes = await counted;
for (const agent of [modest, system]) agent.destroy();
await server.stop();
console.log(
  `quiet p99 ${p99(quiet)} ms, under load p99 ${p99(busy)} ms (${busy.length} requests), system p99 ${p99(exempt)} ms; greedy user: ${JSON.stringify(codes)}`,
);
assert.deepEqual(
  Object.keys(codes).filter((code) => code !== '200' && code !== '429'),
  [],
);
assert.ok(p99(busy) <= 10 * p99(quiet), `p99 grew from ${p99(quiet)} to ${p99(busy)} ms`);

async function grant(to) {
  const body = JSON.stringify({
    metadata: { name: 'overload' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: ['alice', 'bob'].map((name) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })),
  });
  await ask(to, { method: 'POST', path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', headers: { 'content-type': 'application/json' }, body });
}

async function sample(agent, token, ms) {
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
