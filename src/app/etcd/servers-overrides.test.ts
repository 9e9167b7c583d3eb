import { describe, expect, onTestFinished, test } from 'vitest';
import { refuseUnknown, serversOverrides } from '#app/etcd/servers-overrides.ts';
import { EtcdClient } from '#store/etcd/etcd-client.ts';
import { encodeRange, readRangeResponse } from '#store/etcd/kv-messages.ts';
import { hasEtcd, type RealEtcd, startEtcd, withoutEtcd } from '../../../test/support/real-etcd.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

describe('overrides', () => {
  test('name a resource of a group, or all of it, and members with semicolons between them', () => {
    expect(serversOverrides(['/events#http://a:1;http://b:2', 'apps/*#https://c:3'])).toEqual([
      { group: '', resource: 'events', servers: ['http://a:1', 'http://b:2'] },
      { group: 'apps', resource: '*', servers: ['https://c:3'] },
    ]);
  });

  test.each(['events#http://a:1', '/events', '/events#', '/events#http://a:1;', 'a/b/c#http://a:1', '/events#http://a:1#x'])('%s is refused', (text) => {
    expect(() => serversOverrides([text])).toThrow('must be of format: group/resource#servers');
  });

  test.each(['example.com/widgets', 'apps/pods', 'apiextensions.k8s.io/customresourcedefinitions'])('of %s, which stays where it is, is refused', (name) => {
    expect(() => refuseUnknown(serversOverrides([`${name}#http://a:1`]))).toThrow(`${name}: only built-in resources can lie in another etcd`);
  });

  test('need an etcd', async () => {
    await expect(ServerInTest.start({ flags: ['--etcd-servers-overrides=/events#http://127.0.0.1:1'] })).rejects.toThrow('give --etcd-servers too');
  });
});

async function keysIn({ url }: RealEtcd, start: string): Promise<readonly string[]> {
  const client = new EtcdClient({ endpoints: [url] });
  const range = { key: start, rangeEnd: `${start.slice(0, -1)}0` };
  const { kvs } = readRangeResponse(await client.read('/etcdserverpb.KV/Range', encodeRange(range)));
  client.close();
  return kvs.map(({ key }) => key);
}

describe.skipIf(!hasEtcd)(`two etcds ${hasEtcd ? '' : withoutEtcd}`, () => {
  test('share what a server stores as the overrides say, and each has its own revisions', async () => {
    const [main, other] = await Promise.all([startEtcd(), startEtcd()]);
    onTestFinished(() => Promise.all([main, other].map((etcd) => etcd[Symbol.asyncDispose]())).then(() => undefined));
    const flags = [
      '--memory=false',
      `--etcd-servers=${main.url}`,
      `--etcd-servers-overrides=/configmaps#${other.url},coordination.k8s.io/*#${other.url}`,
      '--controllers=',
    ];
    const maps = '/api/v1/namespaces/default/configmaps';
    const secrets = '/api/v1/namespaces/default/secrets';
    {
      await using server = await ServerInTest.start({ flags });
      const before = (await server.ask('GET', secrets)).json.metadata.resourceVersion;
      for (const name of ['a', 'b', 'c']) await server.make(maps, { metadata: { name } });
      await server.make(secrets, { metadata: { name: 'a' } });
      const listed = (await server.ask('GET', `${maps}?limit=2`)).json;
      expect(listed.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
      // What every cluster begins with has moved the first one on, not this one.
      expect(Number(listed.metadata.resourceVersion)).toBeLessThan(Number(before));
      const { code } = await server.ask('PUT', `${maps}/a`, { metadata: { name: 'a' }, data: { k: 'v' } });
      expect(code).toBe(200);
      const watched = await server.ask('GET', `${maps}?watch=true&timeoutSeconds=1&resourceVersion=${listed.metadata.resourceVersion}`);
      expect(watched.text).toContain('"type":"MODIFIED"');
      expect((await server.ask('DELETE', `${maps}/b`)).code).toBe(200);
      const size = async () => [...(await server.ask('GET', '/metrics')).text.matchAll(/^apiserver_storage_size_bytes\{storage_cluster_id="(.*)"\} [1-9]/gm)];
      await expect.poll(async () => (await size()).map(([, id]) => id)).toEqual(['etcd-0', 'etcd-1']);
      const health = (await server.ask('GET', '/readyz?verbose')).text;
      expect(health).toContain('[+]etcd-override-0 ok\n[+]etcd-override-readiness-0 ok\n');
      expect(health).not.toContain('etcd-override-1');
    }
    expect(await keysIn(other, '/registry/configmaps/default/')).toEqual(['/registry/configmaps/default/a', '/registry/configmaps/default/c']);
    expect(await keysIn(main, '/registry/configmaps/')).toEqual([]);
    expect(await keysIn(main, '/registry/secrets/default/')).toEqual(['/registry/secrets/default/a']);
    expect(await keysIn(other, '/registry/secrets/')).toEqual([]);
    expect(await keysIn(main, '/registry/leases/')).toEqual([]);
    await using again = await ServerInTest.start({ flags });
    expect((await again.ask('GET', maps)).json.items).toHaveLength(2);
  }, 60_000);

  test('fail apart: without the other one its resources are not served, the rest is', async () => {
    const [main, other] = await Promise.all([startEtcd(), startEtcd()]);
    onTestFinished(() => Promise.all([main, other].map((etcd) => etcd[Symbol.asyncDispose]())).then(() => undefined));
    const overrides = `--etcd-servers-overrides=/configmaps#${other.url}`;
    await using server = await ServerInTest.start({ flags: ['--memory=false', `--etcd-servers=${main.url}`, overrides, '--controllers='] });
    await other.kill();
    await server.make('/api/v1/namespaces/default/secrets', { metadata: { name: 'a' } });
    const health = await server.ask('GET', '/readyz?verbose');
    expect(health.code).toBe(500);
    expect(health.text).toContain('[-]etcd-override-0 failed');
    expect(health.text).toContain('[+]etcd ok');
    await other.start();
    await expect.poll(async () => (await server.ask('GET', '/readyz')).code, { timeout: 20_000 }).toBe(200);
    await server.make('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } });
  }, 60_000);
});
