#!/usr/bin/env node
// Two servers of ours and a real kube-apiserver on one etcd: objects of all kinds are the same on each, writers and watchers on all of them, reads after
// writes elsewhere, addresses and ports of services; then one of ours is killed under writes: nothing is lost, and its controllers are taken over.
//   npx tsx test/conformance/several-servers.mjs [--bundle] [--writes 10000] [--on URL,URL,URL]
// Needs the reference server's programs (REFERENCE_SERVER_UP names the script that starts it); without them it says that it was skipped.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { connectTo } from './several-servers/clients.mjs';
import { sameEverywhere } from './several-servers/same-everywhere.mjs';
import { writesDuringKill } from './several-servers/killed-writes.mjs';
import { takeOver } from './several-servers/take-over.mjs';
import { readsAfterWrites, serviceAddresses, writersAndWatchers } from './several-servers/consistency.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' }, writes: { type: 'string', default: '10000' }, on: { type: 'string' } } });
const up = process.env.REFERENCE_SERVER_UP ?? resolve(root, '../shared/reference-server/up');
if (options.on === undefined && !existsSync(up)) {
  console.log(`SKIPPED: no reference server (${up})`);
  process.exit(0);
}

/** What the two call themselves. */
const ownAddresses = ['10.77.0.1', '10.77.0.2'];
const problems = options.on === undefined ? await onServersOfOurOwn() : await checkAll(options.on.split(','));
for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`);
console.log(problems.length === 0 ? 'several servers: all is well' : `several servers: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

/** The first one is the original. */
async function checkAll(urls) {
  const clients = urls.map(connectTo);
  const found = [];
  for (const check of [sameEverywhere, readsAfterWrites, serviceAddresses, (servers) => writersAndWatchers(servers, Number(options.writes))]) {
    const started = performance.now();
    const { says, problems: more } = await check(clients);
    console.log(`${says} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    found.push(...more);
  }
  for (const client of clients) client.close();
  return found;
}

async function checkTakeOver(first, second) {
  const clients = [first, second].map(({ url }) => connectTo(url));
  let written = { says: '', problems: [] };
  const kill = async () => {
    written = await writesDuringKill(clients, () => first.child.kill('SIGKILL'));
  };
  const { says, problems } = await takeOver(clients, ownAddresses, kill);
  console.log(`${written.says}\n${says}`);
  for (const client of clients) client.close();
  return [...problems, ...written.problems];
}

async function startBoth(start) {
  const [first, second] = ownAddresses;
  return [await start(`--advertise-address=${first}`), await start(`--advertise-address=${second}`)];
}

async function onServersOfOurOwn() {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-several-'));
  const ours = [];
  try {
    const port = await freePort();
    execFileSync(up, [join(dir, 'reference'), String(port)], { stdio: 'ignore', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
    const flags = ['--memory=false', `--etcd-servers=http://127.0.0.1:${port + 1}`];
    const start = async (...more) => {
      const server = await startServer({ flags: [...flags, ...more], from: options.bundle ? 'bundle' : 'sources' });
      ours.push(server);
      return server;
    };
    const quiet = [await start('--controllers='), await start('--controllers=')];
    const problems = await checkAll([`https://127.0.0.1:${port}`, ...quiet.map(({ url }) => url)]);
    for (const server of quiet) await server.stop();
    return [...problems, ...(await checkTakeOver(...(await startBoth(start))))];
  } finally {
    for (const server of ours) await server.stop();
    execFileSync(resolve(up, '../down'), [join(dir, 'reference')], { stdio: 'ignore' });
    rmSync(dir, { recursive: true, force: true });
  }
}
