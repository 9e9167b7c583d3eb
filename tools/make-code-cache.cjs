// Runs the bundle as a server until it has answered some requests, then keeps what V8 compiled for it.
'use strict';
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const https = require('node:https');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');
const v8 = require('node:v8');
const firstRequests = require('./first-requests.cjs');

const { setFlagsFromString } = v8;
const dist = resolve(__dirname, '../dist');
const dir = mkdtempSync(join(tmpdir(), 'binnacle-cache-'));
const probe = createServer().listen(0, '127.0.0.1', () => {
  const { port } = probe.address();
  probe.close(() => warmUp(port).then(() => process.exit(0), fail));
});

async function warmUp(port) {
  process.argv.splice(2, Infinity, `--data-dir=${dir}`, '--bind-address=127.0.0.1', `--secure-port=${port}`);
  // V8 forgets code that was not used for a while; what only a start needs would be missing.
  setFlagsFromString('--no-flush-bytecode');
  // A cache is good for the flags under which it was made: those that a server sets while it runs (src/app/command/runtime-flags.ts) would spoil it.
  v8.setFlagsFromString = () => {};
  const { cacheEnding, load } = require(join(dist, 'run-bundle.cjs'));
  load('binnacle');
  // What is kept here has seen more.
  process.removeAllListeners('binnacle:settled');
  for (let attempt = 0; attempt < 200 && (await get(port, '/readyz')) !== 200; attempt++) await new Promise((next) => setTimeout(next, 50));
  if ((await get(port, '/readyz')) !== 200) throw new Error('the server did not become ready');
  const pem = (file) => readFileSync(join(dir, 'pki', file));
  await firstRequests(port, { ca: pem('ca.crt'), cert: pem('admin.crt'), key: pem('admin.key') });
  setFlagsFromString('--flush-bytecode');
  const { chunkNames } = await import('./chunks.mjs');
  for (const name of chunkNames) writeFileSync(join(dist, `${name}.${cacheEnding}`), load(name).script.createCachedData());
  rmSync(dir, { recursive: true, force: true });
}

function get(port, path) {
  return new Promise((done) => {
    const request = https.get({ host: '127.0.0.1', port, path, rejectUnauthorized: false }, (response) =>
      response.resume().on('end', () => done(response.statusCode)),
    );
    request.on('error', () => done(0));
  });
}

function fail(problem) {
  console.error(problem);
  process.exit(1);
}
