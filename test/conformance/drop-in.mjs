#!/usr/bin/env node
// What envtest and the tests of operators rely on of the programs in dist/envtest, without Go: each sentence is a check.
//   node test/conformance/drop-in.mjs
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assets, get, isAlive, startEnvironment, waitFor } from '../support/envtest-programs.mjs';
import { freePort } from '../support/server-under-test.mjs';

const started = [];
const dirs = [];

async function environment(options = {}) {
  const one = await startEnvironment(options);
  started.push(one.etcd, one.server);
  dirs.push(one.dir);
  await one.ready();
  return one;
}

function admin(one) {
  return { cert: readFileSync(join(one.certs, 'admin.crt')), key: readFileSync(join(one.certs, 'admin.key')) };
}

async function end(one) {
  const began = performance.now();
  for (const child of [one.server, one.etcd]) child.kill('SIGTERM');
  await Promise.all([one.server, one.etcd].map((child) => child.exitCode ?? once(child, 'exit')));
  return performance.now() - began;
}

/** Milliseconds; the best of some, because others use this machine too. */
function fastest(program, words) {
  const times = Array.from({ length: 7 }, () => {
    const began = performance.now();
    const { status } = spawnSync(program, words, { stdio: 'ignore' });
    assert.equal(status, 0);
    return performance.now() - began;
  });
  return Math.min(...times);
}

const checks = {
  '--help exits 0, tells the flags that envtest looks for, and takes little longer than node itself': () => {
    const help = (name) => spawnSync(join(assets, name), ['--help'], { encoding: 'utf8' });
    const [server, etcd] = [help('kube-apiserver'), help('etcd')];
    assert.equal(server.status, 0);
    assert.equal(etcd.status, 0);
    assert.ok(!server.stdout.includes('--insecure-port'));
    assert.ok(etcd.stdout.includes('--unsafe-no-fsync'));
    const bare = fastest(process.execPath, ['-e', '0']);
    const [ours, stub] = ['kube-apiserver', 'etcd'].map((name) => fastest(join(assets, name), ['--help']));
    console.log(`     --help: kube-apiserver ${ours.toFixed(0)} ms, etcd ${stub.toFixed(0)} ms, node -e 0 ${bare.toFixed(0)} ms`);
    assert.ok(Math.max(ours, stub) < bare * 2, 'more than twice as long as node itself');
  },
  'certificates are in --cert-dir, /healthz answers everybody, the namespace default is there at once': async () => {
    const one = await environment();
    assert.equal((await get(one.port, '/api/v1/namespaces/default', admin(one))).code, 200);
    assert.equal((await get(one.port, '/api/v1/namespaces/default')).code, 403);
    const certificate = new X509Certificate(readFileSync(join(one.certs, 'apiserver.crt')));
    assert.ok(certificate.checkHost('localhost') && certificate.checkIP('127.0.0.1'));
    assert.ok(existsSync(join(one.certs, 'apiserver.key')));
    await end(one);
  },
  'tokens are verified with a certificate as well as with a key': async () => {
    const dir = mkdtempSync(join(tmpdir(), 'binnacle-signer-'));
    dirs.push(dir);
    mkdirSync(join(dir, 'certs'));
    const first = await environment();
    // The certificate of a key pair that signs: envtest's sa-signer.crt is one.
    const pair = ['apiserver.crt', 'apiserver.key'].map((file) => join(first.certs, file));
    const one = await environment({ flags: [`--service-account-key-file=${pair[0]}`, `--service-account-signing-key-file=${pair[1]}`] });
    assert.equal((await get(one.port, '/readyz')).code, 200);
    await Promise.all([end(one), end(first)]);
  },
  'SIGTERM ends it within a second whatever watches are open': async () => {
    const one = await environment();
    const watches = Array.from({ length: 20 }, () =>
      https.get({ host: '127.0.0.1', port: one.port, path: '/api/v1/configmaps?watch=true', rejectUnauthorized: false, agent: false, ...admin(one) }),
    );
    await Promise.all(watches.map((watch) => once(watch, 'response')));
    for (const watch of watches) watch.on('error', () => {});
    const took = await end(one);
    console.log(`     20 watches open: both gone after ${took.toFixed(0)} ms`);
    assert.equal(one.server.exitCode, 0);
    assert.ok(took < 3000, `${took} ms, on a machine that may be busy`);
  },
  'no process outlives its parent': async () => {
    const code = `import(${JSON.stringify(join(import.meta.dirname, '../support/envtest-programs.mjs'))}).then(async (it) => { const one = await it.startEnvironment(); await one.ready(); console.log(JSON.stringify([one.dir, one.etcd.pid, one.server.pid])); })`;
    const parent = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await Promise.race([once(parent.stdout, 'data'), once(parent, 'exit').then(() => Promise.reject(new Error('the parent ended')))]);
    const [dir, ...pids] = JSON.parse(String(line));
    dirs.push(dir);
    parent.kill('SIGKILL');
    await waitFor(() => pids.every((pid) => !isAlive(pid)), 10_000);
  },
  'the code that the build has compiled is taken, also that of chunks which are loaded while the server runs': async () => {
    const dir = mkdtempSync(join(tmpdir(), 'binnacle-chunks-'));
    dirs.push(dir);
    const [probe, seen] = [join(dir, 'probe.cjs'), join(dir, 'seen')];
    const report = 'super(source, options); require("node:fs").appendFileSync(process.env.SEEN, `${options.filename} ${this.cachedDataRejected}\\n`);';
    writeFileSync(probe, `const vm = require('node:vm'); vm.Script = class extends vm.Script { constructor(source, options) { ${report} } };`);
    const env = { ...process.env, NODE_OPTIONS: `--require=${probe}`, SEEN: seen };
    const one = await environment({ spawnWith: (program, words, options) => spawn(program, words, { ...options, env }) });
    await waitFor(() => readFileSync(seen, 'utf8').includes('binnacle-core-controllers'), 30_000);
    for (const line of readFileSync(seen, 'utf8').trim().split('\n')) assert.match(line, / false$/, 'V8 has refused it');
    await end(one);
  },
  'eight environments at once know nothing of each other': async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => environment()));
    for (const one of all) assert.equal((await get(one.port, '/api/v1/namespaces/default', admin(one))).code, 200);
    assert.equal(new Set(all.map(({ port }) => port)).size, 8);
    await Promise.all(all.map(end));
  },
  'without --authorization-mode everything is allowed to those who are known, and nobody is anonymous': async () => {
    const dir = mkdtempSync(join(tmpdir(), 'binnacle-defaults-'));
    dirs.push(dir);
    const [etcdPort, port] = [await freePort(), await freePort()];
    writeFileSync(join(dir, 'tokens.csv'), 'one,nobody-special,1,\n');
    const etcd = spawn(join(assets, 'etcd'), [`--listen-client-urls=http://127.0.0.1:${etcdPort}`], { stdio: 'ignore' });
    const flags = [`--etcd-servers=http://127.0.0.1:${etcdPort}`, `--cert-dir=${dir}`, `--secure-port=${port}`, `--token-auth-file=${join(dir, 'tokens.csv')}`];
    const server = spawn(join(assets, 'kube-apiserver'), flags, { stdio: 'ignore' });
    started.push(etcd, server);
    const authorization = { headers: { authorization: 'Bearer one' } };
    await waitFor(async () => (await get(port, '/readyz', authorization)).code === 200);
    assert.equal((await get(port, '/healthz')).code, 401);
    assert.equal((await get(port, '/api/v1/secrets', authorization)).code, 200);
    await end({ etcd, server });
  },
  'it works without a default route': async () => {
    if (spawnSync('unshare', ['--net', '--map-root-user', 'true']).status !== 0) return 'SKIPPED: no network namespaces here';
    const code = `import(${JSON.stringify(join(import.meta.dirname, '../support/envtest-programs.mjs'))}).then(async (it) => { const one = await it.startEnvironment(); await one.ready(); one.server.kill(); one.etcd.kill(); (await import('node:fs')).rmSync(one.dir, { recursive: true }); })`;
    const script = `ip link set lo up && exec ${process.execPath} -e "$0"`;
    const { status, stderr } = spawnSync('unshare', ['--net', '--map-root-user', 'sh', '-c', script, code], { encoding: 'utf8', timeout: 60_000 });
    assert.equal(status, 0, stderr);
  },
};

let failed = 0;
try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      console.log(`${(await check()) ?? 'ok  '} ${name}`);
    } catch (problem) {
      failed++;
      console.log(`FAIL ${name}\n${problem.stack}`);
    }
  }
} finally {
  for (const child of started) child.kill('SIGKILL');
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
