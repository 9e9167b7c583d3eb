#!/usr/bin/env node
// kill -9 at random moments of a first start on an empty directory: the next start opens what is there, and has all that a cluster begins with.
//   node test/fault/first-start-kill.mjs [--rounds 20]      (the bundle: it alone writes prepared objects)
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root, untilReady } from '../support/server-under-test.mjs';

const rounds = process.argv.includes('--rounds') ? Number(process.argv[process.argv.indexOf('--rounds') + 1]) : 20;
const collections = [
  '/api/v1/namespaces',
  '/api/v1/services',
  ...['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map((name) => `/apis/rbac.authorization.k8s.io/v1/${name}`),
  '/apis/scheduling.k8s.io/v1/priorityclasses',
  ...['prioritylevelconfigurations', 'flowschemas'].map((name) => `/apis/flowcontrol.apiserver.k8s.io/v1/${name}`),
  '/apis/apiregistration.k8s.io/v1/apiservices',
];

const directories = new Set();
const servers = new Set();
process.once('exit', () => {
  for (const child of servers) child.kill('SIGKILL');
  for (const dir of directories) rmSync(dir, { recursive: true, force: true });
});

const whole = await startAndRead(newDirectory());
const objects = Object.values(whole.objects).flat().length;
assert.ok(objects > 150, `a first start makes more than ${objects} objects`);
const seen = { 'before anything was written': 0, 'in the midst': 0, 'after it was ready': 0 };
for (let round = 0; round < rounds; round++) {
  const dir = newDirectory();
  // In turn: any moment from the launch on, and a moment from when the store is there, so that writes are hit whatever the machine does besides.
  const part = (round + Math.random()) / rounds;
  const moment = await (round % 2 === 0 ? killAfter(dir, part * 1.2 * whole.tookMs) : killAfter(dir, part * 0.3 * whole.tookMs, hasStore));
  seen[moment]++;
  const again = await startAndRead(dir);
  assert.deepEqual(again.objects, whole.objects, `the directory of a start killed ${moment} is not whole`);
}
assert.ok(seen['in the midst'] > 0, 'no start was killed in the midst of its work');
const counts = Object.entries(seen).map(([moment, times]) => `${times} ${moment}`);
console.log(`${rounds} first starts killed (${counts.join(', ')}): each directory opened again, with its ${objects} objects`);

function newDirectory() {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-first-start-'));
  directories.add(dir);
  return dir;
}

async function start(dir) {
  const port = await freePort();
  const flags = [`--data-dir=${dir}`, '--bind-address=127.0.0.1', `--secure-port=${port}`, '--controllers=', '--nodes=0'];
  const child = spawn(join(root, 'bin/binnacle'), flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  servers.add(child);
  void exited.then(() => servers.delete(child));
  return { port, child, exited };
}

/** So long after the directory is as wanted. */
async function killAfter(dir, milliseconds, isWanted = () => true) {
  const { port, child, exited } = await start(dir);
  let isUp = false;
  void untilReady(port, child, { everyMs: 10 }).then(
    () => (isUp = true),
    () => {},
  );
  while (!isWanted(dir) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  child.kill('SIGKILL');
  await exited;
  if (isUp) return 'after it was ready';
  return hasStore(dir) ? 'in the midst' : 'before anything was written';
}

function hasStore(dir) {
  return existsSync(join(dir, 'store'));
}

/** With the certificates of the directory: they must fit each other. */
async function startAndRead(dir) {
  const begun = performance.now();
  const { port, child, exited } = await start(dir);
  await untilReady(port, child, { everyMs: 10 });
  const tookMs = performance.now() - begun;
  const pem = (file) => readFileSync(join(dir, 'pki', file));
  const agent = new https.Agent({ keepAlive: true, ca: pem('ca.crt'), cert: pem('admin.crt'), key: pem('admin.key') });
  const lists = {};
  const uids = new Set();
  for (const path of collections) {
    const { items } = await get(port, path, agent);
    for (const { metadata } of items) assert.ok(!uids.has(metadata.uid) && uids.add(metadata.uid), `${path}: the uid of ${metadata.name} is another's too`);
    lists[path] = items.map(lastingPart);
  }
  agent.destroy();
  child.kill('SIGTERM');
  await exited;
  return { tookMs, objects: lists };
}

/** What is the same after every start; what the server writes about itself names its port. */
function lastingPart({ metadata: { name, namespace, labels, annotations }, ...rest }) {
  const { spec, rules, subjects, roleRef, value } = rest;
  return { name, namespace, labels, annotations, rules, subjects, roleRef, value, spec: name === 'kubernetes' ? undefined : spec };
}

function get(port, path, agent) {
  return new Promise((resolve, reject) => {
    https
      .get({ host: '127.0.0.1', port, path, agent }, (response) => {
        const pieces = [];
        response
          .on('data', (piece) => pieces.push(piece))
          .on('end', () => {
            const text = Buffer.concat(pieces).toString();
            if (response.statusCode === 200) resolve(JSON.parse(text));
            else reject(new Error(`${path}: ${response.statusCode} ${text}`));
          });
      })
      .on('error', reject);
  });
}
