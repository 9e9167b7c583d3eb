#!/usr/bin/env node
// One large request of an ordinary user at a time, while another client asks for /livez: how long does the longest answer take?
//   node test/fault/large-bodies.mjs [--only REGEX] [--bundle] [--limit MS] [--patience MS] [--through PROGRAM]
// A request that is over the limit gets two more chances, and waits count less the slower the machine is meanwhile: others may be busy on it.
import { fork } from 'node:child_process';
import https from 'node:https';
import { dirname, join } from 'node:path';
import { setTimeout as elapse } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServer } from '../support/server-under-test.mjs';
import { cases as ordinary } from './large-body-cases.mjs';
import { customCases, prepared } from './large-custom-cases.mjs';
import { otherCases } from './large-other-cases.mjs';

const value = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const limitMs = Number(value('--limit') ?? 250);
const only = new RegExp(value('--only') ?? '.');
const cases = { ...ordinary, ...customCases, ...otherCases };
const chances = 3;
/** How long a request may take altogether. */
const patienceMs = Number(value('--patience') ?? 60_000);

const through = value('--through') === undefined ? [] : [value('--through')];
const server = await startServer({ from: process.argv.includes('--bundle') ? 'bundle' : 'sources', through });
const probe = fork(join(dirname(fileURLToPath(import.meta.url)), 'freeze-probe.mjs'), [String(server.port)]);
let failed = 0;
const sample = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => `item ${index}`));
let quickest = Number.POSITIVE_INFINITY;
try {
  await prepare();
  const quiet = await longestWait(() => new Promise((resolve) => setTimeout(resolve, 500)));
  console.log(`quiet: ${quiet.freeze} ms`);
  for (const [name, make] of Object.entries(cases).filter(([name]) => only.test(name))) await attack(name, make());
  const after = await send({ method: 'GET', path: '/readyz', token: 'admin-token' });
  if (after.code !== 200) fail(`not ready at the end: ${after.code}`);
} finally {
  probe.disconnect();
  await server.stop();
}
console.log(failed === 0 ? 'nothing froze' : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Some work of this process, always the same. */
function sameWork() {
  const started = performance.now();
  JSON.parse(sample);
  return performance.now() - started;
}

/** How many times longer than on a quiet machine things take just now: others may work on it as well. */
async function slowness() {
  const times = [];
  for (let round = 0; round < 40; round++) {
    times.push(sameWork());
    await new Promise((resolve) => setImmediate(resolve));
  }
  quickest = Math.min(quickest, ...times);
  return Math.max(1, times.reduce((sum, time) => sum + time, 0) / times.length / quickest);
}

async function attack(name, made) {
  const requests = [made].flat();
  const request = requests.at(-1);
  let least = { freeze: Number.POSITIVE_INFINITY };
  for (let chance = 0; chance < chances && (least.freeze > limitMs || problemIn(least.result)); chance++) {
    for (const preparing of requests.slice(0, -1)) await send({ token: 'alice-token', ...preparing });
    const before = await slowness();
    const seen = await longestWait(() => send({ token: 'alice-token', ...request }));
    seen.freeze = Math.round((2 * seen.freeze) / (before + (await slowness())));
    if (seen.freeze < least.freeze) least = seen;
  }
  const { freeze, took, result } = least;
  const line = `${freeze} ms of ${took} ms, ${result.code ?? result.problem}, ${result.size} bytes: ${name}`;
  if (freeze > limitMs || problemIn(result)) fail(line);
  else console.log(`  ${line}`);
  if (process.argv.includes('--verbose')) console.log(`      ${result.text?.slice(0, 300)}`);
}

/** Whatever a client sends ends in an answer, and only what the store cannot hold is no fault of the sender. */
function problemIn({ code, problem, text }) {
  return problem !== undefined || (code >= 500 && !/request is too large|larger than max/.test(text));
}

function fail(line) {
  failed++;
  console.log(`✘ ${line}`);
}

async function longestWait(work) {
  await ask();
  const started = performance.now();
  const result = await work();
  const took = Math.round(performance.now() - started);
  return { freeze: Math.round(await ask()), took, result };
}

function ask() {
  return new Promise((resolve) => {
    probe.once('message', ({ longest }) => resolve(longest));
    probe.send('longest');
  });
}

/** A namespace of her own for alice, and something to patch. */
async function prepare() {
  const admin = async (path, body) => {
    const { code, text } = await send({ method: 'POST', path, type: 'application/json', body: JSON.stringify(body), token: 'admin-token' });
    if (code !== 201) throw new Error(`${path}: ${code} ${text}`);
  };
  const subjects = [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }];
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  await admin('/api/v1/namespaces', { metadata: { name: 'team' } });
  await admin(`${rbac}/clusterroles`, {
    metadata: { name: 'team' },
    rules: [
      {
        apiGroups: [
          '',
          'apps',
          'batch',
          'autoscaling',
          'networking.k8s.io',
          'discovery.k8s.io',
          'resource.k8s.io',
          'rbac.authorization.k8s.io',
          'freeze.example.com',
        ],
        resources: ['*'],
        verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
      },
    ],
  });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'team' };
  await admin(`${rbac}/namespaces/team/rolebindings`, { metadata: { name: 'team' }, roleRef, subjects });
  await admin(`${rbac}/clusterroles`, { metadata: { name: 'csr' }, rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['*'], verbs: ['*'] }] });
  await admin(`${rbac}/clusterrolebindings`, { metadata: { name: 'csr' }, roleRef: { ...roleRef, name: 'csr' }, subjects });
  await admin('/api/v1/namespaces/team/configmaps', { metadata: { name: 'target' }, data: { a: 'b' } });
  await admin('/apis/apps/v1/namespaces/team/deployments', {
    metadata: { name: 'target' },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
  });
  for (const [path, body] of prepared) {
    // A definition is served a moment after it was made.
    for (let tries = 0; tries < 100 && (await send({ method: 'GET', path, token: 'admin-token' })).code === 404; tries++) await elapse(50);
    await admin(path, body);
  }
}

function send({ method, path, type, body, token, accept }) {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    };
    const request = https.request({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false, rejectUnauthorized: false }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.once('end', () => {
        clearTimeout(timer);
        const text = Buffer.concat(parts).toString();
        resolve({ code: response.statusCode, text, size: text.length });
      });
    });
    const timer = setTimeout(() => request.destroy(new Error(`no answer in ${patienceMs} ms`)), patienceMs);
    request.once('error', (problem) => {
      clearTimeout(timer);
      resolve({ problem: problem.message, size: 0 });
    });
    request.end(body);
  });
}
