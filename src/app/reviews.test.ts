// Reviews and token requests that are odd but have an answer of their own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start();
  await server.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'asker' } });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const authentication = '/apis/authentication.k8s.io/v1';
const authorization = '/apis/authorization.k8s.io/v1';
const rbac = '/apis/rbac.authorization.k8s.io/v1';

test('a review never takes over the claim that a token is good', async () => {
  const status = { authenticated: true, error: 'none', user: { username: 'root' }, audiences: ['a'] };
  const { json } = await server.ask('POST', `${authentication}/tokenreviews`, { spec: { token: 'wrong' }, status });
  expect(json.status).toEqual({ user: { username: 'root' }, audiences: ['a'], error: 'invalid bearer token' });
});

test.each([
  ['TokenReview', 'authentication.k8s.io/v1beta1', 'the API version in the data (authentication.k8s.io/v1beta1) does not match the expected API version'],
  ['TokenReview', 'authentication.k8s.io/v7', 'no kind "TokenReview" is registered for version "authentication.k8s.io/v7"'],
  ['TokenRequest', 'authentication.k8s.io/v1', 'converting (v1.TokenRequest) to (authentication.TokenReview): unknown conversion'],
])('%s of %s is no review', async (kind, apiVersion, message) => {
  const { code, json } = await server.ask('POST', `${authentication}/tokenreviews`, { apiVersion, kind, spec: { token: 'x' } });
  expect([code, json.message]).toEqual([400, expect.stringContaining(message)]);
});

test('a token cannot be bound to something without a name', async () => {
  const path = '/api/v1/namespaces/default/serviceaccounts/asker/token';
  for (const kind of ['Pod', 'Secret', 'Node']) {
    const { code, json } = await server.ask('POST', path, { spec: { boundObjectRef: { kind, apiVersion: 'v1' } } });
    expect([code, json.message]).toEqual([400, 'Name parameter required.']);
  }
});

test('what can only be created in a namespace has no path outside', async () => {
  for (const path of [`${authorization}/localsubjectaccessreviews`, '/api/v1/bindings'])
    for (const method of ['GET', 'POST', 'DELETE']) expect((await server.ask(method, path, method === 'POST' ? {} : undefined)).code).toBe(404);
});

test('a cluster role binding cannot refer to a role of some namespace', async () => {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'nope' };
  const headers = { 'impersonate-user': 'writer' };
  await server.make(`${rbac}/clusterroles`, {
    metadata: { name: 'writer' },
    rules: [{ verbs: ['create'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterrolebindings'] }],
  });
  await server.make(`${rbac}/clusterrolebindings`, {
    metadata: { name: 'writer' },
    roleRef: { ...roleRef, kind: 'ClusterRole', name: 'writer' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'writer' }],
  });
  const write = () => server.ask('POST', `${rbac}/clusterrolebindings`, { metadata: { name: 'x' }, roleRef }, { headers });
  await expect.poll(async () => (await write()).json.message, { timeout: 20_000 }).toBe('Namespace parameter required.');
});
