#!/usr/bin/env node
// The Go program of client-go/ (informers in JSON and protobuf, with and without WatchList, CBOR, and more) against a server of our own.
//   node test/conformance/client-go.mjs [--kubeconfig FILE]   another server instead, e.g. a real kube-apiserver
// The program is built from the Go modules of client-go/go.mod, which Go downloads by name where they are not cached.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root, untilReady } from '../support/server-under-test.mjs';

const given = process.argv.indexOf('--kubeconfig');
if (spawnSync('go', ['version']).status !== 0) {
  console.log('SKIPPED: there is no Go');
  process.exit(0);
}
const dir = mkdtempSync(join(tmpdir(), 'binnacle-client-go-'));
let failures = 0;
try {
  const program = build();
  if (given > 0) runBoth(program, process.argv[given + 1]);
  else await withServer((kubeconfig) => runBoth(program, kubeconfig));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

function build() {
  const program = join(dir, 'client-go-checks');
  const { status } = spawnSync('go', ['build', '-o', program, '.'], { cwd: join(root, 'test/conformance/client-go'), stdio: 'inherit' });
  if (status !== 0) throw new Error('the Go program could not be built');
  return program;
}

async function withServer(work) {
  const port = await freePort();
  const data = join(dir, 'data');
  const server = spawn(
    join(root, 'bin/binnacle'),
    [
      '--memory',
      '--nodes=0',
      '--controllers=*,-scheduler',
      `--data-dir=${data}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--feature-gates=CBORServingAndStorage=true',
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  process.once('exit', () => server.kill('SIGKILL'));
  await untilReady(port, server);
  work(join(data, 'admin.kubeconfig'));
  server.kill('SIGTERM');
}

function runBoth(program, kubeconfig) {
  for (const watchList of ['true', 'false']) {
    // A given server may know no CBOR.
    const cbor = given > 0 ? {} : { KUBE_FEATURE_ClientsAllowCBOR: watchList, KUBE_FEATURE_ClientsPreferCBOR: watchList };
    const env = { ...process.env, KUBE_FEATURE_WatchListClient: watchList, ...cbor };
    const { status } = spawnSync(program, ['--kubeconfig', kubeconfig], { env, stdio: 'inherit', timeout: 600_000 });
    if (status !== 0) failures++;
  }
}
