#!/usr/bin/env node
// Replays what kubectl printed against a real kube-apiserver (../shared/oracle/kubectl.json) against a binnacle started for the purpose.
//   node test/conformance/kubectl-oracle.mjs --kubectl PATH [--only REGEX] [--show 20] [--parallel 2] [--bundle] [--floor] [--raise]
// --floor fails when fewer command lines pass than kubectl-oracle-floor.json says; --raise writes there what passed, where it is more.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, startServer } from '../support/server-under-test.mjs';

const folder = resolve(process.env.ORACLE ?? join(root, '../shared/oracle'));
const floorFile = join(root, 'test/conformance/kubectl-oracle-floor.json');
const { values: options } = parseArgs({
  options: {
    kubectl: { type: 'string', default: '' },
    only: { type: 'string' },
    show: { type: 'string', default: '20' },
    parallel: { type: 'string', default: '2' },
    bundle: { type: 'boolean', default: false },
    floor: { type: 'boolean', default: false },
    raise: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
skipWithout(join(folder, 'kubectl.json'), 'there are no recordings');
skipWithout(options.kubectl, 'there is no kubectl');
const flags = ['--disable-admission-plugins=ServiceAccount', '--controllers='];
const server = await startServer({ flags, watched: true, from: options.bundle ? 'bundle' : 'sources' });
try {
  judge(await replay(writeKubeconfig(server)));
} finally {
  await server.stop();
}

function skipWithout(path, reason) {
  if (path !== '' && existsSync(path)) return;
  console.error(`SKIPPED: ${reason} at ${path || '(no path given)'}`);
  process.exit(0);
}

/** The administrator of the recordings is the one of the client certificate. */
function writeKubeconfig({ url, dir, pki }) {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'reference', cluster: { server: url, 'certificate-authority': join(pki, 'ca.crt') } }],
    users: [{ name: 'admin', user: { 'client-certificate': join(pki, 'admin.crt'), 'client-key': join(pki, 'admin.key') } }],
    contexts: [{ name: 'reference', context: { cluster: 'reference', user: 'admin' } }],
    'current-context': 'reference',
  };
  const file = join(dir, 'kubeconfig');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Resolves to the number of command lines that passed, undefined when the replay did not say. */
function replay(kubeconfig) {
  const words = [join(folder, 'kubectl-oracle.mjs'), 'replay', '--kubectl', options.kubectl, '--kubeconfig', kubeconfig];
  words.push('--in', join(folder, 'kubectl.json'), '--parallel', options.parallel, '--show', options.show);
  if (options.only !== undefined) words.push('--only', options.only);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      process.stdout.write(text);
    });
    child.once('error', reject);
    child.once('close', () => resolve(/^(\d+) passed/m.exec(said)?.[1]));
  });
}

function judge(said) {
  if (said === undefined) throw new Error('the replay ended early');
  const passed = Number(said);
  const { passed: floor } = existsSync(floorFile) ? JSON.parse(readFileSync(floorFile, 'utf8')) : { passed: 0 };
  if (options.raise && passed > floor) writeFileSync(floorFile, `${JSON.stringify({ passed })}\n`);
  if (!options.floor || passed >= floor) return;
  console.error(`BELOW THE FLOOR: ${passed} command lines passed, ${floor} did before`);
  process.exitCode = 1;
}
