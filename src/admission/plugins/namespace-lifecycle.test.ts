import { expect, test } from 'vitest';
import { apiUnderTest, mergePatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount');
const configMap = { metadata: { name: 'c' } };

/** A namespace on its way out: a finalizer of an object in it keeps it from being gone. */
async function goingNamespace(): Promise<string> {
  const namespace = `/api/v1/namespaces/${await api.namespace()}`;
  await api.make(`${namespace}/configmaps`, { metadata: { name: 'kept', finalizers: ['example.com/keep'] } });
  await api.ask('DELETE', namespace);
  return namespace;
}

test('nothing is created where there is no namespace', async () => {
  const { code, body } = await api.ask('POST', '/api/v1/namespaces/nowhere/configmaps', configMap);
  expect([code, body.reason, body.message, body.details]).toEqual([404, 'NotFound', 'namespaces "nowhere" not found', { name: 'nowhere', kind: 'namespaces' }]);
});

test('an access review may ask about a namespace that is not there', async () => {
  const review = { spec: { user: 'u', resourceAttributes: { namespace: 'nowhere', verb: 'get', resource: 'pods' } } };
  const { code } = await api.ask('POST', '/apis/authorization.k8s.io/v1/namespaces/nowhere/localsubjectaccessreviews', review);
  expect(code).toBe(201);
});

test.each(['default', 'kube-system', 'kube-public'])('the namespace %s stays', async (name) => {
  const { code, body } = await api.ask('DELETE', `/api/v1/namespaces/${name}`);
  expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', `namespaces "${name}" is forbidden: this namespace may not be deleted`]);
});

test('nothing new comes into a namespace that is going', async () => {
  const going = await goingNamespace();
  const name = going.split('/').at(-1);
  const { code, body } = await api.ask('POST', `${going}/configmaps`, configMap);
  const why = `unable to create new content in namespace ${name} because it is being terminated`;
  expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', `configmaps "c" is forbidden: ${why}`]);
  expect(body.details.causes).toEqual([{ reason: 'NamespaceTerminating', message: `namespace ${name} is being terminated`, field: 'metadata.namespace' }]);
});

test('what is in a namespace that is going can be changed and deleted, and so can the namespace', async () => {
  const going = await goingNamespace();
  expect((await api.ask('PATCH', going, { metadata: { labels: { a: 'b' } } }, mergePatch)).code).toBe(200);
  expect((await api.ask('PATCH', `${going}/configmaps/kept`, { data: { a: 'b' } }, mergePatch)).code).toBe(200);
  expect((await api.ask('PATCH', `${going}/configmaps/kept`, { metadata: { finalizers: null } }, mergePatch)).code).toBe(200);
});

test('cluster-wide objects and other namespaces are nobody’s business here', async () => {
  expect((await api.ask('POST', '/api/v1/nodes', { metadata: { generateName: 'n-' } })).code).toBe(201);
  const other = await api.namespace();
  expect((await api.ask('DELETE', `/api/v1/namespaces/${other}`)).code).toBe(200);
});
