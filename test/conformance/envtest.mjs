#!/usr/bin/env node
// The Go program of envtest/, which knows nothing of us: envtest starts the programs of dist/envtest, and a controller on controller-runtime works against them.
//   node test/conformance/envtest.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/server-under-test.mjs';

if (spawnSync('go', ['version']).status !== 0) {
  console.log('SKIPPED: there is no Go');
  process.exit(0);
}
const dir = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
let status = 1;
try {
  const program = join(dir, 'envtest-checks');
  const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: join(root, 'test/conformance/envtest'), stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the Go program could not be built');
  const env = { ...process.env, KUBEBUILDER_ASSETS: join(root, 'dist/envtest') };
  status = spawnSync(program, [], { env, stdio: 'inherit', timeout: 200_000 }).status ?? 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exit(status);
