#!/usr/bin/env node
// How long Environment.Start() of controller-runtime's envtest takes with dist/envtest, beside the original's programs: both in turn, in one run.
//   node test/bench/envtest-start.mjs [--original DIR] [--rounds N]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../support/server-under-test.mjs';

/** Of the original's time. */
const bar = 1 / 8;
const { values } = parseArgs({
  options: {
    original: { type: 'string', default: process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin') },
    rounds: { type: 'string', default: '5' },
  },
});
const dir = mkdtempSync(join(tmpdir(), 'binnacle-envtest-start-'));
try {
  const program = join(dir, 'envtest-start');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: join(root, 'test/conformance/envtest') });
  const start = (assets) => Number(execFileSync(program, ['start'], { env: { ...process.env, KUBEBUILDER_ASSETS: assets }, timeout: 120_000 }));
  const times = { ours: [], original: [] };
  for (let round = 0; round < Number(values.rounds); round++) {
    times.original.push(start(values.original));
    times.ours.push(start(join(root, 'dist/envtest')));
  }
  const ratio = medianOf(times.ours) / medianOf(times.original);
  console.log(`original ${times.original.join(' ')} ms; ours ${times.ours.join(' ')} ms`);
  console.log(`Environment.Start(): ${ratio.toFixed(3)} of the original's time (medians; bar ${bar})`);
  process.exitCode = ratio <= bar ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function medianOf(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
