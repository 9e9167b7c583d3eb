import { expect, test } from 'vitest';
import { apiUnderTest } from '../../../test/support/api-under-test.ts';

/** Without NamespaceLifecycle, which would answer first. */
const api = apiUnderTest('--disable-admission-plugins=ServiceAccount,NamespaceLifecycle', '--enable-admission-plugins=NamespaceExists');

test.each([
  ['create', 'POST', '/api/v1/namespaces/nowhere/configmaps'],
  ['rehearse to create', 'POST', '/api/v1/namespaces/nowhere/configmaps?dryRun=All'],
  ['review access', 'POST', '/apis/authorization.k8s.io/v1/namespaces/nowhere/localsubjectaccessreviews'],
])('nobody can %s in a namespace that is not there', async (_, method, path) => {
  const review = { resourceAttributes: { namespace: 'nowhere', verb: 'get', resource: 'pods' }, user: 'u' };
  const { code, body } = await api.ask(method, path, { metadata: { name: 'c' }, ...(path.includes('reviews') && { metadata: {}, spec: review }) });
  expect([code, body.reason, body.message]).toEqual([404, 'NotFound', 'namespaces "nowhere" not found']);
});

test('in one that is there everything works', async () => {
  const path = `/api/v1/namespaces/${await api.namespace()}/configmaps`;
  await api.make(path, { metadata: { name: 'c' } });
  expect((await api.ask('PUT', `${path}/c`, { metadata: { name: 'c' }, data: { a: 'b' } })).code).toBe(200);
  expect((await api.ask('DELETE', `${path}/c`)).code).toBe(200);
});

test('namespaces themselves and cluster-wide objects need none', async () => {
  expect((await api.ask('POST', '/api/v1/namespaces', { metadata: { generateName: 'fresh-' } })).code).toBe(201);
  expect((await api.ask('POST', '/api/v1/nodes', { metadata: { generateName: 'n-' } })).code).toBe(201);
});
