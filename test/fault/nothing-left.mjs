#!/usr/bin/env node
// Environments of envtest are started and ended in three ways: SIGTERM to both programs, SIGKILL of whoever started them, SIGKILL of the server alone
// and then of the rest. Afterwards no process, no port and no file may be there.
//   node test/fault/nothing-left.mjs [--count 100]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive, startEnvironment, waitFor } from '../support/envtest-programs.mjs';

const self = fileURLToPath(import.meta.url);
const ways = ['term', 'parent', 'server'];
/** So many at once: the issue asks for eight side by side. */
const together = 8;

if (process.argv[2] === '--parent') await beParent(process.argv[3]);
else await main();

/** What a test binary does: starts an environment, watches something, and says where it is. */
async function beParent(dir) {
  const environment = await startEnvironment({ dir });
  await environment.ready();
  process.send({ etcd: environment.etcd.pid, server: environment.server.pid, ports: [environment.etcdPort, environment.port] });
  process.on('message', (way) => {
    const all = [environment.etcd, environment.server];
    if (way === 'term') for (const child of all) child.kill('SIGTERM');
    if (way === 'server') environment.server.kill('SIGKILL');
    const ended = way === 'term' ? all : [environment.server];
    void Promise.all(ended.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'))).then(() => process.exit(0));
  });
}

async function main() {
  const count = process.argv.includes('--count') ? Number(process.argv[process.argv.indexOf('--count') + 1]) : 100;
  const base = mkdtempSync(join(tmpdir(), 'binnacle-left-'));
  const problems = [];
  let done = 0;
  const next = async () => {
    while (done < count) problems.push(...(await round(done++, base)));
  };
  await Promise.all(Array.from({ length: Math.min(together, count) }, next));
  rmSync(base, { recursive: true, force: true });
  for (const problem of problems) console.log(`FAIL ${problem}`);
  if (problems.length === 0) console.log(`ok   ${count} environments, ended by ${ways.join(', ')}: no process, port or file is left`);
  process.exit(problems.length === 0 ? 0 : 1);
}

async function round(number, base) {
  const way = ways[number % ways.length];
  const [dir, temporary, home] = ['env', 'tmp', 'home'].map((name) => mkdtempSync(join(base, `${name}-${number}-`)));
  const parent = fork(self, ['--parent', dir], { env: { ...process.env, TMPDIR: temporary, HOME: home } });
  const [{ etcd, server, ports }] = await once(parent, 'message');
  if (way === 'parent') parent.kill('SIGKILL');
  else parent.send(way);
  await once(parent, 'exit');
  const problems = [];
  const gone = (pid, name) => waitFor(() => !isAlive(pid), 5000).catch(() => problems.push(`round ${number} (${way}): ${name} lives on as process ${pid}`));
  await Promise.all([gone(etcd, 'etcd'), gone(server, 'kube-apiserver')]);
  // The kernel closes a port a moment after it has ended the process.
  const closed = (port) => waitFor(async () => !(await isOpen(port)), 5000).catch(() => problems.push(`round ${number} (${way}): port ${port} still answers`));
  await Promise.all(ports.map(closed));
  // What envtest made in `dir` is envtest's to remove; our programs may have added nothing but certificates there.
  const added = readdirSync(dir, { recursive: true }).filter((file) => !/^(certs|etcd)(\/[\w.-]+\.(crt|key))?$/.test(String(file)));
  const elsewhere = [temporary, home].flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  for (const file of [...added, ...elsewhere]) problems.push(`round ${number} (${way}): the file ${file} is left`);
  return problems;
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true) ?? socket.destroy()).on('error', () => resolve(false));
  });
}
