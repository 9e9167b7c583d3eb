#!/usr/bin/env node
// The Go program of envtest/, which knows nothing of us: envtest starts the programs of dist/envtest, and a controller on controller-runtime works against them.
// Then the same with what the real setup-envtest downloads and unpacks by our index.
//   node test/conformance/envtest.mjs
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/server-under-test.mjs';

const setupEnvtest = 'sigs.k8s.io/controller-runtime/tools/setup-envtest@v0.25.1';

if (spawnSync('go', ['version']).status !== 0) {
  console.log('SKIPPED: there is no Go');
  process.exit(0);
}
const dir = mkdtempSync(join(tmpdir(), 'binnacle-envtest-'));
const run = promisify(execFile);
let status = 1;
try {
  const program = join(dir, 'envtest-checks');
  await run('go', ['build', '-o', program, '.'], { cwd: join(root, 'test/conformance/envtest') });
  await check(program, join(root, 'dist/envtest'), 'dist/envtest');
  await check(program, await downloaded(), 'setup-envtest --index');
  status = 0;
} catch (problem) {
  console.log(`FAIL envtest: ${problem.message}\n${problem.stdout ?? ''}${problem.stderr ?? ''}`);
} finally {
  // setup-envtest makes its folders read-only.
  spawnSync('chmod', ['-R', 'u+w', dir]);
  rmSync(dir, { recursive: true, force: true });
}
process.exit(status);

async function check(program, assets, from) {
  const { stdout } = await run(program, [], { env: { ...process.env, KUBEBUILDER_ASSETS: assets }, timeout: 200_000 });
  process.stdout.write(`${stdout.trimEnd()} (${from})\n`);
}

/** The folder that `setup-envtest use` prints. */
async function downloaded() {
  const env = { ...process.env, GOBIN: join(homedir(), '.cache/binnacle-test') };
  await run('go', ['install', setupEnvtest], { env, cwd: dir });
  const archives = join(dir, 'archives');
  const host = createServer((request, response) => {
    try {
      response.end(readFileSync(join(archives, basename(request.url ?? ''))));
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  const url = `http://127.0.0.1:${host.address().port}`;
  await run(process.execPath, [join(root, 'tools/pack-envtest.mjs'), '--out', archives, '--url', url]);
  const words = ['use', '1.36.x', '--index', `${url}/envtest-releases.yaml`, '--bin-dir', join(dir, 'assets'), '--print', 'path'];
  const { stdout } = await run(join(env.GOBIN, 'setup-envtest'), words);
  host.close();
  return stdout.trim();
}
