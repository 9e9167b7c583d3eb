#!/usr/bin/env node
// The operator of examples/operator-go: its own tests, in an environment of envtest with our programs; --original: with those of Kubernetes too.
//   node test/conformance/operator-go.mjs [--original]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/server-under-test.mjs';

if (spawnSync('go', ['version']).status !== 0) {
  console.log('SKIPPED: there is no Go');
  process.exit(0);
}
const project = join(root, 'examples/operator-go');
const dir = mkdtempSync(join(tmpdir(), 'binnacle-operator-'));
const original = process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin');
const assets = { binnacle: join(root, 'dist/envtest'), ...(process.argv.includes('--original') && { original }) };
let failed = false;
try {
  const program = join(dir, 'operator.test');
  const built = spawnSync('go', ['test', '-c', '-o', program, '.'], { cwd: project, stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the tests of the operator could not be built');
  for (const [name, folder] of Object.entries(assets)) {
    if (!existsSync(join(folder, 'kube-apiserver'))) throw new Error(`there is no kube-apiserver in ${folder}`);
    const env = { ...process.env, KUBEBUILDER_ASSETS: folder };
    const { status, stdout, stderr } = spawnSync(program, ['-test.v'], { cwd: project, env, encoding: 'utf8', timeout: 300_000 });
    const skipped = [...stdout.matchAll(/^--- SKIP: (\S+)/gm)].map(([, test]) => test);
    const passed = [...stdout.matchAll(/^--- PASS/gm)].length;
    // Ours must do all of it.
    const ok = status === 0 && passed > 0 && (name === 'original' || (skipped.length === 0 && !stdout.includes('the namespace stays')));
    console.log(
      `${ok ? 'ok  ' : 'FAIL'} the operator with the programs of ${name}: ${passed} tests passed${skipped.length > 0 ? `, skipped ${skipped.join(', ')}` : ''}`,
    );
    if (!ok) console.log(stdout, stderr);
    failed ||= !ok;
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
