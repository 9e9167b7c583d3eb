#!/usr/bin/env node
// A server of ours and a real kube-apiserver on one etcd, each with an API that the other one does not serve: either answers for both, and discovery
// of both is the same document. Then the real kube-controller-manager and a server of ours stand for one Lease, which a server of ours gives away, and the original.
//   npx tsx test/conformance/mixed-versions.mjs [--bundle]
// Needs the reference server's programs (REFERENCE_SERVER_UP names the script that starts it), and may rename its machine for a child (unshare -u):
// servers of one machine have one identity. Without either it says that it was skipped.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ask } from '../fault/hostile-client.mjs';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { connectTo, until } from './several-servers/clients.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' } } });
const up = process.env.REFERENCE_SERVER_UP ?? resolve(root, '../shared/reference-server/up');
const manager = join(process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin'), 'kube-controller-manager');
const elsewhere = ['unshare', '-u', 'sh', '-c', 'hostname another-machine && exec "$0" "$@"'];
const missing = [
  ...[up, manager].filter((file) => !existsSync(file)),
  ...(spawnSync(elsewhere[0], [...elsewhere.slice(1), 'true']).status === 0 ? [] : ['unshare -u']),
];
if (missing.length > 0) {
  console.log(`SKIPPED: without ${missing.join(', ')}`);
  process.exit(0);
}

const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/kube-system/leasecandidates';
const claims = '/apis/resource.k8s.io/v1beta1/deviceclasses';
const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
const coordinated = ['--feature-gates=CoordinatedLeaderElection=true', '--runtime-config=coordination.k8s.io/v1beta1=true'];

const problems = [
  ...(await withServers(coordinated, ['--runtime-config=resource.k8s.io/v1beta1=true', '--controllers='], passedOn)),
  ...(await withServers([], coordinated, elected)),
  ...(await withServers(coordinated, coordinated, elected)),
];
for (const problem of problems) console.log(`  ${problem}`);
console.log(problems.length === 0 ? 'mixed versions: all is well' : `mixed versions: ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

/** The original is on another machine, as far as it can tell. */
async function withServers(theirFlags, ourFlags, check) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-mixed-'));
  const reference = join(dir, 'reference');
  const port = await freePort();
  const peers = `--peer-ca-file=${join(reference, 'pki/ca.crt')}`;
  let ours;
  try {
    const words = [...elsewhere, up, reference, String(port), '--', peers, ...theirFlags];
    execFileSync(words[0], words.slice(1), { stdio: 'ignore', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
    cpSync(join(reference, 'pki'), join(dir, 'ours/pki'), { recursive: true });
    const flags = ['--memory=false', `--etcd-servers=http://127.0.0.1:${port + 1}`, peers, ...ourFlags];
    ours = await startServer({ flags, dir: join(dir, 'ours'), from: options.bundle ? 'bundle' : 'sources' });
    const started = performance.now();
    const { says, problems } = await check(
      { url: `https://127.0.0.1:${port}`, kubeconfig: join(reference, 'kubeconfig'), pki: join(reference, 'pki') },
      ours,
      dir,
    );
    console.log(`${says} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    return problems;
  } finally {
    await ours?.stop();
    spawnSync(resolve(up, '../down'), [reference], { stdio: 'ignore' });
    rmSync(dir, { recursive: true, force: true });
  }
}

async function passedOn(theirs, ours) {
  const [real, own] = [connectTo(theirs.url), connectTo(ours.url)];
  const found = [];
  const expectCode = async (what, answer, code) => {
    const got = await answer;
    if (got.code !== code) found.push(`${what}: ${got.code} instead of ${code}: ${got.object.message ?? ''}`);
    return got.object;
  };
  found.push(await until(async () => (await own.get(candidates)).code === 200, 30, 'ours asks the original for candidates'));
  found.push(await until(async () => (await real.get(claims)).code === 200, 30, 'the original asks ours for device classes'));
  const watched = own.watch(`${candidates}?watch=1`);
  const spec = { leaseName: 'work', binaryVersion: '1.36.0', emulationVersion: '1.36.0', strategy: 'OldestEmulationVersion' };
  const made = await expectCode('a candidate made through ours', own.create(candidates, { metadata: { name: 'one' }, spec }), 201);
  const seen = await expectCode('the same at the original', real.get(`${candidates}/one`), 200);
  if (made.metadata?.uid !== seen.metadata?.uid) found.push('the candidate at the original is another one');
  found.push(await until(() => watched.events.some(({ object }) => object.metadata.name === 'one'), 10, 'a watch through ours tells of it'));
  watched.close();
  await expectCode('a device class made through the original', real.create(claims, { metadata: { name: 'two' }, spec: {} }), 201);
  await expectCode('the same at ours', own.get(`${claims}/two`), 200);
  await expectCode('and deleted through the original', real.send('DELETE', `${claims}/two`), 200);
  await expectCode('what neither serves', own.get('/apis/nowhere.example.com/v1/things'), 404);
  found.push(...(await sameDiscovery(theirs, ours)));
  for (const client of [real, own]) client.close();
  return { says: 'requests for an API that only the other server has, both ways', problems: found.filter(Boolean) };
}

/** With all servers the same at both; each alone without the other's API. */
async function sameDiscovery(theirs, ours) {
  const documentOf = async ({ url }, profile) => {
    const accept = `application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList${profile}`;
    return JSON.parse((await ask({ url }, { path: '/apis', headers: { accept } })).body.toString()).items;
  };
  const versions = (groups) => groups.map(({ metadata, versions: all }) => `${metadata.name}: ${all.map(({ version }) => version).join(' ')}`);
  const [ofBoth, ofTheirs, alone] = [await documentOf(ours, ''), await documentOf(theirs, ''), await documentOf(ours, ';profile=nopeer')];
  const found = [];
  for (const [index, line] of versions(ofTheirs).entries())
    if (versions(ofBoth)[index] !== line) found.push(`discovery: «${versions(ofBoth)[index]}» instead of «${line}»`);
  if (!isDeepStrictEqual(ofBoth, ofTheirs) && found.length === 0) found.push('the documents differ in resources');
  if (!versions(ofBoth).includes('coordination.k8s.io: v1 v1beta1')) found.push('discovery of both servers has no candidates');
  if (!versions(alone).includes('coordination.k8s.io: v1')) found.push('discovery of ours alone has candidates');
  return found;
}

/** The controllers of ours are elected first; the real controller manager behaves as an older version, and gets the Lease from them. */
async function elected(theirs, ours, dir) {
  const own = connectTo(ours.url);
  const found = [];
  const spec = async () => (await own.get(lease)).object.spec ?? {};
  found.push(await until(async () => (await spec()).holderIdentity && (await spec()).leaseDurationSeconds === 15, 30, 'the controllers of ours are elected'));
  const { holderIdentity: first } = await spec();
  const program = startManager(theirs, dir);
  try {
    found.push(await until(async () => ![first, '', undefined].includes((await spec()).holderIdentity), 60, 'the older controller manager is elected'));
    const { holderIdentity: second, strategy } = await spec();
    if (!second?.startsWith('another-machine_') || strategy !== 'OldestEmulationVersion') found.push(`the lease is held by ${second} (${strategy})`);
    found.push(await until(async () => (await spec()).leaseDurationSeconds === 15, 30, 'it renews the lease'));
    program.kill('SIGKILL');
    found.push(
      await until(
        async () => (await spec()).holderIdentity === first && (await spec()).leaseDurationSeconds === 15,
        60,
        'the controllers of ours have it again when it is gone',
      ),
    );
    const { object } = await own.get('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/leader-election-controller');
    const elector = object.spec.holderIdentity.startsWith('another-machine_') ? 'the original' : 'a server of ours';
    return { says: `${elector} gave the Lease to our controllers, to an older controller manager, and back`, problems: found.filter(Boolean) };
  } finally {
    program.kill('SIGKILL');
    own.close();
  }
}

function startManager({ kubeconfig, pki }, dir) {
  const log = openSync(join(dir, 'manager.log'), 'a');
  const flags = {
    kubeconfig,
    'feature-gates': 'CoordinatedLeaderElection=true',
    'emulated-version': '1.35',
    'secure-port': '0',
    controllers: 'serviceaccount-controller',
    'service-account-private-key-file': join(pki, 'sa.key'),
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return spawn(elsewhere[0], [...elsewhere.slice(1), manager, ...words], { stdio: ['ignore', log, log] });
}
