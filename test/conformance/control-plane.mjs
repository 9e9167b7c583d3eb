#!/usr/bin/env node
// The real kube-controller-manager and kube-scheduler on a binnacle: what they make of a few objects, and what they complain about.
//   node test/conformance/control-plane.mjs [--bundle] [--minutes N]     their complaints must all be in control-plane-complaints.json
//   node test/conformance/control-plane.mjs --record                     the same against a real kube-apiserver, whose complaints are added to that file
// Programs: REFERENCE_BIN or ~/.cache/reference-server/bin.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, startManager, startScheduler, stopAll } from '../support/control-plane-programs.mjs';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { complaintsOf } from './control-plane-complaints.mjs';
import { ClusterWalk } from './control-plane-walk.mjs';

const { values: options } = parseArgs({
  options: { bundle: { type: 'boolean' }, record: { type: 'boolean' }, minutes: { type: 'string', default: '0' }, keep: { type: 'boolean' } },
});
const knownFile = join(root, 'test/conformance/control-plane-complaints.json');
const programs = ['kube-controller-manager', 'kube-scheduler'];
const missing = programs.filter((name) => !existsSync(join(bin, name)));
if (missing.length > 0) {
  console.error(`SKIPPED: there is no ${missing.join(', ')} in ${bin} (../shared/reference-server/install ${missing.join(' ')})`);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const dir = mkdtempSync(join(tmpdir(), 'binnacle-control-plane-'));
const children = [];
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
const server = options.record ? await startReference() : await startServer({ dir, flags: ['--controllers='], ...(options.bundle && { from: 'bundle' }) });
let problems = [];
try {
  const started = [await startManager(server, dir), await startScheduler(server, dir)];
  children.push(...started.map(({ child }) => child));
  const walk = new ClusterWalk(server.url);
  problems = await walk.run(Number(options.minutes) * 60_000);
  await stopAll(children);
  const complaints = new Set(started.flatMap(({ logFile }) => complaintsOf(readFileSync(logFile, 'utf8'))));
  if (options.record) remember(complaints);
  else problems.push(...unknown(complaints));
} finally {
  await stopAll(children);
  await server.stop();
  if (options.keep) console.error(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
}
for (const problem of problems) console.error(`✘ ${problem}`);
console.log(problems.length === 0 ? 'the control plane works' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function startReference() {
  const port = await freePort();
  const shared = join(root, '../shared/reference-server');
  const { status, stderr } = spawnSync(join(shared, 'up'), [dir, String(port)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { url: `https://127.0.0.1:${port}`, pki: join(dir, 'pki'), stop: async () => void spawnSync(join(shared, 'down'), [dir]) };
}

function remember(complaints) {
  const known = existsSync(knownFile) ? JSON.parse(readFileSync(knownFile, 'utf8')) : [];
  const all = [...new Set([...known, ...complaints])].sort();
  writeFileSync(knownFile, `${JSON.stringify(all, undefined, 2)}\n`);
  console.log(`${complaints.size} complaints about the original, ${all.length - known.length} of them new`);
}

function unknown(complaints) {
  const known = new Set(JSON.parse(readFileSync(knownFile, 'utf8')));
  return [...complaints].filter((complaint) => !known.has(complaint)).map((complaint) => `only about us: ${complaint}`);
}
