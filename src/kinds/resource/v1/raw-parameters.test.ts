// Parameters are bytes to Go: with their members in another order they are other parameters.
import { expect, test } from 'vitest';
import { apiUnderTest, strategicPatch } from '../../../../test/support/api-under-test.ts';

const api = apiUnderTest();
const config = (parameters: object) => [{ opaque: { driver: 'gpu.example.com', parameters } }];

test('a class whose parameters stand in another order is of a new generation, and whoever sent them so owns them', async () => {
  const path = '/apis/resource.k8s.io/v1/deviceclasses';
  const name = `raw-${Date.now()}`;
  const deviceClass = (parameters: object) => ({ metadata: { name }, spec: { config: config(parameters) } });
  await api.make(`${path}?fieldManager=one`, deviceClass({ b: 1, a: 2 }));
  const owners = ({ body }: { body: { metadata: { generation?: unknown; managedFields?: readonly { manager?: string }[] } } }) => [
    body.metadata.generation,
    ...(body.metadata.managedFields ?? []).map(({ manager }) => manager),
  ];
  const put = (parameters: object) => api.ask('PUT', `${path}/${name}?fieldManager=two&dryRun=All`, deviceClass(parameters));
  expect(owners(await put({ b: 1, a: 2 }))).toEqual([1, 'one']);
  expect(owners(await put({ a: 2, b: 1 }))).toEqual([2, 'two']);
  await api.ask('DELETE', `${path}/${name}`);
});

test('the parameters of a claim and the data of a revision stay in their order', async () => {
  const namespace = await api.namespace();
  const claims = `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
  const claim = (parameters: object) => ({
    metadata: { name: 'a' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }], config: config(parameters) } },
  });
  await api.make(claims, claim({ b: 1, a: 2 }));
  expect((await api.ask('PUT', `${claims}/a`, claim({ b: 1, a: 2 }))).code).toBe(200);
  expect((await api.ask('PUT', `${claims}/a`, claim({ a: 2, b: 1 }))).body.message).toContain('field is immutable');

  const revisions = `/apis/apps/v1/namespaces/${namespace}/controllerrevisions`;
  const revision = (data: object) => ({ metadata: { name: 'a' }, revision: 1, data });
  await api.make(revisions, revision({ b: 1, a: 2 }));
  expect((await api.ask('PUT', `${revisions}/a`, revision({ a: 2, b: 1 }))).body.message).toBe(
    'ControllerRevision.apps "a" is invalid: data: Invalid value: {"a":2,"b":1}: field is immutable',
  );
  // A strategic patch writes raw JSON anew, with its members sorted.
  const labelled = await api.ask('PATCH', `${revisions}/a`, { metadata: { labels: { a: 'b' } } }, strategicPatch);
  expect(labelled.body.message).toContain('field is immutable');
});
