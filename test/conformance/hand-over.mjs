#!/usr/bin/env node
// Hand-over: our controllers and scheduler make a state, the real kube-controller-manager and kube-scheduler go on with it, and back. Nobody replaces
// a pod, a ReplicaSet, a revision or a Job of the other, and the real ones complain about nothing. Nodes are played by the server all the time.
//   node test/conformance/hand-over.mjs [--bundle] [--keep]
// Programs: REFERENCE_BIN or ~/.cache/reference-server/bin.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, startManager, startScheduler, stopAll } from '../support/control-plane-programs.mjs';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { complaintsOf } from './control-plane-complaints.mjs';
import { HandOverWalk } from './hand-over-walk.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' }, keep: { type: 'boolean' } } });
const missing = ['kube-controller-manager', 'kube-scheduler'].filter((name) => !existsSync(join(bin, name)));
if (missing.length > 0) {
  console.error(`SKIPPED: there is no ${missing.join(', ')} in ${bin} (../shared/reference-server/install ${missing.join(' ')})`);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const dir = mkdtempSync(join(tmpdir(), 'binnacle-hand-over-'));
const port = await freePort();
const children = [];
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
const walk = new HandOverWalk(`https://127.0.0.1:${port}`);
const problems = [];
try {
  await withOurs(() => walk.make());
  await withTheirs(async () => {
    problems.push(...(await walk.replaced()).map((what) => `the real ones replaced ${what}`));
    await walk.change('theirs');
  });
  await withOurs(async () => {
    problems.push(...(await walk.replaced()).map((what) => `ours replaced ${what}`));
    await walk.change('ours');
  });
} finally {
  await stopAll(children);
  if (options.keep) console.error(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
}
for (const problem of problems) console.error(`✘ ${problem}`);
console.log(problems.length === 0 ? `handed over and back: ${walk.kept} objects stayed` : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function withOurs(work) {
  const server = await serve('--controllers=*');
  try {
    await work();
  } finally {
    await server.stop();
  }
}

async function withTheirs(work) {
  const server = await serve('--controllers=');
  const started = [await startManager(server, dir), await startScheduler(server, dir)];
  children.push(...started.map(({ child }) => child));
  try {
    await work();
  } finally {
    await stopAll(children.splice(0));
    await server.stop();
  }
  const known = new Set(JSON.parse(readFileSync(join(root, 'test/conformance/control-plane-complaints.json'), 'utf8')));
  const complaints = new Set(started.flatMap(({ logFile }) => complaintsOf(readFileSync(logFile, 'utf8'))));
  problems.push(...[...complaints].filter((complaint) => !known.has(complaint)).map((complaint) => `the real ones complain: ${complaint}`));
}

function serve(controllers) {
  return startServer({ dir, port, keep: true, flags: ['--memory=false', '--nodes=3', controllers], ...(options.bundle && { from: 'bundle' }) });
}
