#!/usr/bin/env node
// Objects of all kinds, made through a real kube-apiserver and through a server of ours, are there after both have ended, when each of them starts on that etcd: without and
// with encryption.
//   npx tsx test/conformance/cold-start.mjs [--bundle]
// Needs the reference server's programs (REFERENCE_SERVER_UP names the script that starts it); without them it says that it was skipped.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { connectTo } from './several-servers/clients.mjs';
import { custom, namespace } from './several-servers/objects.mjs';
import { comparedLists, sameEverywhere, servedByAll, storedResources } from './several-servers/same-everywhere.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' } } });
const up = process.env.REFERENCE_SERVER_UP ?? resolve(root, '../shared/reference-server/up');
if (!existsSync(up)) {
  console.log(`SKIPPED: no reference server (${up})`);
  process.exit(0);
}

/** Servers change what is theirs when they start. */
const isOfTest = ({ metadata }) => metadata.namespace === namespace || metadata.name.startsWith('full-');
const problems = [...(await check('in the clear', [])), ...(await check('encrypted', ['*.*']))];
for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`);
console.log(problems.length === 0 ? 'cold start: all is well' : `cold start: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

async function check(how, encrypted) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-cold-'));
  const reference = join(dir, 'reference');
  const flags = encrypted.length === 0 ? [] : [encryption(dir, encrypted)];
  const port = await freePort();
  const theirs = {
    url: `https://127.0.0.1:${port}`,
    start: () => run(up, [reference, String(port), '--', ...flags]),
    stop: () => run(resolve(up, '../down'), [reference]),
  };
  const startOurs = () =>
    startServer({
      flags: ['--memory=false', `--etcd-servers=http://127.0.0.1:${port + 1}`, '--controllers=', ...flags],
      from: options.bundle ? 'bundle' : 'sources',
    });
  const running = [];
  try {
    theirs.start();
    running.push(await startOurs());
    const clients = [theirs.url, running[0].url].map(connectTo);
    const first = await sameEverywhere(clients);
    const resources = await storedResources(clients[0]);
    const before = await recorded(clients[0], resources);
    for (const client of clients) client.close();
    await running.pop().stop();
    theirs.stop();
    theirs.start();
    running.push(await startOurs());
    const again = [theirs.url, running[0].url].map(connectTo);
    const served = [];
    await servedByAll(again, custom.path, served);
    const { says, problems: found } = await comparedLists([before, ...again], resources, isOfTest);
    for (const client of again) client.close();
    console.log(`${how}: ${first.says}; after both have started again: ${says}`);
    return [...first.problems, ...served, ...found].map((problem) => `${how}: ${problem}`);
  } finally {
    for (const server of running) await server.stop();
    theirs.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function run(program, argv) {
  execFileSync(program, argv, { stdio: 'ignore', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
}

function encryption(dir, resources) {
  const file = join(dir, 'encryption.json');
  const keys = [{ name: 'key1', secret: Buffer.alloc(32, 'k').toString('base64') }];
  const rule = { resources, providers: [{ aesgcm: { keys } }] };
  writeFileSync(file, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources: [rule] }));
  return `--encryption-provider-config=${file}`;
}

/** What a server answers now, to be compared later as if it were a server. */
async function recorded(client, resources) {
  const lists = new Map();
  for (const path of [...resources.map(({ listPath }) => listPath), custom.path]) lists.set(path, await client.get(path));
  return { url: 'before', get: async (path) => lists.get(path) };
}
