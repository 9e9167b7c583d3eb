#!/usr/bin/env node
// The Go program of envtest/: envtest starts our bundle as kube-apiserver, and a controller on controller-runtime works against it.
//   node test/conformance/envtest.mjs
// envtest insists on an etcd beside the server: $ETCD, or the one of ../shared/reference-server.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/server-under-test.mjs';

const etcd = process.env['ETCD'] ?? join(process.env['REFERENCE_BIN'] ?? join(homedir(), '.cache/reference-server/bin'), 'etcd');
if (spawnSync('go', ['version']).status !== 0 || !existsSync(etcd)) {
  console.log('SKIPPED: there is no Go, or no etcd (set ETCD=/path/to/etcd)');
  process.exit(0);
}
const dir = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
let status = 1;
try {
  const program = join(dir, 'envtest-checks');
  const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: join(root, 'test/conformance/envtest'), stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the Go program could not be built');
  const assets = join(dir, 'assets');
  mkdirSync(assets);
  symlinkSync(join(root, 'bin/binnacle'), join(assets, 'kube-apiserver'));
  symlinkSync(etcd, join(assets, 'etcd'));
  const env = { ...process.env, KUBEBUILDER_ASSETS: assets };
  status = spawnSync(program, ['--data-dir', join(dir, 'data')], { env, stdio: 'inherit', timeout: 200_000 }).status ?? 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exit(status);
