import { expect, test, vi } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/compared.example.com/v1/things';

function definition(most: number) {
  const count = { type: 'object', properties: { size: { type: 'integer', maximum: most } } };
  const openAPIV3Schema = { type: 'object', properties: { spec: count, status: count } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } }];
  return {
    metadata: { name: 'things.compared.example.com' },
    spec: { group: 'compared.example.com', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions },
  };
}

test('every update of a custom object tells how long it was compared with what is stored, a create tells nothing', async () => {
  await using server = await ServerInTest.start({ flags: ['--controllers='] });
  const name = 'apiextensions_apiserver_validation_ratcheting_seconds';
  const read = async (what: string) => Number(new RegExp(`^${name}_${what} (\\S+)$`, 'm').exec((await server.ask('GET', '/metrics')).text)?.[1]);
  await server.make(definitions, definition(9));
  const object = { apiVersion: 'compared.example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: { size: 9 } };
  await vi.waitFor(async () => expect((await server.ask('POST', things, object)).code).toBe(201));
  expect(await read('count')).toBe(0);
  const stored = (await server.ask('GET', `${definitions}/things.compared.example.com`)).json;
  await server.ask('PUT', `${definitions}/things.compared.example.com`, { ...definition(5), metadata: stored.metadata });
  const change = async (path: string, body: object) => (await server.ask('PATCH', path, body, { type: 'application/merge-patch+json' })).code;
  // Judged by the new schema, which the stored size does not keep: it is compared, found unchanged, and pardoned.
  await vi.waitFor(async () => expect(await change(`${things}/a`, { spec: { size: 8 } })).toBe(422));
  const before = await read('count');
  expect(await change(`${things}/a`, { metadata: { labels: { a: 'b' } } })).toBe(200);
  expect(await change(`${things}/a/status`, { status: { size: 3 } })).toBe(200);
  expect(await read('count')).toBe(before + 2);
  expect(await read('sum')).toBeGreaterThan(0);
  expect((await server.ask('GET', '/metrics')).text).toContain(`${name}_bucket{le="1e-05"}`);
});
