import { expect, test } from 'vitest';
import { probe } from '#app/component-statuses.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

test('component statuses are made up when somebody asks, by name, by list and as a table', async () => {
  await using server = await ServerInTest.start();
  const list = await server.ask('GET', '/api/v1/componentstatuses');
  expect(JSON.parse(list.text)).toMatchObject({ kind: 'ComponentStatusList', metadata: {}, items: [{}, {}, { metadata: { name: 'etcd-0' } }] });
  expect(list.headers['warning']).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"');
  const one = await server.ask('GET', '/api/v1/componentstatuses/etcd-0');
  expect(JSON.parse(one.text)).toEqual({
    kind: 'ComponentStatus',
    apiVersion: 'v1',
    metadata: { name: 'etcd-0' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  });
  const selected = await server.ask('GET', '/api/v1/componentstatuses?fieldSelector=metadata.name%3Dscheduler');
  expect(selected.json.items.map(({ metadata }) => metadata.name)).toEqual(['scheduler']);
  expect((await server.ask('GET', '/api/v1/componentstatuses/nope')).json.message).toBe('componentstatus "nope" not found');
  const table = await server.ask('GET', '/api/v1/componentstatuses/etcd-0', undefined, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });
  expect(JSON.parse(table.text)).toMatchObject({ rows: [{ cells: ['etcd-0', 'Healthy', 'ok', ''] }] });
});

test('a part that does not listen is unhealthy, in the words of the original', async () => {
  const message = 'Get "https://127.0.0.1:1/healthz": dial tcp 127.0.0.1:1: connect: connection refused';
  expect(await probe('part', 'https://127.0.0.1:1/healthz')).toEqual({
    metadata: { name: 'part' },
    conditions: [{ type: 'Healthy', status: 'False', message }],
  });
});
