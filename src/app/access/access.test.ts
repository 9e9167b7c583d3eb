// Who gets in and what they may do, tried from outside over TLS.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';
import { http2Client } from '../../../test/support/wire-clients.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const users =
  'view,view-user,2,\nedit,edit-user,3,\nadmin-of-ns,ns-admin,4,\nkubelet,system:node:n1,5,system:nodes\nnobody,nobody,6,\nwriter,role-writer,7,\none,one-user,8,\n';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 20_000 };

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ users, flags: ['--controllers=*'] });
  for (const [role, user] of [
    ['view', 'view-user'],
    ['edit', 'edit-user'],
    ['admin', 'ns-admin'],
  ] as const) {
    await server.make(`${rbac}/namespaces/default/rolebindings`, {
      metadata: { name: role },
      roleRef: { apiGroup, kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    });
  }
  await vi.waitFor(async () => expect((await server.ask('GET', `${rbac}/clusterroles/admin`)).json.rules?.length).toBeGreaterThan(20), { timeout: 20_000 });
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe('aggregating cluster roles', () => {
  const rulesOf = async (name: string) => (await server.ask('GET', `${rbac}/clusterroles/${name}`)).json.rules ?? [];

  test('hold the rules of the roles they select, also of later ones, and lose what goes', async () => {
    const rule = { apiGroups: ['stable.example'], resources: ['widgets'], verbs: ['get'] };
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    await server.make(`${rbac}/clusterroles`, { metadata: { name: 'widget-viewer', labels }, rules: [rule] });
    for (const name of ['view', 'edit', 'admin']) await expect.poll(() => rulesOf(name), soon).toContainEqual(rule);
    await server.ask('DELETE', `${rbac}/clusterroles/widget-viewer`);
    for (const name of ['view', 'edit', 'admin']) await expect.poll(() => rulesOf(name), soon).not.toContainEqual(rule);
  });
});

describe('escalation', () => {
  const roles = `${rbac}/namespaces/default/roles`;
  const bindings = `${rbac}/namespaces/default/rolebindings`;
  const strong = [{ apiGroups: [''], resources: ['nodes'], verbs: ['delete'] }];
  const weak = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const by = { token: 'admin-of-ns' };
  const missing =
    /^roles\.rbac\.authorization\.k8s\.io "x" is forbidden: user "ns-admin" \(groups=\["" "system:authenticated"\]\) is attempting to grant RBAC permissions not currently held:\n\{APIGroups:\[""\], Resources:\["nodes"\], Verbs:\["delete"\]\}$/;

  test('an administrator of a namespace gives away what he holds and nothing else, whatever the verb', async () => {
    const role = (rules: object) => ({ apiVersion: `${apiGroup}/v1`, kind: 'Role', metadata: { name: 'x' }, rules });
    const attempts = [
      await server.ask('POST', roles, role(strong), by),
      await server.ask('POST', `${roles}?dryRun=All`, role(strong), by),
      await server.ask('PUT', `${roles}/x`, role(strong), by),
      await server.ask('PATCH', `${roles}/x?fieldManager=m`, role(strong), { ...by, type: 'application/apply-patch+yaml' }),
    ];
    for (const { code, json } of attempts) expect([code, json.message]).toEqual([403, expect.stringMatching(missing)]);
    expect((await server.ask('POST', roles, role(weak), by)).code).toBe(201);
    const changes = [
      await server.ask('PUT', `${roles}/x`, role(strong), by),
      await server.ask('PATCH', `${roles}/x`, { rules: strong }, { ...by, type: 'application/merge-patch+json' }),
      await server.ask('PATCH', `${roles}/x`, [{ op: 'add', path: '/rules/-', value: strong[0] }], { ...by, type: 'application/json-patch+json' }),
      await server.ask('PATCH', `${roles}/x`, { rules: strong }, { ...by, type: 'application/strategic-merge-patch+json' }),
      await server.ask('PATCH', `${roles}/x?fieldManager=m&force=true`, role(strong), { ...by, type: 'application/apply-patch+yaml' }),
    ];
    for (const { code, json } of changes) expect([code, json.message]).toEqual([403, expect.stringMatching(missing)]);
    expect((await server.ask('GET', `${roles}/x`)).json.rules).toEqual(weak);
  });

  test('what only the garbage collector changes is let through', async () => {
    await server.make(roles, { metadata: { name: 'owned' }, rules: strong });
    const owned = await server.ask('PATCH', `${roles}/owned`, { metadata: { finalizers: ['example.com/x'] } }, { ...by, type: 'application/merge-patch+json' });
    expect(owned.code).toBe(200);
    const labelled = await server.ask('PATCH', `${roles}/owned`, { metadata: { labels: { a: 'b' } } }, { ...by, type: 'application/merge-patch+json' });
    expect(labelled.code).toBe(403);
  });

  const bind = (kind: string, name: string) => ({
    metadata: { name: 'mine' },
    roleRef: { apiGroup, kind, name },
    subjects: [{ apiGroup, kind: 'User', name: 'ns-admin' }],
  });

  test('a binding needs the rights of the role, or the right to bind it', async () => {
    expect((await server.ask('POST', bindings, bind('ClusterRole', 'cluster-admin'), by)).code).toBe(403);
    expect((await server.ask('POST', bindings, bind('Role', 'missing'), by)).json.message).toBe(`rolebindings.${apiGroup} "missing" not found`);
    expect((await server.ask('POST', `${bindings}?dryRun=All`, bind('ClusterRole', 'view'), by)).code).toBe(201);
    await server.make(roles, {
      metadata: { name: 'binder' },
      rules: [{ apiGroups: [apiGroup], resources: ['clusterroles'], resourceNames: ['cluster-admin'], verbs: ['bind'] }],
    });
    await server.make(bindings, { ...bind('Role', 'binder'), metadata: { name: 'binder' } });
    await expect.poll(async () => (await server.ask('POST', `${bindings}?dryRun=All`, bind('ClusterRole', 'cluster-admin'), by)).code, soon).toBe(201);
    expect((await server.ask('POST', bindings, bind('ClusterRole', 'system:node'), by)).code).toBe(403);
  });

  test('nobody but a cluster administrator makes a role that aggregates', async () => {
    await server.make(`${rbac}/clusterroles`, {
      metadata: { name: 'role-writer' },
      rules: [{ apiGroups: [apiGroup], resources: ['clusterroles'], verbs: ['create'] }],
    });
    await server.make(`${rbac}/clusterrolebindings`, {
      ...bind('ClusterRole', 'role-writer'),
      metadata: { name: 'role-writer' },
      subjects: [{ apiGroup, kind: 'User', name: 'role-writer' }],
    });
    const aggregating = { metadata: { name: 'agg' }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } };
    await expect
      .poll(async () => (await server.ask('POST', `${rbac}/clusterroles`, aggregating, { token: 'writer' })).json.message, soon)
      .toBe(`clusterroles.${apiGroup} "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule`);
  });
});

describe('a node', () => {
  const get = async (path: string) => {
    const { code, json } = await server.ask('GET', path, undefined, { token: 'kubelet' });
    return code === 403 ? json.message.split('": ').pop() : code;
  };
  const unrelated = "no relationship found between node 'n1' and this object";

  beforeAll(async () => {
    const containers = [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'env' } }] }];
    const volumes = [
      { name: 's', secret: { secretName: 'mounted' } },
      { name: 'p', persistentVolumeClaim: { claimName: 'claim' } },
    ];
    await server.make('/api/v1/namespaces/default/pods', {
      metadata: { name: 'here' },
      spec: { nodeName: 'n1', serviceAccountName: 'sa', containers, volumes },
    });
    await server.make('/api/v1/namespaces/default/pods', { metadata: { name: 'there' }, spec: { nodeName: 'n2', containers: [{ name: 'c', image: 'i' }] } });
    const csi = {
      driver: 'd',
      volumeHandle: 'h',
      nodeStageSecretRef: { name: 'stage', namespace: 'default' },
      controllerPublishSecretRef: { name: 'controller', namespace: 'default' },
    };
    const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi, claimRef: { namespace: 'default', name: 'claim' } };
    await server.make('/api/v1/persistentvolumes', { metadata: { name: 'pv' }, spec });
  });

  test('reads what its pods need, also what lies behind their volumes', async () => {
    const core = '/api/v1/namespaces/default';
    expect(await get(`${core}/pods/here`)).toBe(200);
    for (const path of ['secrets/mounted', 'secrets/stage', 'configmaps/env', 'persistentvolumeclaims/claim'])
      expect([path, await get(`${core}/${path}`)]).toEqual([path, 404]);
    expect(await get('/api/v1/persistentvolumes/pv')).toBe(200);
    expect(await get(`${core}/pods?fieldSelector=spec.nodeName%3Dn1`)).toBe(200);
  });

  test('is told why it may not have the rest', async () => {
    const core = '/api/v1/namespaces/default';
    expect(await get(`${core}/pods/there`)).toContain(unrelated);
    expect(await get(`${core}/secrets/controller`)).toContain(unrelated);
    expect(await get(`${core}/secrets/other`)).toContain(unrelated);
    expect(await get(`${core}/secrets`)).toContain('No Object name found');
    expect(await get('/api/v1/secrets')).toContain('can only read namespaced object of this type');
    expect(await get(`${core}/pods`)).toContain('can only list/watch pods with spec.nodeName field selector');
    expect(await get(`${core}/pods?fieldSelector=spec.nodeName%3Dn2`)).toContain('can only list/watch pods with spec.nodeName field selector');
    expect(await get('/api/v1/nodes/n2')).toContain("node 'n1' cannot read 'n2', only its own Node object");
    expect(await get('/api/v1/nodes')).toContain("node 'n1' cannot read all nodes, only its own Node object");
    expect(await get('/apis/coordination.k8s.io/v1/namespaces/default/leases/n1')).toContain(
      'can only access leases in the "kube-node-lease" system namespace',
    );
    expect(await get('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2')).toContain(
      'can only access node lease with the same name as the requesting node',
    );
    expect(await get('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1')).toBe(404);
  });

  test('loses access when the pod goes', async () => {
    const path = '/api/v1/namespaces/default';
    await server.make(`${path}/pods`, {
      metadata: { name: 'brief' },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], imagePullSecrets: [{ name: 'pull' }] },
    });
    await expect.poll(() => get(`${path}/secrets/pull`), soon).toBe(404);
    await server.ask('DELETE', `${path}/pods/brief`, { gracePeriodSeconds: 0 });
    await expect.poll(() => get(`${path}/secrets/pull`), soon).toContain(unrelated);
  });

  test('makes tokens for the accounts of its pods only', async () => {
    await server.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'sa' } });
    await server.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'not-here' } });
    const ask = (name: string) => server.ask('POST', `/api/v1/namespaces/default/serviceaccounts/${name}/token`, { spec: {} }, { token: 'kubelet' });
    expect((await ask('sa')).code).toBe(201);
    expect((await ask('not-here')).json.message).toContain(unrelated);
  });
});

test('a right to one object opens no other, whatever the path looks like', async () => {
  const core = '/api/v1/namespaces/default';
  for (const name of ['a', 'ab', 'b']) await server.make(`${core}/secrets`, { metadata: { name }, stringData: { k: `secret-of-${name}` } });
  await server.make(`${rbac}/namespaces/default/roles`, {
    metadata: { name: 'one' },
    rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get', 'list', 'watch'] }],
  });
  await server.make(`${rbac}/namespaces/default/rolebindings`, {
    metadata: { name: 'one' },
    roleRef: { apiGroup, kind: 'Role', name: 'one' },
    subjects: [{ apiGroup, kind: 'User', name: 'one-user' }],
  });
  const get = (path: string) => server.ask('GET', path, undefined, { token: 'one' });
  await expect.poll(async () => (await get(`${core}/secrets/a`)).code, soon).toBe(200);
  expect((await get(`${core}/secrets?fieldSelector=metadata.name%3Da`)).code).toBe(200);
  const paths = [
    'secrets/b',
    'secrets/ab',
    'secrets/a/../b',
    'secrets/a%2f..%2fb',
    'secrets/a/b',
    'secrets//b',
    'secrets/./b',
    '/secrets/b',
    'secrets/a%00b',
    'secrets/b/',
    'secrets/b?x=a',
    'secrets',
    'secrets/A',
    'secrets?fieldSelector=metadata.name%3Db',
    'secrets?fieldSelector=metadata.name!%3Da',
    'secrets?fieldSelector=metadata.name%3Da,metadata.name%3Db',
    'secrets?fieldSelector=metadata.name%3D%3Dab',
    'secrets?labelSelector=a',
    'secrets?name=a',
    'secrets?watch=1&fieldSelector=metadata.name%3Db',
    'secrets/b/status',
    '../default/secrets/b',
  ];
  for (const path of [
    ...paths.map((tail) => `${core}/${tail}`),
    '/api/v1/secrets',
    '/api/v1/secrets/a',
    '/api/v1/watch/namespaces/default/secrets/b',
    '/api/v1/namespaces/default/secrets/a/../../secrets/b',
    '//api/v1/namespaces/default/secrets/b',
  ]) {
    const { code, text } = await get(path);
    expect([path, code, text]).toEqual([
      path,
      expect.toSatisfy((value: number) => value >= 400 || value === 200),
      expect.not.stringMatching(/secret-of-(ab|b)|c2VjcmV0LW9mLWI|c2VjcmV0LW9mLWFi/),
    ]);
    if (!path.includes('metadata.name%3Da,')) expect([path, code]).toEqual([path, expect.toSatisfy((value: number) => value >= 400)]);
  }
});

test('rights do not grow by taking on identities one after the other', async () => {
  const taken = { 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' };
  for (const token of ['edit', 'admin-of-ns', 'nobody', 'kubelet']) {
    expect((await server.ask('GET', '/api/v1/nodes', undefined, { token, headers: taken })).code).toBe(403);
    expect(
      (
        await server.ask('GET', '/api/v1/nodes', undefined, {
          token,
          headers: { 'impersonate-user': 'system:serviceaccount:kube-system:namespace-controller' },
        })
      ).code,
    ).toBe(403);
  }
  // `edit` may act as service accounts of the namespace, and gets what they have: nothing.
  const account = { 'impersonate-user': 'system:serviceaccount:default:any' };
  expect((await server.ask('GET', '/api/v1/namespaces/default/pods', undefined, { token: 'edit', headers: account })).json.message).toContain(
    'User "system:serviceaccount:default:any" cannot list',
  );
});

test('a bootstrap token works while its secret says so', async () => {
  await using joining = await ServerInTest.start({ flags: ['--enable-bootstrap-token-auth'] });
  const stringData = {
    'token-id': 'abcdef',
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    'auth-extra-groups': 'system:bootstrappers:workers',
  };
  const secrets = '/api/v1/namespaces/kube-system/secrets';
  await joining.make(secrets, { metadata: { name: 'bootstrap-token-abcdef' }, type: 'bootstrap.kubernetes.io/token', stringData });
  const who = (token: string) => joining.ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { token });
  expect((await who('abcdef.0123456789abcdef')).json.status.userInfo).toEqual({
    username: 'system:bootstrap:abcdef',
    groups: ['system:bootstrappers', 'system:bootstrappers:workers', 'system:authenticated'],
  });
  expect((await who('abcdef.0123456789abcdee')).code).toBe(401);
  const change = (data: object) => joining.ask('PATCH', `${secrets}/bootstrap-token-abcdef`, { stringData: data }, { type: 'application/merge-patch+json' });
  await change({ expiration: '2020-01-01T00:00:00Z' });
  expect((await who('abcdef.0123456789abcdef')).code).toBe(401);
  await change({ expiration: '2999-01-01T00:00:00Z', 'auth-extra-groups': 'system:masters' });
  expect((await who('abcdef.0123456789abcdef')).code).toBe(401);
  await change({ 'auth-extra-groups': '', 'usage-bootstrap-authentication': 'false' });
  expect((await who('abcdef.0123456789abcdef')).code).toBe(401);
});

test('users named by a front proxy count when the proxy shows its certificate', async () => {
  const proxies = new TestAuthority('proxies');
  const strangers = new TestAuthority('strangers');
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-proxy-'));
  writeFileSync(join(dir, 'ca.crt'), proxies.cert);
  const flags = ['client-ca-file', 'allowed-names', 'username-headers', 'group-headers', 'uid-headers', 'extra-headers-prefix'];
  const values = [join(dir, 'ca.crt'), 'front', 'X-Remote-User', 'X-Remote-Group', 'X-Remote-Uid', 'X-Remote-Extra-'];
  await using behind = await ServerInTest.start({ flags: flags.map((flag, i) => `--requestheader-${flag}=${values[i]}`) });
  const headers = {
    'x-remote-user': 'carol',
    'x-remote-group': ['g1', 'g2'],
    'x-remote-uid': 'u',
    'x-remote-extra-scopes%2fa': 'b',
    'content-type': 'application/json',
  };
  const ask = async (tls: { cert: string; key: string } | undefined) => {
    await using client = http2Client(behind.server.port, { ca: behind.server.certificates.servingCa ?? '', ...tls });
    const { code, body } = await client.ask({ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', headers, body: '{}' });
    return code === 201 ? JSON.parse(body.toString()).status.userInfo : code;
  };
  expect(await ask(proxies.issue({ commonName: 'front' }, { usage: 'client' }))).toEqual({
    username: 'carol',
    uid: 'u',
    groups: ['g1', 'g2', 'system:authenticated'],
    extra: { 'scopes/a': ['b'] },
  });
  expect(await ask(proxies.issue({ commonName: 'other' }, { usage: 'client' }))).toBe(401);
  expect(await ask(strangers.issue({ commonName: 'front' }, { usage: 'client' }))).toBe(401);
  const past = { notBefore: new Date(Date.now() - 7_200_000), notAfter: new Date(Date.now() - 3_600_000) };
  expect(await ask(proxies.issue({ commonName: 'front' }, { usage: 'client', ...past }))).toBe(401);
  expect(await ask(undefined)).toBe(403);
  rmSync(dir, { recursive: true });
});
