#!/usr/bin/env node
// h2spec, which knows how a server of HTTP/2 and HPACK has to react to right and wrong frames, against a server of our own.
//   node test/conformance/h2spec.mjs [--bundle] [SPEC…]   e.g. http2/6.9
// h2spec shows no certificate, and the server hangs up on strangers: it speaks to a passage that shows one for it.
// The program is built from the Go modules of h2spec/go.mod, which Go downloads by name where they are not cached.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { root, startServer } from '../support/server-under-test.mjs';

/** Everybody may read it, and it is longer than the windows that are tried. */
const path = '/version';
/** A clean connection lets h2spec wait for nothing; a busy machine needs more than its two seconds. */
const timeoutSeconds = 5;

if (spawnSync('go', ['version']).status !== 0) {
  console.log('SKIPPED: there is no Go');
  process.exit(0);
}
const specs = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const dir = mkdtempSync(join(tmpdir(), 'binnacle-h2spec-'));
const server = await startServer({ from: process.argv.includes('--bundle') ? 'bundle' : 'sources' });
const passage = await openPassage(server);
let status;
try {
  const options = ['--strict', '--timeout', String(timeoutSeconds), '--port', String(passage.address().port), '--path', path];
  const h2spec = spawn(build(), [...options, ...specs], { stdio: 'inherit', timeout: 600_000 });
  [status] = await once(h2spec, 'exit');
} finally {
  passage.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(status ?? 1);

async function openPassage({ port, pki }) {
  const [cert, key] = ['crt', 'key'].map((end) => readFileSync(join(pki, `admin.${end}`)));
  const front = createServer((near) => {
    const far = connect({ port, cert, key, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ])
      from
        .on('error', () => {})
        .on('close', () => to.destroy())
        .pipe(to);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return front;
}

function build() {
  const program = join(dir, 'h2spec');
  const built = spawnSync('go', ['build', '-o', program, 'github.com/summerwind/h2spec/cmd/h2spec'], {
    cwd: join(root, 'test/conformance/h2spec'),
    stdio: 'inherit',
  });
  if (built.status !== 0) throw new Error('h2spec could not be built');
  return program;
}
