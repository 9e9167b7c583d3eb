// Ways to get at what one may not have, tried one after the other by somebody who holds a little: all refused.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TestAuthority } from '../../test/support/test-pki.ts';
import { type Answered, type Asked, ServerInTest } from '../../test/support/server-in-test.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = { timeout: 20_000 };

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const core = '/api/v1/namespaces/default';
const people = ['writer', 'narrow', 'actor', 'middle', 'binder', 'operator', 'approver'] as const;
type Name = (typeof people)[number];

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

const rule = (verbs: string, group: string, resources: string, ...resourceNames: string[]): Rule => ({
  verbs: verbs.split(' '),
  apiGroups: [group],
  resources: resources.split(' '),
  ...(resourceNames.length > 0 && { resourceNames }),
});

const writing = 'get list create update patch delete';
/** In the whole cluster. */
const held: Readonly<Record<Name, readonly Rule[]>> = {
  writer: [rule(writing, apiGroup, 'roles clusterroles rolebindings clusterrolebindings'), rule('get', '', 'pods')],
  narrow: [rule('get list watch', '', 'secrets', 'a'), rule('get update patch', '', 'configmaps'), rule('get', '', 'pods')],
  actor: [rule('impersonate', '', 'users', 'middle'), rule('impersonate', '', 'groups', 'team')],
  middle: [rule('impersonate', '', 'users', 'admin')],
  binder: [rule(writing, apiGroup, 'rolebindings clusterrolebindings'), rule('bind', apiGroup, 'clusterroles', 'view')],
  operator: [rule('create get', '', 'pods'), rule('get list', '', 'nodes serviceaccounts')],
  approver: [
    rule('get list update patch', 'certificates.k8s.io', 'certificatesigningrequests certificatesigningrequests/approval certificatesigningrequests/status'),
  ],
};

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({
    users: people.map((name, i) => `${name},${name},${i + 2},\n`).join(''),
    flags: ['--controllers=clusterrole-aggregation-controller'],
  });
  for (const name of people) {
    await server.make(`${rbac}/clusterroles`, { metadata: { name: `of-${name}` }, rules: held[name] });
    await server.make(`${rbac}/clusterrolebindings`, binding(`of-${name}`, 'ClusterRole', `of-${name}`, name));
  }
  for (const name of ['a', 'ab', 'b']) await server.make(`${core}/secrets`, { metadata: { name }, stringData: { k: `precious-of-${name}` } });
  await server.make(`${core}/configmaps`, { metadata: { name: 'there' } });
  await server.make(`${core}/pods`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await server.make(`${core}/serviceaccounts`, { metadata: { name: 'strong' } });
  await vi.waitFor(async () => expect((await ask('binder', 'GET', `${rbac}/rolebindings`)).code).toBe(200), soon);
});
afterAll(() => server?.[Symbol.asyncDispose]());

function binding(name: string, kind: string, role: string, user: string) {
  return { metadata: { name }, roleRef: { apiGroup, kind, name: role }, subjects: [{ apiGroup, kind: 'User', name: user }] };
}

function ask(who: Name | '', method: string, path: string, body?: unknown, more: Asked = {}): Promise<Answered> {
  return server.ask(method, path, body, { token: who, ...more });
}

const merge: Asked = { type: 'application/merge-patch+json' };
const json: Asked = { type: 'application/json-patch+json' };
const strategic: Asked = { type: 'application/strategic-merge-patch+json' };
const applied: Asked = { type: 'application/apply-patch+yaml' };

const everything = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];

describe('giving oneself a role', () => {
  const role = (name: string, more: object) => ({ apiVersion: `${apiGroup}/v1`, kind: 'ClusterRole', metadata: { name }, ...more });

  test.each<[string, () => Promise<Answered>]>([
    ['by making a stronger one', () => ask('writer', 'POST', `${rbac}/clusterroles`, role('new', { rules: everything }))],
    ['by making one of a namespace', () => ask('writer', 'POST', `${rbac}/namespaces/default/roles`, { metadata: { name: 'new' }, rules: everything })],
    ['by a PUT that creates', () => ask('writer', 'PUT', `${rbac}/clusterroles/new`, role('new', { rules: everything }))],
    ['by applying', () => ask('writer', 'PATCH', `${rbac}/clusterroles/new?fieldManager=m`, role('new', { rules: everything }), applied)],
    ['by changing the own one', () => ask('writer', 'PUT', `${rbac}/clusterroles/of-writer`, role('of-writer', { rules: everything }))],
    ['by a merge patch', () => ask('writer', 'PATCH', `${rbac}/clusterroles/of-writer`, { rules: everything }, merge)],
    ['by a strategic patch', () => ask('writer', 'PATCH', `${rbac}/clusterroles/of-writer`, { rules: everything }, strategic)],
    ['by a JSON patch', () => ask('writer', 'PATCH', `${rbac}/clusterroles/of-writer`, [{ op: 'add', path: '/rules/0/verbs/-', value: '*' }], json)],
    [
      'by forcing an apply',
      () => ask('writer', 'PATCH', `${rbac}/clusterroles/of-writer?fieldManager=m&force=true`, role('of-writer', { rules: everything }), applied),
    ],
    [
      'by taking names away from a rule',
      () => ask('writer', 'PATCH', `${rbac}/clusterroles/of-narrow`, [{ op: 'remove', path: '/rules/0/resourceNames' }], json),
    ],
    [
      'by the verb escalate itself',
      () => ask('writer', 'POST', `${rbac}/clusterroles`, role('new', { rules: [rule('escalate bind', apiGroup, 'clusterroles')] })),
    ],
    ['by naming more with a wildcard', () => ask('writer', 'POST', `${rbac}/clusterroles`, role('new', { rules: [rule('get', '', '*')] }))],
    ['by a subresource of what is held', () => ask('writer', 'POST', `${rbac}/clusterroles`, role('new', { rules: [rule('get', '', 'pods/log')] }))],
    ['by paths', () => ask('writer', 'POST', `${rbac}/clusterroles`, role('new', { rules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }] }))],
    [
      'by aggregating others',
      () => ask('writer', 'POST', `${rbac}/clusterroles`, role('new', { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: 'y' } }] } })),
    ],
    [
      'by letting the own one aggregate',
      () =>
        ask(
          'writer',
          'PATCH',
          `${rbac}/clusterroles/of-writer`,
          { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }] } },
          merge,
        ),
    ],
    [
      'by feeding a role that aggregates',
      () =>
        ask('writer', 'POST', `${rbac}/clusterroles`, { metadata: { name: 'fed', labels: { [`${apiGroup}/aggregate-to-view`]: 'true' } }, rules: everything }),
    ],
    [
      'by labelling a stronger one',
      () => ask('writer', 'PATCH', `${rbac}/clusterroles/cluster-admin`, { metadata: { labels: { [`${apiGroup}/aggregate-to-view`]: 'true' } } }, merge),
    ],
    ['by binding a stronger one', () => ask('writer', 'POST', `${rbac}/clusterrolebindings`, binding('new', 'ClusterRole', 'cluster-admin', 'writer'))],
    ['by binding it in a namespace', () => ask('writer', 'POST', `${rbac}/namespaces/default/rolebindings`, binding('new', 'ClusterRole', 'admin', 'writer'))],
    [
      'by a binding that a PUT creates',
      () => ask('writer', 'PUT', `${rbac}/clusterrolebindings/new`, binding('new', 'ClusterRole', 'cluster-admin', 'writer')),
    ],
    [
      'by applying a binding',
      () =>
        ask(
          'writer',
          'PATCH',
          `${rbac}/clusterrolebindings/new?fieldManager=m`,
          { apiVersion: `${apiGroup}/v1`, kind: 'ClusterRoleBinding', ...binding('new', 'ClusterRole', 'cluster-admin', 'writer') },
          applied,
        ),
    ],
    [
      'by joining the subjects of a binding',
      () =>
        ask(
          'writer',
          'PATCH',
          `${rbac}/clusterrolebindings/cluster-admin`,
          [{ op: 'add', path: '/subjects/-', value: { apiGroup, kind: 'User', name: 'writer' } }],
          json,
        ),
    ],
    [
      'by replacing them',
      () => ask('writer', 'PATCH', `${rbac}/clusterrolebindings/of-operator`, { subjects: [{ apiGroup, kind: 'User', name: 'writer' }] }, merge),
    ],
    ['by the right to bind another role', () => ask('binder', 'POST', `${rbac}/clusterrolebindings`, binding('new', 'ClusterRole', 'edit', 'binder'))],
    [
      'by a role of which the bound one is a prefix',
      () => ask('binder', 'POST', `${rbac}/clusterrolebindings`, binding('new', 'ClusterRole', 'viewer', 'binder')),
    ],
    ['by the name of a namespaced role', () => ask('binder', 'POST', `${rbac}/namespaces/default/rolebindings`, binding('new', 'Role', 'view', 'binder'))],
  ])('%s', async (_, attempt) => {
    const { code } = await attempt();
    expect([403, 404]).toContain(code);
    expect((await server.ask('GET', `${rbac}/clusterroles/new`)).code).toBe(404);
    expect((await server.ask('GET', `${rbac}/clusterrolebindings/new`)).code).toBe(404);
    for (const name of people) expect((await server.ask('GET', `${rbac}/clusterroles/of-${name}`)).json.rules).toEqual(held[name]);
  });

  test('a role that is held may be given, so the refusals above are not for the verb', async () => {
    expect((await ask('writer', 'POST', `${rbac}/clusterroles?dryRun=All`, role('fine', { rules: [rule('get', '', 'pods')] }))).code).toBe(201);
    expect((await ask('binder', 'POST', `${rbac}/clusterrolebindings?dryRun=All`, binding('fine', 'ClusterRole', 'view', 'x'))).code).toBe(201);
  });
});

describe('acting as somebody else', () => {
  const as = (user: string, more: Record<string, string> = {}) => ({ headers: { 'impersonate-user': user, ...more } });

  test('goes one step, with the rights of who is really there', async () => {
    const { code, json: who } = await ask('actor', 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, as('middle'));
    expect([code, who.status?.userInfo.username]).toEqual([201, 'middle']);
    // `middle` may act as `admin`, but `actor` may not, and nobody is two people at once.
    expect((await ask('actor', 'GET', '/api/v1/nodes', undefined, as('admin'))).code).toBe(403);
    expect((await ask('actor', 'GET', '/api/v1/nodes', undefined, { headers: { 'impersonate-user': 'middle, admin' } })).code).toBe(403);
    expect((await ask('middle', 'GET', '/api/v1/nodes', undefined, as('admin'))).code).toBe(403);
  });

  test.each<[string, Record<string, string>]>([
    ['masters', { 'impersonate-group': 'system:masters' }],
    ['another group', { 'impersonate-group': 'team2' }],
    ['a group beside one that is held', { 'impersonate-group': 'team, system:masters' }],
    ['a uid', { 'impersonate-uid': '1' }],
    ['a value', { 'impersonate-extra-scopes': 'all' }],
    ['a value with a coded key', { 'impersonate-extra-authentication.kubernetes.io%2fnode-name': 'n1' }],
  ])('does not take %s with it', async (_, headers) => {
    expect((await ask('actor', 'GET', '/version', undefined, as('middle', headers))).code).toBe(403);
  });

  test.each([
    'Middle',
    'middl',
    'middle2',
    'system:serviceaccount:default:strong',
    'system:node:n1',
    'system:kube-controller-manager',
    'system:apiserver',
    '*',
  ])('as %s is refused', async (name) => expect((await ask('actor', 'GET', '/version', undefined, as(name))).code).toBe(403));

  test('is refused to those who are nobody, and parts without a name to everybody', async () => {
    expect((await ask('', 'GET', '/version', undefined, as('admin'))).code).toBe(403);
    for (const headers of [{ 'impersonate-group': 'system:masters' }, { 'impersonate-uid': '1' }, { 'impersonate-extra-a': 'b' }] as Record<string, string>[])
      expect((await ask('actor', 'GET', '/version', undefined, { headers })).code).toBe(400);
  });

  test('does not help to write what the real user may not', async () => {
    const { code } = await ask(
      'actor',
      'POST',
      `${rbac}/clusterrolebindings`,
      binding('new', 'ClusterRole', 'cluster-admin', 'actor'),
      as('middle', { 'impersonate-group': 'team' }),
    );
    expect(code).toBe(403);
  });
});

describe('reading another secret', () => {
  const tails = [
    'secrets/b',
    'secrets/ab',
    'secrets/A',
    'secrets/b/',
    'secrets/b//',
    'secrets//b',
    'secrets/./b',
    'secrets/a/../b',
    'secrets/a/..%2fb',
    'secrets/a%2f..%2fb',
    'secrets/a%2F..%2Fb',
    'secrets/a%252f..%252fb',
    'secrets/%2e%2e/secrets/b',
    'secrets/..;/secrets/b',
    'secrets/a;b',
    'secrets/b;a',
    'secrets/a%00b',
    'secrets/b%00',
    'secrets/b%20',
    'secrets/%62',
    'secrets/b?x=a',
    'secrets/b#a',
    'secrets/a/b',
    'secrets/b/status',
    'secrets/b/proxy',
    'Secrets/b',
    'SECRETS/b',
    'secrets',
    'secrets/',
    'secrets?fieldSelector=metadata.name%3Db',
    'secrets?fieldSelector=metadata.name%3D%3Db',
    'secrets?fieldSelector=metadata.name!%3Da',
    'secrets?fieldSelector=metadata.name%3D',
    'secrets?fieldSelector=metadata.name%3Db&fieldSelector=metadata.name%3Da',
    'secrets?fieldSelector=metadata.namespace%3Ddefault',
    'secrets?labelSelector=name%3Da',
    'secrets?name=a',
    'secrets?resourceName=a',
    'secrets?limit=1',
    'secrets?watch=1&timeoutSeconds=1',
    'secrets?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3Db',
    'secrets?sendInitialEvents=true&watch=1&resourceVersionMatch=NotOlderThan&timeoutSeconds=1',
  ];
  const paths = [
    ...tails.map((tail) => `${core}/${tail}`),
    '/api/v1/secrets',
    '/api/v1/secrets?fieldSelector=metadata.name%3Db',
    '/api/v1/watch/secrets',
    '/api/v1/watch/namespaces/default/secrets',
    '/api/v1/watch/namespaces/default/secrets/b',
    '//api/v1/namespaces/default/secrets/b',
    '/api//v1/namespaces/default/secrets/b',
    '/api/v1//namespaces/default/secrets/b',
    '/API/v1/namespaces/default/secrets/b',
    '/api/v1/namespaces/default/pods/../secrets/b',
    '/version/../api/v1/namespaces/default/secrets/b',
    '/version%2f..%2fapi/v1/namespaces/default/secrets/b',
    '/healthz/..%2f..%2fapi/v1/namespaces/default/secrets/b',
    '/apis/../api/v1/namespaces/default/secrets/b',
    '/./api/v1/namespaces/default/secrets/b',
    '/api/v1/namespaces/default%2fsecrets%2fb',
    '/api/v1/namespaces/default%2f/secrets/b',
    '/api/v1/namespaces/kube-system/../default/secrets/b',
    '/apis/v1/namespaces/default/secrets/b',
    '/api/v1/proxy/namespaces/default/secrets/b',
    '/api/v1/namespaces/default/pods/p/secrets/b',
    '/openapi/../api/v1/namespaces/default/secrets/b',
  ];

  test.each(paths)('is refused at %s', async (path) => {
    const { code, text } = await ask('narrow', 'GET', path);
    expect(text).not.toMatch(/precious-of-(ab|b)|cHJlY2lvdXMtb2Yt(YWI|Yg)/);
    // The one thing that may come: an own secret, by a path that another reader might take for another.
    if (code === 200) expect(path).toMatch(/fieldSelector=metadata\.name%3Db&fieldSelector=metadata\.name%3Da|secrets\/a[;%]/);
  });

  test('by name is not refused for the own one, so the refusals above are not for the kind', async () => {
    expect((await ask('narrow', 'GET', `${core}/secrets/a`)).code).toBe(200);
    expect((await ask('narrow', 'GET', `${core}/secrets?fieldSelector=metadata.name%3Da`)).json.items.length).toBe(1);
  });

  test.each(['x-http-method-override', 'x-original-url', 'x-rewrite-url', 'x-forwarded-path', 'x-remote-user'])(
    'is refused with the header %s',
    async (header) => {
      const value = header === 'x-remote-user' ? 'admin' : `${core}/secrets/b`;
      expect((await ask('narrow', 'GET', `${core}/secrets/b`, undefined, { headers: { [header]: value } })).code).toBe(403);
    },
  );
});

describe('writing by a detour', () => {
  test('whoever may only update makes nothing, neither by PUT nor by applying', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } };
    expect((await ask('narrow', 'PUT', `${core}/configmaps/made`, body)).code).toBeGreaterThanOrEqual(403);
    expect((await ask('narrow', 'PATCH', `${core}/configmaps/made?fieldManager=m`, body, applied)).code).toBe(403);
    expect((await ask('narrow', 'PATCH', `${core}/configmaps/there`, { metadata: { labels: { a: 'b' } } }, merge)).code).toBe(200);
    expect((await server.ask('GET', `${core}/configmaps/made`)).code).toBe(404);
  });

  test('whoever may only patch or update deletes nothing', async () => {
    expect((await ask('narrow', 'DELETE', `${core}/configmaps/there`)).code).toBe(403);
    expect((await ask('narrow', 'DELETE', `${core}/configmaps`)).code).toBe(403);
    expect((await ask('narrow', 'DELETE', `${core}/configmaps?fieldSelector=metadata.name%3Dthere`)).code).toBe(403);
    expect((await server.ask('GET', `${core}/configmaps/there`)).code).toBe(200);
  });

  test.each([
    ['POST', `${core}/serviceaccounts/strong/token`, { spec: {} }],
    ['POST', `${core}/pods/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }],
    ['POST', `${core}/pods/p/binding`, { target: { name: 'n' } }],
    ['POST', `${core}/bindings`, { metadata: { name: 'p' }, target: { name: 'n' } }],
    ['POST', `${core}/pods/p/exec?command=id`, undefined],
    ['GET', `${core}/pods/p/exec?command=id`, undefined],
    ['POST', `${core}/pods/p/attach`, undefined],
    ['GET', `${core}/pods/p/portforward`, undefined],
    ['GET', `${core}/pods/p/proxy/`, undefined],
    ['GET', `${core}/pods/p/log`, undefined],
    ['PATCH', `${core}/pods/p/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } }],
    ['PATCH', `${core}/pods/p/status`, { status: { phase: 'Running' } }],
    ['PATCH', `${core}/pods/p/resize`, {}],
    ['GET', '/api/v1/nodes/n/proxy/', undefined],
    ['POST', '/api/v1/nodes/n/proxy/run/default/p/c', undefined],
    ['GET', '/api/v1/nodes/n/proxy/pods', undefined],
    ['GET', `${core}/services/s/proxy/`, undefined],
    ['PUT', '/api/v1/namespaces/default/finalize', {}],
  ])('%s %s needs a right of its own', async (method, path, body) => {
    const { code, json: refusal } = await ask('operator', method, path, body, method === 'PATCH' ? merge : {});
    expect([code, refusal.reason]).toEqual([403, 'Forbidden']);
  });

  test('a signing request is approved and signed only by who may do so for its signer', async () => {
    const csrs = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    const request = Buffer.from(exampleRequest).toString('base64');
    await server.make(csrs, { metadata: { name: 'c' }, spec: { request, signerName: 'example.com/s', usages: ['client auth'] } });
    const approval = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] } };
    const refused = await ask('approver', 'PATCH', `${csrs}/c/approval`, approval, merge);
    expect([refused.code, refused.json.message]).toEqual([
      403,
      expect.stringContaining('user not permitted to approve requests with signerName "example.com/s"'),
    ]);
    const signed = await ask(
      'approver',
      'PATCH',
      `${csrs}/c/status`,
      { status: { certificate: Buffer.from(new TestAuthority().cert).toString('base64') } },
      merge,
    );
    expect([signed.code, signed.json.message]).toEqual([403, expect.stringContaining('user not permitted to sign requests with signerName "example.com/s"')]);
    const body = { spec: { request, signerName: 'example.com/s', usages: ['client auth'], username: 'admin', groups: ['system:masters'] } };
    const { json: made } = await server.ask('POST', `${csrs}?dryRun=All`, { metadata: { name: 'd' }, ...body });
    expect(made.spec).toMatchObject({ username: 'admin', groups: ['system:masters', 'system:authenticated'] });
    expect((await ask('approver', 'POST', csrs, { metadata: { name: 'e' }, ...body })).code).toBe(403);
  });
});

const exampleRequest = `-----BEGIN CERTIFICATE REQUEST-----
MIHGMG4CAQAwDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BAei08VlM27dgR56h8pHc9beWUtY1CLoGWzEFN7ZBrGsdxZuz48hmrb8Y0OLcn62
+IIO89qWe2BaXKhILX45HACgADAKBggqhkjOPQQDAgNIADBFAiBlrKYwy6NN9ALZ
B4BHLkyxG7p0bmNy3DJuhkRhFdcQSAIhANsgDVX9/UwcEbpKWCRAhDDXe0CUjRQg
kkHEKhAo24AB
-----END CERTIFICATE REQUEST-----
`;
