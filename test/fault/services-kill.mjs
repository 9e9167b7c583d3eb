#!/usr/bin/env node
// 64 clients make and delete services, kill -9 in the middle: no two services ever have the same address or node port, nothing acknowledged
// is missing, and every address has its object. In the end the range is used to the last address, says clearly that it is full, and gives
// the one address that is given back.
//   node test/fault/services-kill.mjs [rounds] [--bundle]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';
import { killAtWork } from './kill-at-work.mjs';

const rounds = Number(process.argv.slice(2).find((word) => !word.startsWith('--')) ?? 4);
const from = process.argv.includes('--bundle') ? 'bundle' : 'sources';
const dir = mkdtempSync(join(tmpdir(), 'binnacle-services-kill-'));
/** 254 addresses, one of them for the service `kubernetes`; more ports than addresses. */
const usable = 254;
const flags = ['--memory=false', '--service-cluster-ip-range=10.96.0.0/24', '--service-node-port-range=30000-30299'];
const clients = 64;
/** After so many acknowledged services of a round, at the latest, comes the kill. */
const perRound = 60;
const services = '/api/v1/namespaces/default/services';
const json = { 'content-type': 'application/json' };
/** Names that must be there: acknowledged, and nobody has begun to delete them. */
const standing = new Set();
let acknowledged = 0;

try {
  for (let round = 1; round <= rounds; round++) await interrupted(round);
  await finish();
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function interrupted(round) {
  const server = await startServer({ dir, flags, from });
  await check(server);
  const before = acknowledged;
  const share = 0.2 + Math.random() * 0.8;
  const use = (agent, i, killed) => work(server, agent, `r${round}-w${i}`, killed);
  await killAtWork(server, { clients, work: use, enough: () => acknowledged - before >= perRound * share });
  console.log(`round ${round}: killed after ${acknowledged - before} creates were acknowledged, ${standing.size} services must stand`);
}

/** Two made, one deleted, until the server is gone or has nothing left. */
async function work(server, agent, prefix, killed) {
  try {
    for (let i = 0; !killed.value; i++) {
      const name = `${prefix}-${i}`;
      const made = await create(server, name, agent);
      if (made.code === 500 && isFull(made)) return;
      assert.equal(made.code, 201, made.body.toString());
      acknowledged++;
      standing.add(name);
      if (i % 2 === 0) continue;
      standing.delete(name);
      await ask(server, { method: 'DELETE', path: `${services}/${name}`, agent });
    }
  } catch (problem) {
    if (!killed.value) throw problem;
  }
}

async function finish() {
  const server = await startServer({ dir, flags, from });
  await check(server);
  let made;
  for (let i = 0; (made = await create(server, `last-${i}`)).code === 201; i++) standing.add(`last-${i}`);
  assert.ok(isFull(made), `the range being full is a clear error: ${made.code} ${made.body}`);
  const there = await check(server);
  // What a kill left between an address and its service is given back after a minute, as on the original.
  const nobody = (await addressesOf(server)).length - there.length;
  assert.ok(nobody <= clients * rounds, `${nobody} addresses belong to nobody`);
  assert.equal(there.length + nobody, usable, 'the whole range can be used');

  const given = there.find(({ name }) => name !== 'kubernetes');
  await ask(server, { method: 'DELETE', path: `${services}/${given.name}` });
  standing.delete(given.name);
  const again = JSON.parse((await create(server, 'again')).body);
  assert.equal(again.spec.clusterIP, given.address, 'the only free address is reused');
  await server.stop();
  console.log(`no address and no port twice among ${there.length} services, ${nobody} addresses of nobody, after ${rounds} kills and ${acknowledged} creates`);
}

function create(server, name, agent) {
  const body = JSON.stringify({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } });
  return ask(server, { method: 'POST', path: services, headers: json, body, agent });
}

function isFull({ body }) {
  return /^Internal error occurred: failed to allocate a (serviceIP for Service ".*"|nodePort): range is full$/.test(JSON.parse(body).message);
}

async function check(server) {
  const there = JSON.parse((await ask(server, { path: services })).body).items.map(({ metadata: { name }, spec }) => ({
    name,
    address: spec.clusterIP,
    ports: spec.ports.flatMap(({ nodePort }) => nodePort ?? []),
  }));
  refuseTwice(there.map(({ address }) => address));
  refuseTwice(there.flatMap(({ ports }) => ports));
  const names = new Set(there.map(({ name }) => name));
  for (const name of standing) assert.ok(names.has(name), `${name} was acknowledged and is missing`);
  const objects = new Set(await addressesOf(server));
  for (const { name, address } of there) assert.ok(objects.has(address), `the address ${address} of ${name} has no object`);
  return there;
}

async function addressesOf(server) {
  return JSON.parse((await ask(server, { path: '/apis/networking.k8s.io/v1/ipaddresses' })).body).items.map(({ metadata }) => metadata.name);
}

function refuseTwice(values) {
  const seen = new Set();
  for (const value of values) {
    assert.ok(!seen.has(value), `${value} was given twice`);
    seen.add(value);
  }
}
