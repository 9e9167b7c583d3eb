#!/usr/bin/env node
// The first thing anybody does with the server: kubectl, with the kubeconfig that a first start writes.
//   node test/conformance/kubectl.mjs --kubectl PATH
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root, untilReady } from '../support/server-under-test.mjs';

const kubectl = process.argv[process.argv.indexOf('--kubectl') + 1];
const dir = mkdtempSync(join(tmpdir(), 'binnacle-kubectl-'));
const port = await freePort();
const server = spawn(join(root, 'bin/binnacle'), ['--memory', `--data-dir=${dir}`, '--bind-address=127.0.0.1', `--secure-port=${port}`], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
let failures = 0;
try {
  await untilReady(port, server);
  check(['version'], /Server Version: v1\.36\.4/);
  check(['api-resources', '--no-headers'], /^configmaps +cm +v1 +true +ConfigMap$/m);
  check(['create', 'namespace', 'first'], /^namespace\/first created$/m);
  check(['create', 'configmap', 'a', '-n', 'first', '--from-literal=k=v'], /^configmap\/a created$/m);
  check(['get', 'configmap', 'a', '-n', 'first', '-o', 'jsonpath={.data.k}'], /^v$/);
  check(['get', 'configmaps', '-A'], /first +a +1/);
  check(['delete', 'configmap', 'a', '-n', 'first'], /deleted/);
} finally {
  server.kill('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

function check(words, expected) {
  const { stdout, stderr } = spawnSync(kubectl, words, { encoding: 'utf8', env: { ...process.env, KUBECONFIG: join(dir, 'admin.kubeconfig') } });
  const ok = expected.test(stdout);
  if (!ok) failures++;
  console.log(`${ok ? 'ok  ' : 'FAIL'} kubectl ${words.join(' ')}${ok ? '' : `\n${stdout}${stderr}`}`);
}
