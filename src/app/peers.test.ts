// A server that does not know a version beside one that does: requests for it are answered by the other one, and discovery shows both together.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { peerLeases } from '#app/etcd/server-leases.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { hasEtcd, startEtcd, withoutEtcd } from '../../test/support/real-etcd.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const soon = { timeout: 20_000, interval: 50 };
const identity = 'apiserver-another';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const candidates = '/apis/coordination.k8s.io/v1beta1/namespaces/kube-system/leasecandidates';
const aggregated = (profile = '') => ({ headers: { accept: `application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList${profile}` } });

let dir: string;
let knowing: ServerInTest;
let asked: ServerInTest;

function file(name: string, content: string): string {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-peers-'));
  const proxies = new TestAuthority('proxies');
  const { cert, key } = proxies.issue({ commonName: 'front-proxy' }, { usage: 'client' });
  const headers = ['username-headers=X-Remote-User', 'uid-headers=X-Remote-Uid', 'group-headers=X-Remote-Group', 'extra-headers-prefix=X-Remote-Extra-'];
  knowing = await ServerInTest.start({
    flags: [
      '--runtime-config=coordination.k8s.io/v1beta1=true',
      '--feature-gates=CoordinatedLeaderElection=true',
      `--requestheader-client-ca-file=${file('proxies.crt', proxies.cert)}`,
      ...headers.map((flag) => `--requestheader-${flag}`),
    ],
  });
  asked = await ServerInTest.start({
    users: 'jane,jane,2,plain',
    flags: [
      `--peer-ca-file=${file('peers.crt', String(knowing.server.certificates.servingCa))}`,
      `--proxy-client-cert-file=${file('proxy.crt', cert)}`,
      `--proxy-client-key-file=${file('proxy.key', key)}`,
    ],
  });
});
afterAll(async () => {
  await knowing[Symbol.asyncDispose]();
  await asked[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

/** As its identity lease and its endpoint in the shared etcd would say. */
async function introduce(holder: string): Promise<void> {
  await peerLeases(asked.server.api.world.store).renew(identity, { host: '127.0.0.1', port: knowing.server.port });
  const metadata = { name: identity, namespace: 'kube-system', labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' } };
  await asked.make(leases, {
    metadata,
    spec: { holderIdentity: holder, leaseDurationSeconds: 3600, renewTime: new Date().toISOString().replace('Z', '000Z') },
  });
}

async function versionsOf(group: string, profile = ''): Promise<readonly string[]> {
  interface Item {
    readonly metadata: { readonly name: string };
    readonly versions: readonly { readonly version: string }[];
  }
  const items = (await asked.ask('GET', '/apis', undefined, aggregated(profile))).json.items as unknown as readonly Item[];
  return items.find(({ metadata }) => metadata.name === group)?.versions.map(({ version }) => version) ?? [];
}

describe('a resource that only a peer serves', () => {
  test('is not known before there is a peer', async () => {
    expect((await asked.ask('GET', candidates)).code).toBe(404);
    expect(await versionsOf('coordination.k8s.io')).toEqual(['v1']);
  });

  test('is asked for there when there is one', async () => {
    await introduce('one');
    await expect.poll(async () => (await asked.ask('GET', candidates)).code, soon).toBe(200);
    const spec = { leaseName: 'work', binaryVersion: '1.36.0', emulationVersion: '1.36.0', strategy: 'OldestEmulationVersion' };
    const made = await asked.ask('POST', candidates, { metadata: { name: 'a' }, spec });
    expect(made.code).toBe(201);
    expect((await knowing.ask('GET', `${candidates}/a`)).json.metadata.uid).toBe(made.json.metadata.uid);
    expect((await asked.ask('GET', '/metrics')).text).toContain(
      'apiserver_rerouted_request_total{code="201",group="coordination.k8s.io",resource="leasecandidates",version="v1beta1"} 1',
    );
  });

  test('is asked for in the name of the client', async () => {
    expect((await asked.ask('GET', candidates, undefined, { token: 'jane' })).json.message).toContain('User "jane" cannot list resource "leasecandidates"');
    await knowing.make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'others' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'Group', name: 'plain', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    // Both servers judge: they share their objects where they are a cluster.
    expect((await asked.ask('GET', candidates, undefined, { token: 'jane' })).code).toBe(403);
  });

  test('is not passed on a second time', async () => {
    const { code } = await asked.ask('GET', candidates, undefined, { headers: { 'x-kubernetes-peer-proxied': 'true' } });
    expect(code).toBe(404);
  });

  test('stands in discovery of all servers, and not in that of this one alone', async () => {
    expect(await versionsOf('coordination.k8s.io')).toEqual(['v1', 'v1beta1']);
    expect(await versionsOf('coordination.k8s.io', ';profile=nopeer')).toEqual(['v1']);
    expect((await asked.ask('GET', '/metrics')).text).toMatch(/^aggregator_discovery_peer_aggregated_cache_misses_total [1-9]/m);
  });

  test('is not believed to be there when a definition has its group-version', async () => {
    const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const version = { name: 'v1', served: true, storage: true, schema };
    const definition = { metadata: { name: 'things.example.com' }, spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] } };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (const server of [knowing, asked]) await server.make(definitions, definition);
    await expect.poll(async () => (await knowing.ask('GET', '/apis/example.com/v1/things')).code, soon).toBe(200);
    await expect.poll(() => versionsOf('example.com'), soon).toEqual(['v1']);
    // Started again: what it serves is asked for anew.
    await asked.ask('PATCH', `${leases}/${identity}`, { spec: { holderIdentity: 'two' } }, { type: 'application/merge-patch+json' });
    await asked.ask('DELETE', `${definitions}/things.example.com`);
    await expect.poll(async () => (await asked.ask('GET', '/apis/example.com/v1/things')).code, soon).toBe(404);
    expect(await versionsOf('example.com')).toEqual([]);
  });

  test('cannot be had when its server does not say where it is, and is gone with its lease', async () => {
    await peerLeases(asked.server.api.world.store).remove(identity);
    const { code, json } = await asked.ask('GET', candidates);
    expect([code, json.message]).toEqual([503, 'Error getting ip and port info of the remote server while proxying']);
    await asked.ask('DELETE', `${leases}/${identity}`);
    await expect.poll(async () => (await asked.ask('GET', candidates)).code, soon).toBe(404);
    expect(await versionsOf('coordination.k8s.io')).toEqual(['v1']);
  });
});

test('servers that wait for their peers say so, others do not', async () => {
  expect((await asked.ask('GET', '/readyz?verbose')).text).toContain('[+]poststarthook/mixed-version-proxy-handler ok');
  expect((await knowing.ask('GET', '/readyz?verbose')).text).not.toContain('mixed-version-proxy-handler');
});

test('flags of the proxy need its gate, and a certificate to be known by', async () => {
  const gate = '--feature-gates=UnknownVersionInteroperabilityProxy=false';
  await expect(ServerInTest.start({ flags: [gate, '--peer-advertise-ip=10.0.0.1'] })).rejects.toThrow('--peer-advertise-ip requires');
  await expect(ServerInTest.start({ flags: [`--peer-ca-file=${join(dir, 'peers.crt')}`] })).rejects.toThrow('proxy-cert-file not specified');
});

test('the lease of a server says under its identity where it is', async () => {
  const leasesOf = peerLeases(openMemoryStore());
  expect(await leasesOf.addressOf('one')).toBeUndefined();
  for (const port of [1, 2]) await leasesOf.renew('one', { host: 'fd00::1', port });
  expect(await leasesOf.addressOf('one')).toEqual({ host: 'fd00::1', port: 2 });
  await leasesOf.remove('one');
  expect(await leasesOf.addressOf('one')).toBeUndefined();
});

test.skipIf(!hasEtcd)(`in an etcd it is there while the server runs ${hasEtcd ? '' : withoutEtcd}`, async () => {
  await using etcd = await startEtcd();
  const flags = ['--memory=false', `--etcd-servers=${etcd.url}`, '--peer-advertise-ip=10.9.0.1', '--peer-advertise-port=444'];
  const server = await ServerInTest.start({ flags });
  const stored = async () => (await server.server.api.world.store.list({ start: '/registry/peerserverleases/', end: '/registry/peerserverleases0' })).entries;
  await expect.poll(stored, soon).toHaveLength(1);
  const [entry] = await stored();
  expect(await peerLeases(server.server.api.world.store).addressOf(entry?.key.split('/').at(-1) ?? '')).toEqual({ host: '10.9.0.1', port: 444 });
  await server[Symbol.asyncDispose]();
});
