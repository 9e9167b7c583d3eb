#!/usr/bin/env node
// What it costs to make the pods of one Deployment and to count them ready: time and CPU of all programs, beside the original's (kube-apiserver,
// etcd and kube-controller-manager without limits of its client). Readiness is written by this program on both sides.
//   node test/bench/deployment.mjs [--pods 1000] [--bundle] [--original]
import { readdirSync, readFileSync } from 'node:fs';
import https from 'node:https';
import { parseArgs } from 'node:util';
import { ask } from '../fault/hostile-client.mjs';
import { startOriginal } from '../support/control-plane-programs.mjs';
import { startServer } from '../support/server-under-test.mjs';

const { values } = parseArgs({ options: { pods: { type: 'string', default: '1000' }, bundle: { type: 'boolean' }, original: { type: 'boolean' } } });
const replicas = Number(values.pods);
const controllers = ['deployment-controller', 'replicaset-controller'];
const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const ticksPerSecond = 100;

await measure('binnacle', () =>
  startServer({ flags: ['--disable-admission-plugins=ServiceAccount', `--controllers=${controllers.join(',')}`], ...(values.bundle && { from: 'bundle' }) }),
);
if (values.original) {
  const prepare = async (request) => void (await request('POST', `${core}/serviceaccounts`, { metadata: { name: 'default' } }));
  await measure('the original', () => startOriginal(controllers, prepare));
}

async function measure(name, start) {
  const before = new Set(processes());
  const server = await start();
  const agent = new https.Agent({ keepAlive: true, maxSockets: 32 });
  const own = processes().filter((pid) => !before.has(pid));
  const cpu = () => own.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  try {
    const [since, used] = [Date.now(), cpu()];
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await request(server, agent, 'POST', `${apps}/deployments`, {
      metadata: { name: 'web' },
      spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
    });
    await until(server, agent, ({ status }) => status.replicas === replicas);
    const [made, usedMade] = [Date.now(), cpu()];
    const { items } = await request(server, agent, 'GET', `${core}/pods`);
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }] };
    const rest = [...items];
    const work = async () => {
      for (let pod = rest.pop(); pod; pod = rest.pop()) await request(server, agent, 'PATCH', `${core}/pods/${pod.metadata.name}/status`, { status });
    };
    await Promise.all(Array.from({ length: 16 }, work));
    await until(server, agent, ({ status: { availableReplicas } }) => availableReplicas === replicas);
    const [ready, usedReady] = [Date.now(), cpu()];
    const text = (from, to, a, b) => `${((to - from) / 1000).toFixed(2)} s, ${(b - a).toFixed(2)} s of CPU`;
    console.log(`${name}: ${replicas} pods made in ${text(since, made, used, usedMade)}; then ready in ${text(made, ready, usedMade, usedReady)}`);
  } finally {
    agent.destroy();
    await server.stop();
  }
}

async function until(server, agent, holds) {
  while (!holds(await request(server, agent, 'GET', `${apps}/deployments/web`))) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function request(server, agent, method, path, body) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await ask(server, { method, path, agent, headers: { 'content-type': type }, body: body && JSON.stringify(body) });
  if (answer.code >= 300) throw new Error(`${method} ${path}: ${answer.code} ${answer.body}`);
  return JSON.parse(answer.body.toString());
}

function processes() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const own = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return /binnacle|kube-apiserver|etcd|kube-controller-manager/.test(own) ? (Number(fields[11]) + Number(fields[12])) / ticksPerSecond : 0;
  } catch {
    return 0;
  }
}
