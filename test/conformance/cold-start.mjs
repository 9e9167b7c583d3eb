#!/usr/bin/env node
// Objects of all kinds, made through a real kube-apiserver and through a server of ours, are there after both have ended, when each of them starts on that etcd: without and
// with encryption. Then the real kube-controller-manager works on them, and both servers show what it has made.
//   npx tsx test/conformance/cold-start.mjs [--bundle]
// Needs the reference server's programs (REFERENCE_SERVER_UP names the script that starts it); without them it says that it was skipped.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { connectTo } from './several-servers/clients.mjs';
import { managedAlike } from './several-servers/manager.mjs';
import { custom } from './several-servers/objects.mjs';
import { comparedLists, sameEverywhere, servedByAll, storedResources } from './several-servers/same-everywhere.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' } } });
const up = process.env.REFERENCE_SERVER_UP ?? resolve(root, '../shared/reference-server/up');
if (!existsSync(up)) {
  console.log(`SKIPPED: no reference server (${up})`);
  process.exit(0);
}

const gates = ['ClusterTrustBundle', 'CoordinatedLeaderElection', 'GenericWorkload', 'PodCertificateRequest', 'StorageVersionMigrator'];
/** Those of versions that are not served by default too. */
const allKinds = ['--runtime-config=api/all=true', `--feature-gates=${gates.map((gate) => `${gate}=true`).join(',')}`];
const problems = [...(await check('in the clear', [])), ...(await check('encrypted', ['*.*']))];
for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`);
console.log(problems.length === 0 ? 'cold start: all is well' : `cold start: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

async function check(how, encrypted) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-cold-'));
  const servers = await bothOn(dir, [...allKinds, ...(encrypted.length === 0 ? [] : [encryption(dir, encrypted)])]);
  try {
    const first = await written(servers);
    const again = await startedAgain(servers, first);
    const managed = await servers.use([servers.startTheirs], ([client]) => managedAlike(client, { ...first, dir, pki: servers.pki }));
    const after = await startedAgain(servers, { resources: first.resources });
    for (const { says } of [first, again, managed, after]) console.log(`${how}: ${says}`);
    return [first, again, managed, after].flatMap(({ problems: found }) => found.map((problem) => `${how}: ${problem}`));
  } finally {
    await servers.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Each of them creates objects of all kinds. */
async function written(servers) {
  return servers.use([servers.startTheirs, servers.startOurs], async (clients) => {
    const found = await sameEverywhere(clients, { isRich: true });
    const resources = await storedResources(clients[0]);
    return { ...found, resources, before: await recorded(clients[0], resources) };
  });
}

/** What was there before is there still, where that is known. */
async function startedAgain(servers, { resources, before, made }) {
  return servers.use([servers.startTheirs, servers.startOurs], async (clients) => {
    const problems = [];
    await servedByAll(clients, custom.path, problems);
    const isOfTest = ({ metadata }) => made === undefined || made.has(metadata.uid);
    const { says, problems: found } = await comparedLists([...(before ? [before] : []), ...clients], resources, isOfTest);
    return { says: `after both have started again: ${says}`, problems: [...problems, ...found] };
  });
}

/** A real kube-apiserver and one of ours, started and stopped on one etcd, which comes and goes with the original and keeps its data. */
async function bothOn(dir, flags) {
  const reference = join(dir, 'reference');
  const port = await freePort();
  let ours;
  const servers = {
    pki: join(reference, 'pki'),
    async startTheirs() {
      run(up, [reference, String(port), '--', ...flags]);
      return `https://127.0.0.1:${port}`;
    },
    async startOurs() {
      const own = ['--memory=false', `--etcd-servers=http://127.0.0.1:${port + 1}`, '--controllers='];
      ours = await startServer({ flags: [...own, ...flags], from: options.bundle ? 'bundle' : 'sources' });
      return ours.url;
    },
    async stop() {
      await ours?.stop();
      ours = undefined;
      run(resolve(up, '../down'), [reference]);
    },
    /** They run as long as `work` does. */
    async use(starts, work) {
      const clients = [];
      for (const start of starts) clients.push(connectTo(await start()));
      try {
        return await work(clients);
      } finally {
        for (const client of clients) client.close();
        await servers.stop();
      }
    },
  };
  return servers;
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
  for (const path of resources.map(({ listPath }) => listPath)) lists.set(path, await client.get(path));
  return { url: 'before', get: async (path) => lists.get(path) };
}
