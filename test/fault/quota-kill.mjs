#!/usr/bin/env node
// 64 creators against hard limits, kill -9 in the middle: no limit is ever exceeded, nothing acknowledged is missing, and within seconds of
// the next start the quota says what is really there; then the rest of the limit can be used, to the last piece.
//   node test/fault/quota-kill.mjs [rounds] [--bundle]
import assert from 'node:assert/strict';
import https from 'node:https';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';
import { killAtWork } from './kill-at-work.mjs';

const rounds = Number(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? 4);
const from = process.argv.includes('--bundle') ? 'bundle' : 'sources';
const dir = mkdtempSync(join(tmpdir(), 'binnacle-quota-kill-'));
const flags = ['--memory=false', '--disable-admission-plugins=ServiceAccount', '--controllers=*,-root-ca-certificate-publisher-controller'];
const creators = 64;
/** Usage must be right so soon after a start. */
const patienceMs = 10_000;
const json = { 'content-type': 'application/json' };
const acknowledged = new Set();

/** What one object of each kind takes of which limit; cpu in thousandths. */
const kinds = [
  { namespace: 'by-count', resource: 'pods', limit: 'pods', perRound: 70, amount: 1, make: (name) => pod(name, '10m') },
  { namespace: 'by-cpu', resource: 'pods', limit: 'requests.cpu', perRound: 70, amount: 150, make: (name) => pod(name, '150m') },
  { namespace: 'by-any-count', resource: 'configmaps', limit: 'count/configmaps', perRound: 90, amount: 1, make: (name) => ({ metadata: { name } }) },
];

try {
  for (let round = 1; round <= rounds; round++) await interrupted(round);
  await finish();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function interrupted(round) {
  const server = await startServer({ dir, flags, from });
  if (round > 1) await check(server);
  for (const kind of kinds) await setLimit(server, kind, kind.perRound * kind.amount * round);
  const before = acknowledged.size;
  const most = kinds.reduce((sum, { perRound }) => sum + perRound, 0);
  // In the middle: some have got through, others are under way.
  const share = 0.2 + Math.random() * 0.6;
  const work = (agent, i, killed) => create(server, agent, kinds[i % kinds.length], `r${round}-w${i}`, killed);
  await killAtWork(server, { clients: creators, work, enough: () => acknowledged.size - before >= most * share });
  console.log(`round ${round}: killed after ${acknowledged.size - before} of ${most} creates were acknowledged`);
}

async function finish() {
  const server = await startServer({ dir, flags, from });
  await check(server);
  const agent = new https.Agent({ keepAlive: true, maxSockets: creators });
  await Promise.all(Array.from({ length: creators }, (_, i) => create(server, agent, kinds[i % kinds.length], `last-w${i}`, { value: false })));
  agent.destroy();
  await check(server);
  for (const kind of kinds) assert.equal((await stored(server, kind)).length, kind.perRound * rounds, `${kind.limit}: the whole limit can be used`);
  await server.stop();
  console.log(`no limit exceeded, nothing of ${acknowledged.size} acknowledged creates missing, usage right after each of ${rounds} kills`);
}

/** Until the server is gone or the quota says no; nothing but a quota may say no. */
async function create(server, agent, kind, prefix, killed) {
  for (let i = 0; !killed.value; i++) {
    const name = `${prefix}-${i}`;
    let made;
    try {
      made = await ask(server, { method: 'POST', path: collection(kind), headers: json, body: JSON.stringify(kind.make(name)), agent });
    } catch (problem) {
      if (killed.value) return;
      throw problem;
    }
    if (made.code === 201) acknowledged.add(`${kind.namespace}/${name}`);
    else if (made.code === 403 && made.body.includes('exceeded quota')) return;
    else if (!killed.value) throw new Error(`${made.code} ${made.body}`);
  }
}

async function check(server) {
  const started = Date.now();
  for (const kind of kinds) {
    const names = await stored(server, kind);
    const quota = await quotaOf(server, kind);
    const hard = amountOf(quota.status.hard[kind.limit], kind);
    assert.ok(names.length * kind.amount <= hard, `${kind.limit}: ${names.length} objects exceed ${quota.status.hard[kind.limit]}`);
    const prefix = `${kind.namespace}/`;
    for (const one of acknowledged) if (one.startsWith(prefix)) assert.ok(names.includes(one.slice(prefix.length)), `${one} was acknowledged and is missing`);
    for (;;) {
      const used = amountOf((await quotaOf(server, kind)).status.used[kind.limit], kind);
      if (used === names.length * kind.amount) break;
      assert.ok(Date.now() - started < patienceMs, `${kind.limit}: ${used} used, ${names.length} objects there, ${patienceMs} ms after the start`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  console.log(`  usage is right ${Date.now() - started} ms after the server was ready`);
}

async function setLimit(server, kind, hard) {
  const text = kind.limit === 'requests.cpu' ? `${hard}m` : String(hard);
  const spec = { hard: { [kind.limit]: text } };
  const body = JSON.stringify({ metadata: { name: 'q' }, spec });
  await ask(server, { method: 'POST', path: '/api/v1/namespaces', headers: json, body: JSON.stringify({ metadata: { name: kind.namespace } }) });
  await ask(server, { method: 'POST', path: `/api/v1/namespaces/${kind.namespace}/resourcequotas`, headers: json, body });
  const headers = { 'content-type': 'application/merge-patch+json' };
  await ask(server, { method: 'PATCH', path: quotaPath(kind), headers, body: JSON.stringify({ spec }) });
  for (;;) {
    const { status } = await quotaOf(server, kind);
    if (status?.used?.[kind.limit] !== undefined && amountOf(status.hard[kind.limit], kind) === hard) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stored(server, kind) {
  const { body } = await ask(server, { path: collection(kind) });
  return JSON.parse(body).items.flatMap(({ metadata }) => (metadata.name === 'kube-root-ca.crt' ? [] : metadata.name));
}

async function quotaOf(server, kind) {
  return JSON.parse((await ask(server, { path: quotaPath(kind) })).body);
}

function amountOf(text, { limit }) {
  if (limit !== 'requests.cpu') return Number(text);
  return text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000;
}

function quotaPath({ namespace }) {
  return `/api/v1/namespaces/${namespace}/resourcequotas/q`;
}

function collection({ namespace, resource }) {
  return `/api/v1/namespaces/${namespace}/${resource}`;
}

function pod(name, cpu) {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] } };
}
