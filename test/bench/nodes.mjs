#!/usr/bin/env node
// What nodes that play cost: how long pods that are bound to them take to become ready, with which CPU time and memory, and what all of it costs
// when nothing happens.
//   node test/bench/nodes.mjs [--nodes 1000] [--pods 10000] [--idle 20] [--sources]
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { parseArgs } from 'node:util';
import { ask } from '../fault/hostile-client.mjs';
import { startServer } from '../support/server-under-test.mjs';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    pods: { type: 'string', default: '10000' },
    idle: { type: 'string', default: '20' },
    sources: { type: 'boolean' },
  },
});
const [nodes, pods, idle] = [Number(options.nodes), Number(options.pods), Number(options.idle)];
const server = await startServer({ flags: [`--nodes=${nodes}`], from: options.sources ? 'sources' : 'bundle' });
const agent = new https.Agent({ keepAlive: true, maxSockets: 32 });

async function call(method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  const answer = await ask(server, { method, path, agent, headers, body: text });
  if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.code} ${answer.body}`);
  return JSON.parse(answer.body.toString());
}

/** CPU seconds and memory of the server. */
function usage() {
  const [, rest] = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]) / 1024;
  return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, memory };
}

async function measured(what, work) {
  const [before, began] = [usage(), performance.now()];
  const note = (await work()) ?? '';
  const after = usage();
  const seconds = (performance.now() - began) / 1000;
  const share = (((after.cpu - before.cpu) / seconds) * 100).toFixed(1);
  console.log(`${what}: ${seconds.toFixed(1)} s, ${(after.cpu - before.cpu).toFixed(1)} s of CPU (${share} %), ${after.memory.toFixed(0)} MB ${note}`);
}

async function until(count, wanted) {
  for (const end = Date.now() + 300_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200))) if ((await count()) >= wanted) return;
  throw new Error('waited in vain');
}

const countOf = async (path) => {
  const { items, metadata } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=1`);
  return items.length + (metadata.remainingItemCount ?? 0);
};
/** Field selectors leave the rest uncounted: the table of metrics knows. */
const running = async () => (await call('GET', '/api/v1/pods?fieldSelector=status.phase=Running')).items.length;

try {
  await measured(`${nodes} nodes registered`, () => until(() => countOf('/api/v1/nodes'), nodes));
  await until(async () => (await call('GET', '/api/v1/namespaces/default/serviceaccounts')).items.length, 1);
  await measured(`${pods} pods created and Running`, async () => {
    const queue = Array.from({ length: pods }, (_, i) => i);
    const creator = async () => {
      for (let i = queue.pop(); i !== undefined; i = queue.pop()) {
        const spec = { nodeName: `node-${i % nodes}`, containers: [{ name: 'c', image: 'nginx' }] };
        await call('POST', '/api/v1/namespaces/default/pods', { metadata: { name: `p-${i}`, labels: { app: 'x' } }, spec });
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: 32 }, creator));
    const created = performance.now();
    await until(running, pods);
    return `(created after ${((created - began) / 1000).toFixed(1)} s)`;
  });
  await measured(`idle for ${idle} s`, () => new Promise((resolve) => setTimeout(resolve, idle * 1000)));
  const ips = (await call('GET', '/api/v1/pods')).items.map(({ status }) => status.podIP);
  console.log(`${new Set(ips).size} different addresses of pods`);
  const stale = (await call('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases')).items.filter(
    ({ spec }) => Date.now() - Date.parse(spec.renewTime) > 15_000,
  );
  console.log(`${stale.length} leases older than 15 s`);
} finally {
  agent.destroy();
  await server.stop();
}
