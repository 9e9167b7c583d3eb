// Published vulnerabilities of kube-apiserver that have no better place: docs/security.md has the whole table.
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiUnderTest } from '../../test/support/api-under-test.ts';

const api = apiUnderTest('--enable-admission-plugins=NodeRestriction');
const run = Math.random().toString(36).slice(2, 8);
const namespace = `cve-${run}`;
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const reader = `reader-${run}`;
const editor = `editor-${run}`;

beforeAll(async () => {
  await api.make('/api/v1/namespaces', { metadata: { name: namespace } });
  await api.make(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'hidden' }, stringData: { a: 'not to be read' } });
  await api.make(`${rbac}/namespaces/${namespace}/roles`, {
    metadata: { name: reader },
    rules: [{ apiGroups: ['', 'rbac.authorization.k8s.io'], resources: ['configmaps', 'clusterroles'], verbs: ['*'] }],
  });
  const bind = (name: string, roleRef: object) =>
    api.make(`${rbac}/namespaces/${namespace}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    });
  await bind(reader, { kind: 'Role', name: reader });
  await bind(editor, { kind: 'ClusterRole', name: 'edit' });
});

test.each(['clusterroles', 'clusterroles/cluster-admin'])('CVE-2019-11247: a role of a namespace opens nothing outside of it (%s)', async (path) => {
  expect((await api.ask('GET', `${rbac}/namespaces/${namespace}/${path}`, undefined, { as: reader })).code).toBe(404);
  expect((await api.ask('GET', `${rbac}/${path}`, undefined, { as: reader })).code).toBe(403);
});

test.each(['../secrets/hidden', '..%2Fsecrets%2Fhidden', '%2e%2e/secrets/hidden', '%2e%2e%2fsecrets%2fhidden', 'x/../../secrets/hidden'])(
  'CVE-2022-3162: rights over one resource are not led to another by %s',
  async (path) => {
    const { code, text } = await api.ask('GET', `/api/v1/namespaces/${namespace}/configmaps/${path}`, undefined, { as: reader });
    expect([code >= 300, text.includes('bm90IHRvIGJlIHJlYWQ')]).toEqual([true, false]);
  },
);

test('CVE-2019-1002100: a JSON patch has a limit of operations', async () => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  await api.make(path, { metadata: { name: 'patched' }, data: {} });
  const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/metadata/name', value: 'patched' }));
  expect((await api.ask('PATCH', `${path}/patched`, operations, { type: 'application/json-patch+json' })).code).toBe(413);
});

test('CVE-2020-8552: what a request calls things is no label of a metric', async () => {
  const odd = `odd-${run}`;
  for (const path of [`/api/v1/${odd}`, `/apis/${odd}/v1/x`, `/api/v1/namespaces/default/pods/x/${odd}`, `/${odd}`]) await api.ask('GET', path);
  await api.ask('GET', '/api/v1/pods', undefined, { accept: `application/${odd}` });
  expect((await api.ask('GET', '/metrics')).text).not.toContain(odd);
});

describe('CVE-2021-25740: who may edit a namespace', () => {
  test.each([
    ['', 'endpoints'],
    ['discovery.k8s.io', 'endpointslices'],
  ])('does not lead services elsewhere (%s/%s)', async (group, resource) => {
    for (const verb of ['create', 'update', 'patch']) {
      const spec = { user: editor, resourceAttributes: { namespace, group, resource, verb } };
      const { body } = await api.ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec });
      expect(body.status).toMatchObject({ allowed: false });
    }
  });
});

test('CVE-2025-4563: a node makes no mirror pod that claims devices', async () => {
  const node = { as: `system:node:${namespace}`, groups: ['system:nodes'] };
  await api.make('/api/v1/nodes', { metadata: { name: namespace } });
  const { body } = await api.ask('GET', `/api/v1/nodes/${namespace}`);
  const owner = { apiVersion: 'v1', kind: 'Node', name: namespace, uid: body.metadata.uid, controller: true };
  const pod = {
    metadata: { name: 'mirror', annotations: { 'kubernetes.io/config.mirror': 'x' }, ownerReferences: [owner] },
    spec: { nodeName: namespace, containers: [{ name: 'c', image: 'i' }], resourceClaims: [{ name: 'd', resourceClaimName: 'device' }] },
  };
  const { code } = await api.ask('POST', `/api/v1/namespaces/${namespace}/pods`, pod, node);
  expect([403, 422]).toContain(code);
  const { resourceClaims: _, ...harmless } = pod.spec;
  expect((await api.ask('POST', `/api/v1/namespaces/${namespace}/pods`, { ...pod, spec: harmless }, node)).code).toBe(201);
});

test('what docs/security.md names is there', () => {
  const root = new URL('../../', import.meta.url);
  const named = [...readFileSync(new URL('docs/security.md', root), 'utf8').matchAll(/`((?:src|test)\/[^`*]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
