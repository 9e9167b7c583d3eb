#!/usr/bin/env node
// From spawn to /readyz, against a bare `node -e 0`: 20 alternating runs, medians and their ratio. Budget: 4.
//   node test/bench/boot.mjs [runs] [-- flags]
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root, untilReady } from '../support/server-under-test.mjs';

const separator = process.argv.indexOf('--');
const extra = separator < 0 ? [] : process.argv.slice(separator + 1);
const runs = Number(process.argv[2]) || 20;
const dir = mkdtempSync(join(tmpdir(), 'binnacle-boot-'));
const bare = [];
const boot = [];
await bootOnce(); // makes certificates and warms the disk; not counted
for (let i = 0; i < runs; i++) {
  bare.push(bareOnce());
  boot.push(await bootOnce());
}
rmSync(dir, { recursive: true, force: true });
console.log(
  `node -e 0: ${median(bare).toFixed(0)} ms, spawn to ready: ${median(boot).toFixed(0)} ms, ratio ${(median(boot) / median(bare)).toFixed(2)} (${runs} runs)`,
);

function bareOnce() {
  const start = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - start;
}

async function bootOnce() {
  const port = await freePort();
  const start = performance.now();
  const child = spawn(join(root, 'bin/binnacle'), [`--data-dir=${dir}`, '--bind-address=127.0.0.1', `--secure-port=${port}`, ...extra], { stdio: 'ignore' });
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
