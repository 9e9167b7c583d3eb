#!/usr/bin/env node
// From spawn to /readyz, against a bare `node -e 0`: 20 alternating runs on a directory that is there, on an empty one and with --memory; medians
// (and all times) with their ratios. Budget: 4. With --reference: against kube-apiserver and etcd that begin with nothing as well. Budget: 1/10 of their time.
//   node test/bench/boot.mjs [runs] [--reference DIR --port N] [-- flags]
// With a directory of the bench (npm run bench -- --data-dir DIR --pods N): from spawn to /readyz and to the first object and list of
// its pods, against the reference server stopped and started again in its own directory. Budget: 1/8 of its time to /readyz.
//   node test/bench/boot.mjs [runs] --data-dir DIR [--reference DIR --port N]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import https from 'node:https';
import { freePort, root, startServer, untilReady } from '../support/server-under-test.mjs';

const separator = process.argv.indexOf('--', 2);
const extra = separator < 0 ? [] : process.argv.slice(separator + 1);
const { values, positionals } = parseArgs({
  args: process.argv.slice(2, separator < 0 ? undefined : separator),
  allowPositionals: true,
  options: { 'data-dir': { type: 'string' }, reference: { type: 'string' }, port: { type: 'string', default: '7720' } },
});
const runs = Number(positionals[0]) || (values['data-dir'] ? 3 : 20);
if (values['data-dir']) await bootWithPods(values['data-dir']);
else await bootEmpty();

async function bootEmpty() {
  const there = mkdtempSync(join(tmpdir(), 'binnacle-boot-'));
  const times = { 'node -e 0': [], 'existing directory': [], 'empty directory': [], memory: [] };
  await bootOnce(there); // makes certificates and warms the disk; not counted
  for (let i = 0; i < runs; i++) {
    times['node -e 0'].push(bareOnce());
    times['existing directory'].push(await bootOnce(there));
    times['empty directory'].push(await bootNew());
    times.memory.push(await bootNew('--memory'));
    if (values.reference) (times.reference ??= []).push(await referenceFromNothing(values.reference));
  }
  rmSync(there, { recursive: true, force: true });
  const bare = median(times['node -e 0']);
  for (const [name, all] of Object.entries(times)) {
    const shown = all.toSorted((one, other) => one - other).map((time) => time.toFixed(0));
    const share = times.reference ? `, ${(median(all) / median(times.reference)).toFixed(3)} of the reference` : '';
    console.log(`${name.padEnd(18)} ${median(all).toFixed(0)} ms, ${(median(all) / bare).toFixed(2)} of node -e 0${share}   (${shown.join(' ')})`);
  }
}

/** Certificates are made before, as ours are not: openssl takes its time. */
async function referenceFromNothing(dir) {
  if (!existsSync(join(dir, 'pki/ca.crt'))) bootReference(dir);
  spawnSync(referenceProgram('down'), [dir]);
  rmSync(join(dir, 'etcd'), { recursive: true, force: true });
  const start = performance.now();
  const up = spawn(referenceProgram('up'), [dir, values.port], { stdio: 'ignore' });
  const exited = new Promise((resolve) => up.once('exit', resolve));
  await untilReady(Number(values.port), up, { everyMs: 1 });
  const took = performance.now() - start;
  await exited;
  spawnSync(referenceProgram('down'), [dir]);
  return took;
}

async function bootNew(...flags) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-boot-'));
  const took = await bootOnce(dir, flags);
  rmSync(dir, { recursive: true, force: true });
  return took;
}

async function bootWithPods(dir) {
  const [ready, object, list] = [[], [], []];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    const server = await startServer({ from: 'bundle', dir, keep: true, flags: ['--memory=false', '--v=0'] });
    ready.push(performance.now() - start);
    await ask(server, '/api/v1/namespaces/shop/pods/pod-1');
    object.push(performance.now() - start);
    await ask(server, '/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-7');
    list.push(performance.now() - start);
    await server.stop();
  }
  const own = median(ready);
  console.log(`binnacle: ready ${own.toFixed(0)} ms, first pod ${median(object).toFixed(0)} ms, first list ${median(list).toFixed(0)} ms (${runs} runs)`);
  if (!values.reference) return;
  const other = bootReference(values.reference);
  console.log(`reference: ready ${other.toFixed(0)} ms; ratio ${(own / other).toFixed(3)}, bar 0.125 ${own / other <= 1 / 8 ? 'kept' : 'MISSED'}`);
}

function bootReference(dir) {
  spawnSync(referenceProgram('down'), [dir]);
  const start = performance.now();
  const { status } = spawnSync(referenceProgram('up'), [dir, values.port], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`the reference server in ${dir} does not start`);
  return performance.now() - start;
}

function referenceProgram(name) {
  return join(root, '../shared/reference-server', name);
}

function ask({ port }, path) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer admin-token' };
    https
      .get({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
        response.resume().on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${response.statusCode}`))));
      })
      .on('error', reject);
  });
}

function bareOnce() {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

async function bootOnce(dir, flags = []) {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(join(root, 'bin/binnacle'), [`--data-dir=${dir}`, '--bind-address=127.0.0.1', `--secure-port=${port}`, ...flags, ...extra], {
    stdio: 'ignore',
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await untilReady(port, child, { everyMs: 1 });
  const took = performance.now() - start;
  child.kill('SIGTERM');
  await exited;
  return took;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
