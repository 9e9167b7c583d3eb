import { expect, onTestFinished, test } from 'vitest';
import { storedNames } from '#app/etcd/stored-names.ts';
import { hasEtcd, startEtcd, withoutEtcd } from '../../../test/support/real-etcd.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

test.each([
  ['/registry/pods/default/one', '', 'pods'],
  ['/registry/pods/', '', 'pods'],
  ['/registry/services/specs/default/one', '', 'services'],
  ['/registry/services/endpoints/default/one', '', 'endpoints'],
  ['/registry/deployments/default/one', 'apps', 'deployments'],
  ['/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com', 'apiextensions.k8s.io', 'customresourcedefinitions'],
  ['/registry/example.com/widgets/default/one', 'example.com', 'widgets'],
  ['/registry/example.com/widgets/', 'example.com', 'widgets'],
  ['/registry/masterleases/10.0.0.1', '', 'masterleases'],
])('under %s lies an object of %s/%s', (key, group, resource) => {
  const resourceAt = storedNames();
  expect(resourceAt(key)).toEqual({ group, resource });
  expect(resourceAt(key)).toEqual({ group, resource });
});

test.skipIf(!hasEtcd)(
  `calls of etcd are counted by what they do and whom they concern, with those that failed ${hasEtcd ? '' : withoutEtcd}`,
  async () => {
    const etcd = await startEtcd();
    onTestFinished(() => etcd[Symbol.asyncDispose]());
    await using server = await ServerInTest.start({ flags: ['--memory=false', `--etcd-servers=${etcd.url}`, '--controllers='] });
    const maps = '/api/v1/namespaces/default/configmaps';
    const counted = async () => {
      const { text } = await server.ask('GET', '/metrics');
      return (name: string, operation: string, resource = 'configmaps') =>
        Number(text.match(new RegExp(`^${name}\\{group="",operation="${operation}",resource="${resource}"\\} (\\S+)$`, 'm'))?.[1] ?? 0);
    };
    const before = await counted();
    await server.make(maps, { metadata: { name: 'one' } });
    await server.ask('PUT', `${maps}/one`, { metadata: { name: 'one' }, data: { a: 'b' } });
    await server.ask('DELETE', `${maps}/one`);
    const after = await counted();
    for (const operation of ['create', 'update', 'delete']) {
      expect(after('etcd_requests_total', operation) - before('etcd_requests_total', operation)).toBe(1);
      expect(after('etcd_request_duration_seconds_count', operation)).toBe(after('etcd_requests_total', operation));
      expect(after('etcd_request_errors_total', operation)).toBe(0);
    }
    const { text } = await server.ask('GET', '/metrics');
    expect(text).toMatch(/^apiserver_storage_events_received_total\{group="",resource="configmaps"\} [1-9]/m);
    await etcd.kill();
    await server.ask('POST', maps, { metadata: { name: 'two' } });
    expect((await counted())('etcd_request_errors_total', 'create')).toBeGreaterThan(0);
  },
  60_000,
);
