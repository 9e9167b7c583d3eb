#!/usr/bin/env node
// A server of ours and a real kube-apiserver on one etcd, with one EncryptionConfiguration: every provider's bytes are read by the other, while both run.
//   npx tsx test/conformance/encryption.mjs [--bundle]
// Needs the reference server's programs (REFERENCE_SERVER_UP names the script that starts it); without them it says that it was skipped.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KmsPlugin } from '../support/kms-plugin.ts';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { connectTo } from './several-servers/clients.mjs';
import { sameEverywhere } from './several-servers/same-everywhere.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' } } });
const up = process.env.REFERENCE_SERVER_UP ?? resolve(root, '../shared/reference-server/up');
const etcdctl = join(process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin'), 'etcdctl');
if (!existsSync(up) || !existsSync(etcdctl)) {
  console.log(`SKIPPED: no reference server (${up}) or no etcdctl (${etcdctl})`);
  process.exit(0);
}

const keys = [{ name: 'key1', secret: Buffer.alloc(32, 'k').toString('base64') }];
/** What the rules write under keys that match; the first counts. The original keeps its own books in the clear. */
const expected = [
  [/^\/registry\/secrets\//, 'k8s:enc:kms:v2:plugin:'],
  [/^\/registry\/configmaps\//, 'k8s:enc:aescbc:v1:key1:'],
  [/^\/registry\/(controllerrevisions|daemonsets|deployments|replicasets|statefulsets)\//, 'k8s:enc:secretbox:v1:key1:'],
  [/^\/registry\/(masterleases|peerserverleases|ranges)\//, 'k8s\0'],
  [/^/, 'k8s:enc:aesgcm:v1:key1:'],
];

/** What is counted about storing, without failures, of which one may have had none. */
const measured =
  /^(?:apiserver_storage_(?:transformation|data_key|envelope|events_received)|apiserver_envelope_encryption|apiserver_encryption_config|etcd_request(?:s_total|_duration))/;

const problems = await check();
for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`);
console.log(problems.length === 0 ? 'encryption: all is well' : `encryption: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function configure(dir) {
  const kms = { apiVersion: 'v2', name: 'plugin', endpoint: `unix://${join(dir, 'kms.sock')}` };
  const resources = [
    { resources: ['secrets'], providers: [{ kms }] },
    { resources: ['configmaps'], providers: [{ aescbc: { keys } }] },
    { resources: ['*.apps'], providers: [{ secretbox: { keys } }] },
    { resources: ['*.*'], providers: [{ aesgcm: { keys } }] },
  ];
  const file = join(dir, 'encryption.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }));
  return `--encryption-provider-config=${file}`;
}

async function check() {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-encryption-'));
  const plugin = await KmsPlugin.listen(join(dir, 'kms.sock'));
  let ours;
  let clients = [];
  try {
    const flag = configure(dir);
    const port = await freePort();
    await startReference([join(dir, 'reference'), String(port), '--', flag]);
    const etcd = `http://127.0.0.1:${port + 1}`;
    ours = await startServer({ flags: ['--memory=false', `--etcd-servers=${etcd}`, '--controllers=', flag], from: options.bundle ? 'bundle' : 'sources' });
    clients = [`https://127.0.0.1:${port}`, ours.url].map(connectTo);
    const { says, problems: found } = await sameEverywhere(clients);
    console.log(says);
    return [...found, ...(await differentMetrics(clients)), ...inEtcd(etcd)];
  } finally {
    for (const client of clients) client.close();
    await ours?.stop();
    execFileSync(resolve(up, '../down'), [join(dir, 'reference')], { stdio: 'ignore' });
    await plugin[Symbol.asyncDispose]();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Not in one call that blocks: the plugin answers from this process. */
async function startReference(argv) {
  const child = spawn(up, argv, { stdio: 'ignore', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
  const code = await new Promise((done) => child.once('exit', done));
  if (code !== 0) throw new Error(`${up} ended with ${code}`);
}

/** Names, labels and buckets of what is counted about storing: the same on both. */
async function differentMetrics(clients) {
  const [theirs, ours] = await Promise.all(clients.map(async (client) => shapesOf((await client.get('/metrics')).object.message)));
  const missing = [...theirs].filter((shape) => !ours.has(shape)).map((shape) => `only the original counts ${shape}`);
  const more = [...ours].filter((shape) => !theirs.has(shape)).map((shape) => `only ours counts ${shape}`);
  console.log(`${theirs.size} lines of metrics about storing on the original, ${theirs.size - missing.length} of them here`);
  return [...missing, ...more];
}

function shapesOf(text) {
  return new Set(
    text
      .split('\n')
      .filter((line) => measured.test(line))
      .map(shapeOf),
  );
}

/** A line without its number and the values of its labels, but the bounds of buckets. */
function shapeOf(line) {
  const bound = /le="([^"]*)"/.exec(line)?.[1];
  return `${line.slice(0, line.lastIndexOf(' ')).replace(/"[^"]*"/g, '')} ${bound === undefined ? '' : Number(bound)}`;
}

function inEtcd(endpoint) {
  const { kvs } = JSON.parse(
    execFileSync(etcdctl, ['--endpoints', endpoint, 'get', '/registry/', '--prefix', '-w', 'json'], { maxBuffer: 1 << 28 }).toString(),
  );
  const found = kvs.flatMap(({ key, value }) => {
    const [name, bytes] = [key, value].map((text) => Buffer.from(text, 'base64').toString('latin1'));
    const [, prefix] = expected.find(([pattern]) => pattern.test(name));
    return bytes.startsWith(prefix) ? [] : [`${name} lies in etcd as ${JSON.stringify(bytes.slice(0, 24))}, not as ${prefix}`];
  });
  console.log(`${kvs.length} values in etcd, ${kvs.length - found.length} of them as the rules say`);
  return found;
}
