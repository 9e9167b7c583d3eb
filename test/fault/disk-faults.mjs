#!/usr/bin/env node
// What a server does when its disk fails it: full, not writable, damaged. A clear message, reads go on, nothing that was
// acknowledged is lost.   node test/fault/disk-faults.mjs [--bundle]
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';

const from = process.argv.includes('--bundle') ? 'bundle' : 'sources';
const program = from === 'bundle' ? [join(root, 'bin/binnacle')] : [process.execPath, '--import', 'tsx', join(root, 'src/app/binnacle.ts')];
const flags = ['--memory=false'];
const configMaps = '/api/v1/namespaces/default/configmaps';
/** Files may not grow beyond this, as on a disk that is full; the signal that goes with it is not our subject. */
const roomKiB = 4096;
const onSmallDisk = ['bash', '-c', `ulimit -S -f ${roomKiB}; trap '' XFSZ; exec "$0" "$@"`];

const cases = {
  'a full disk': fullDisk,
  'a directory that cannot be written': notWritable,
  'a damaged file': damaged,
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try {
    console.log(`✓ ${name}: ${await run()}`);
  } catch (problem) {
    failed += 1;
    console.log(`✘ ${name}: ${problem.stack}`);
  }
}
process.exit(failed === 0 ? 0 : 1);

async function fullDisk() {
  if (spawnSync('prlimit', ['--version']).error) return 'SKIPPED: there is no `prlimit` here to lift the limit again';
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-full-'));
  const server = await startServer({ from, flags, dir, keep: true, through: onSmallDisk });
  const { written, refusal } = await writeUntilRefused(server);
  assert.match(refusal, /cannot be written/);
  const { items } = JSON.parse((await ask(server, { path: configMaps })).body);
  assert.equal(items.filter(({ metadata }) => metadata.name.startsWith('p')).length, written, 'reads go on, and tell all that was acknowledged');
  assert.ok(readFileSync(server.logFile, 'utf8').includes('cannot be written'), 'the log says it');
  assert.equal((await ask(server, { path: '/readyz' })).code, 500, 'health tells that nothing can be written');
  spawnSync('prlimit', ['--pid', String(server.child.pid), '--fsize=unlimited']);
  for (let i = 0; i < 20; i++) assert.equal((await create(server, `healed-${i}`)).code, 201);
  assert.equal((await ask(server, { path: '/readyz' })).code, 200, 'and that it is over');
  await server.stop();
  const again = await startServer({ from, flags, dir });
  const after = JSON.parse((await ask(again, { path: configMaps })).body).items.filter(({ metadata }) => /^(p|healed-)/.test(metadata.name));
  assert.equal(after.length, written + 20);
  await again.stop();
  return `full after ${written} writes, all readable; writable again with room, and all there after a restart`;
}

async function writeUntilRefused(server) {
  for (let written = 0; written < 20_000; written++) {
    const { code, body } = await create(server, `p${written}`);
    if (code !== 201) return { written, refusal: body.toString() };
  }
  throw new Error('the disk never became full');
}

function create(server, name) {
  const body = JSON.stringify({ metadata: { name }, data: { filling: 'x'.repeat(20_000) } });
  return ask(server, { method: 'POST', path: configMaps, headers: { 'content-type': 'application/json' }, body });
}

async function notWritable() {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-read-only-'));
  chmodSync(dir, 0o555);
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const { status, stderr } = spawnSync(program[0], [...program.slice(1), `--data-dir=${join(dir, 'data')}`, '--secure-port=0'], {
    encoding: 'utf8',
    ...nobody,
  });
  rmSync(dir, { recursive: true, force: true });
  assert.equal(status, 1);
  assert.match(stderr, /^Error: .*(EACCES|permission denied)/m);
  assert.ok(!/\n\s+at /.test(stderr), `no stack: ${stderr}`);
  return stderr.trim().split('\n').at(-1);
}

async function damaged() {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-damaged-'));
  const server = await startServer({ from, flags, dir, keep: true });
  for (let i = 0; i < 50; i++) await create(server, `p${i}`);
  await server.stop();
  const file = join(dir, 'data', 'store', 'data.mdb');
  writeSync(openSync(file, 'r+'), Buffer.alloc(16_384, 0xa5), 0, 16_384, 0);
  const { status, stderr } = spawnSync(program[0], [...program.slice(1), `--data-dir=${join(dir, 'data')}`, '--secure-port=0'], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^Error: .*data/m);
  assert.ok(!/\n\s+at /.test(stderr), `no stack: ${stderr}`);
  assert.ok(existsSync(file), 'what is there is left for whoever can mend it');
  rmSync(dir, { recursive: true, force: true });
  return stderr.trim().split('\n').at(-1);
}
