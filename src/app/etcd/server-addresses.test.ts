import { describe, expect, onTestFinished, test } from 'vitest';
import { masterLeases } from '#app/etcd/server-leases.ts';
import { byCount } from '#controllers/bootstrap/kubernetes-endpoints.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { hasEtcd, startEtcd, withoutEtcd } from '../../../test/support/real-etcd.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';
const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';

async function addressesAt(server: ServerInTest): Promise<{ readonly endpoints: readonly string[]; readonly slice: readonly string[] }> {
  const { subsets } = (await server.ask('GET', endpoints)).json as { subsets?: { addresses: { ip: string }[] }[] };
  const { endpoints: sliced } = (await server.ask('GET', slice)).json as { endpoints?: { addresses: string[] }[] | null };
  return { endpoints: (subsets ?? []).flatMap(({ addresses }) => addresses.map(({ ip }) => ip)), slice: (sliced ?? []).flatMap(({ addresses }) => addresses) };
}

describe('the type of the endpoint reconciler', () => {
  test('must be one that there is', async () => {
    await expect(ServerInTest.start({ flags: ['--endpoint-reconciler-type=magic'] })).rejects.toThrow('must be lease, master-count or none');
    await expect(ServerInTest.start({ flags: ['--apiserver-count=0'] })).rejects.toThrow("should be a positive number, but value '0' provided");
  });

  test('lease: a server that has its store for itself is the only one there', async () => {
    await using server = await ServerInTest.start({ flags: ['--advertise-address=10.1.0.1'] });
    expect(await addressesAt(server)).toEqual({ endpoints: ['10.1.0.1'], slice: ['10.1.0.1'] });
  });

  test('none: nobody makes endpoints', async () => {
    await using server = await ServerInTest.start({ flags: ['--advertise-address=10.1.0.1', '--endpoint-reconciler-type=none'] });
    expect((await server.ask('GET', endpoints)).code).toBe(404);
  });

  test('master-count: our own address is always there, and those behind it go where they are too many', async () => {
    const [two, three] = [byCount('b', 2), byCount('b', 3)];
    expect(await two.while([])).toEqual(['b']);
    expect(await two.while(['a'])).toEqual(['a', 'b']);
    expect(await two.while(['a', 'c'])).toEqual(['a', 'b']);
    expect(await three.while(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
    expect(await three.while(['c', 'd', 'e'])).toEqual(['b', 'd', 'e']);
    expect(await three.without(['a', 'b'])).toEqual(['a']);
  });
});

test('a lease is an Endpoints object that is renewed with a higher generation', async () => {
  const store = openMemoryStore();
  const leases = masterLeases(store);
  for (const address of ['10.1.0.2', 'fd00::1', '10.1.0.2']) await leases.renew(address);
  expect(await leases.living()).toEqual(['10.1.0.2', 'fd00::1']);
  const value = Buffer.from((await store.get('/registry/masterleases/10.1.0.2'))?.value ?? []);
  expect(value.subarray(0, 4).toString()).toBe('k8s\0');
  await leases.remove('10.1.0.2');
  await leases.remove('10.1.0.2');
  expect(await leases.living()).toEqual(['fd00::1']);
});

test.skipIf(!hasEtcd)(
  `servers of one etcd are in the endpoints together, and leave when they stop ${hasEtcd ? '' : withoutEtcd}`,
  async () => {
    const etcd = await startEtcd();
    onTestFinished(() => etcd[Symbol.asyncDispose]());
    const start = (address: string) =>
      ServerInTest.start({ flags: ['--memory=false', `--etcd-servers=${etcd.url}`, `--advertise-address=${address}`, '--controllers='] });
    const told = (server: ServerInTest) => expect.poll(() => addressesAt(server), { timeout: 30_000 });
    const both = ['10.1.0.1', '10.1.0.2'];
    const first = await start('10.1.0.1');
    await masterLeases(first.server.api.world.store).renew('127.0.0.1');
    await told(first).toEqual({ endpoints: ['10.1.0.1'], slice: ['10.1.0.1'] });
    {
      await using second = await start('10.1.0.2');
      await told(second).toEqual({ endpoints: both, slice: both });
      const { json } = await first.ask(
        'GET',
        '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?labelSelector=apiserver.kubernetes.io/identity=kube-apiserver',
      );
      expect(json.items).toHaveLength(1);
    }
    expect(await addressesAt(first)).toEqual({ endpoints: ['10.1.0.1'], slice: ['10.1.0.1'] });
    await first[Symbol.asyncDispose]();
    await using next = await start('10.1.0.3');
    await told(next).toEqual({ endpoints: ['10.1.0.3'], slice: ['10.1.0.3'] });
  },
  90_000,
);
