import { expect, test } from 'vitest';
import { collector } from '#base/memory/collector.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const collect = collector();

function definition(group: string): object {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  return { metadata: { name: `things.${group}` }, spec: { group, scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions } };
}

function weakSchema(resource: { readonly schema: object } | undefined): WeakRef<object> {
  if (resource === undefined) throw new Error('the kind is not served');
  return new WeakRef(resource.schema);
}

/** Serves a kind, uses it and takes it away again. */
async function servedOnce(server: ServerInTest, group: string): Promise<WeakRef<object>> {
  const { catalog } = server.server.api.world;
  const things = `/apis/${group}/v1/things`;
  await server.make(definitions, definition(group));
  await expect.poll(async () => (await server.ask('GET', things)).code).toBe(200);
  await server.make(things, { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'one' }, spec: { a: 'x' } });
  await server.ask('PATCH', `${things}/one`, { spec: { a: 'y' } }, { type: 'application/merge-patch+json' });
  await server.ask('GET', `${things}?fieldSelector=metadata.name%3Done`);
  await server.ask('GET', '/openapi/v3');
  const schema = weakSchema(catalog.byKind(group, 'v1', 'Thing'));
  await server.ask('DELETE', `${definitions}/things.${group}`);
  await expect.poll(async () => (await server.ask('GET', `${definitions}/things.${group}`)).code).toBe(404);
  return schema;
}

test('of a definition that is gone nothing stays in memory, while loops that follow all kinds go on', async () => {
  await using server = await ServerInTest.start({ flags: ['--controllers=garbage-collector-controller,resourcequota-controller,namespace-controller'] });
  const schemas: WeakRef<object>[] = [];
  for (const group of ['a.example.com', 'b.example.com', 'c.example.com']) schemas.push(await servedOnce(server, group));
  // The last one may still be what somebody compared with last.
  const alive = () => {
    collect();
    return schemas.slice(0, -1).filter((schema) => schema.deref() !== undefined).length;
  };
  await expect.poll(alive, { timeout: 20_000, interval: 200 }).toBe(0);
}, 60_000);
