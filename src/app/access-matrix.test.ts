// Everybody against everything: each resource and verb is really asked for, over TLS, and the answer held against rules
// that this test computes itself from the recorded policy.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Attempt, maySee, mayDo, type Person, policy, related, type Rule, rulesOfRole } from '../../test/support/expected-access.ts';
import { type AnsweredObject, ServerInTest } from '../../test/support/server-in-test.ts';

/** Thousands of requests, and the machine may be busy. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';
const authenticated = 'system:authenticated';
const users = 'view,viewer,1,\nedit,editor,2,\nadmin-of-ns,ns-admin,3,\nnobody,nobody,4,\nkubelet,system:node:n1,5,system:nodes\n';

/** What the service account is given: wide and narrow, with names, wildcards and subresources. */
const accountRules: readonly Rule[] = [
  { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'pods/log'] },
  { verbs: ['*'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['only'] },
  { verbs: ['get', 'patch'], apiGroups: ['*'], resources: ['*/scale'] },
  { verbs: ['*'], apiGroups: ['batch'], resources: ['*'] },
  { verbs: ['deletecollection', 'watch'], apiGroups: ['apps', 'autoscaling'], resources: ['deployments', 'horizontalpodautoscalers'] },
  { verbs: ['create', 'escalate', 'bind'], apiGroups: [apiGroup], resources: ['roles'] },
];

const bound = (role: string, name: string): Person => ({ name, groups: [authenticated], granted: { default: rulesOfRole(role) } });
const accountName = 'system:serviceaccount:default:worker';
const people: Readonly<Record<string, Person>> = {
  view: bound('view', 'viewer'),
  edit: bound('edit', 'editor'),
  'admin-of-ns': bound('admin', 'ns-admin'),
  nobody: { name: 'nobody', groups: [authenticated] },
  kubelet: { name: 'system:node:n1', groups: ['system:nodes', authenticated] },
  worker: { name: accountName, groups: ['system:serviceaccounts', 'system:serviceaccounts:default', authenticated], granted: { default: accountRules } },
};
/** Which objects each of them tries. */
const namesOf: Readonly<Record<string, readonly string[]>> = { kubelet: [related, 'n1', 'other'], worker: ['only', 'other'] };

interface Resource {
  readonly group: string;
  readonly name: string;
  readonly prefix: string;
  readonly namespaced: boolean;
}

let server: ServerInTest;
let resources: readonly Resource[];
let workerToken: string;
const tokenOf = (who: string) => (who === 'worker' ? workerToken : who);

beforeAll(async () => {
  server = await ServerInTest.start({ users, flags: ['--controllers=clusterrole-aggregation-controller'] });
  for (const [role, user] of [
    ['view', 'viewer'],
    ['edit', 'editor'],
    ['admin', 'ns-admin'],
  ] as const)
    await bind(role, { kind: 'ClusterRole', name: role }, { apiGroup, kind: 'User', name: user });
  await server.make(`${rbac}/namespaces/default/roles`, { metadata: { name: 'worker' }, rules: accountRules });
  await bind('worker', { kind: 'Role', name: 'worker' }, { kind: 'ServiceAccount', name: 'worker', namespace: 'default' });
  await server.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'worker' } });
  workerToken = (await server.make('/api/v1/namespaces/default/serviceaccounts/worker/token', { spec: {} })).status.token;
  await makeRelated();
  resources = await discover();
  for (const role of ['view', 'edit', 'admin'])
    await vi.waitFor(async () => expect((await server.ask('GET', `${rbac}/clusterroles/${role}`)).json.rules?.length).toBe(countOf(role)), { timeout: 60_000 });
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Aggregation takes each rule once. */
function countOf(role: string): number {
  return new Set(rulesOfRole(role).map((rule) => JSON.stringify(rule))).size;
}

function bind(name: string, role: object, subject: object): Promise<AnsweredObject> {
  return server.make(`${rbac}/namespaces/default/rolebindings`, { metadata: { name }, roleRef: { apiGroup, ...role }, subjects: [subject] });
}

/** A pod of the node, and everything that a node may see because of it. */
async function makeRelated(): Promise<void> {
  const metadata = { name: related };
  const volumes = [
    { name: 's', secret: { secretName: related } },
    { name: 'c', configMap: { name: related } },
    { name: 'p', persistentVolumeClaim: { claimName: related } },
  ];
  const containers = [{ name: 'c', image: 'i' }];
  const spec = { nodeName: 'n1', serviceAccountName: related, containers, volumes, resourceClaims: [{ name: 'r', resourceClaimName: related }] };
  await server.make('/api/v1/namespaces/default/pods', { metadata, spec });
  const hostPath = { path: '/x' };
  const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath, claimRef: { namespace: 'default', name: related } };
  await server.make('/api/v1/persistentvolumes', { metadata, spec: volume });
  await server.make('/apis/storage.k8s.io/v1/volumeattachments', { metadata, spec: { attacher: 'a', nodeName: 'n1', source: { persistentVolumeName: 'v' } } });
  const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
  await server.make('/apis/resource.k8s.io/v1/resourceslices', { metadata, spec: { driver: 'd.example', nodeName: 'n1', pool } });
}

async function discover(): Promise<readonly Resource[]> {
  const { groups } = (await server.ask('GET', '/apis')).json;
  const versions = ['v1', ...groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion))];
  const found: Resource[] = [];
  for (const version of versions) {
    const prefix = version === 'v1' ? '/api/v1' : `/apis/${version}`;
    const group = version === 'v1' ? '' : (version.split('/')[0] ?? '');
    for (const { name, namespaced } of (await server.ask('GET', prefix)).json.resources) found.push({ group, name, prefix, namespaced });
  }
  return found;
}

interface Asked extends Attempt {
  readonly method: string;
  readonly path: string;
}

/** All of them are refused later, for their body or a parameter, when they are not refused for who asks. */
function attemptsOn(resource: Resource, names: readonly string[]): Asked[] {
  const { group, name: full, prefix, namespaced } = resource;
  const [plural = '', subresource] = full.split('/');
  const spaces = !namespaced ? [''] : plural === 'leases' ? ['default', 'kube-node-lease'] : ['default'];
  return spaces.flatMap((space) => {
    const base = `${prefix}${space === '' ? '' : `/namespaces/${space}`}/${plural}`;
    const on = (verb: string, method: string, path: string, more: Partial<Attempt> = {}): Asked => {
      const about = { group, resource: full, namespace: space, name: '', ...more };
      // A namespace that the path names is in itself.
      return { verb, method, path, ...about, ...(plural === 'namespaces' && path.includes(`/${about.name}`) && { namespace: about.name }) };
    };
    const objects = (plural === 'namespaces' ? ['default'] : names).flatMap((name) => {
      const path = `${base}/${name}${subresource === undefined ? '' : `/${subresource}`}`;
      const single = [on('get', 'GET', path, { name }), on('update', 'PUT', path, { name }), on('patch', 'PATCH', path, { name })];
      const gone = on('delete', 'DELETE', `${path}?dryRun=x`, { name });
      return [...single, gone, ...(subresource === undefined ? byName(on, base, name) : [on('create', 'POST', path, { name })])];
    });
    return subresource === undefined ? [...objects, ...collection(on, base), ...(names.includes('n1') ? byNode(on, base) : [])] : objects;
  });
}

type On = (verb: string, method: string, path: string, more?: Partial<Attempt>) => Asked;

function collection(on: On, base: string): Asked[] {
  return [
    on('list', 'GET', `${base}?limit=1`),
    on('watch', 'GET', `${base}?watch=1&resourceVersion=x`),
    on('create', 'POST', base),
    on('deletecollection', 'DELETE', `${base}?dryRun=x`),
  ];
}

function byName(on: On, base: string, name: string): Asked[] {
  const selector = `fieldSelector=metadata.name%3D${name}`;
  return [on('list', 'GET', `${base}?${selector}`, { name }), on('watch', 'GET', `${base}?watch=1&resourceVersion=x&${selector}`, { name })];
}

function byNode(on: On, base: string): Asked[] {
  const verbs: [string, string, string][] = [
    ['list', 'GET', `${base}?`],
    ['watch', 'GET', `${base}?watch=1&resourceVersion=x&`],
    ['deletecollection', 'DELETE', `${base}?dryRun=x&`],
  ];
  return ['n1', 'n2'].flatMap((ofNode) => verbs.map(([verb, method, path]) => on(verb, method, `${path}fieldSelector=spec.nodeName%3D${ofNode}`, { ofNode })));
}

/** Several at once, over as many connections. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

describe('every resource and verb is answered by the rules', () => {
  test.each(Object.keys(people))('for %s', async (who) => {
    const person = people[who] as Person;
    const attempts = resources.flatMap((resource) => attemptsOn(resource, namesOf[who] ?? ['other']));
    const wrong: string[] = [];
    let allowed = 0;
    await eachOf(attempts, async (attempt) => {
      const { method, path, verb, resource } = attempt;
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const { code, text } = await server.ask(method, path, method === 'GET' || method === 'DELETE' ? undefined : '', { token: tokenOf(who), type });
      const refused = code === 403 && text.includes(`cannot ${verb} resource \\"${resource}\\"`);
      if (!refused) allowed += 1;
      if (refused === mayDo(person, attempt)) wrong.push(`${method} ${path}: ${code} ${text.slice(0, 200)}`);
    });
    expect(wrong).toEqual([]);
    expect(attempts.length).toBeGreaterThan(900);
    expect(allowed).toBeGreaterThan(who === 'nobody' ? 2 : 40);
    expect(allowed).toBeLessThan(attempts.length / 2);
  });
});

describe('reviews say the same, also about verbs that no request has', () => {
  const special: readonly [string, string, string][] = [
    ...['approve', 'sign', 'attest'].map((verb): [string, string, string] => [verb, 'certificates.k8s.io', 'signers']),
    ...['bind', 'escalate'].flatMap((verb) => ['roles', 'clusterroles'].map((name): [string, string, string] => [verb, apiGroup, name])),
    ...['users', 'groups', 'serviceaccounts'].map((name): [string, string, string] => ['impersonate', '', name]),
    ...['uids', 'userextras/scopes'].map((name): [string, string, string] => ['impersonate', 'authentication.k8s.io', name]),
    ['use', 'policy', 'podsecuritypolicies'],
    ['*', '', 'pods'],
    ['get', '*', '*'],
    ['get', '', 'nonsense'],
  ];

  test.each(Object.keys(people))('for %s', async (who) => {
    const person = people[who] as Person;
    const subresources = [...new Map(resources.filter(({ name }) => name.includes('/')).map((one) => [`${one.group}/${one.name}`, one])).values()];
    const odd = subresources.flatMap(({ group, name }) => ['list', 'watch', 'deletecollection'].map((verb): [string, string, string] => [verb, group, name]));
    const wrong: string[] = [];
    await eachOf([...special, ...odd], async ([verb, group, resource]) => {
      const [plural, subresource] = resource.split('/');
      const resourceAttributes = { verb, group, resource: plural, ...(subresource && { subresource }), namespace: 'default' };
      const spec = { user: person.name, groups: person.groups, resourceAttributes };
      const { status } = await server.make('/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec });
      const expected = mayDo(person, { verb, group, resource, namespace: 'default', name: '' });
      if (status.allowed !== expected) wrong.push(`${verb} ${resource}.${group}: ${status.allowed}`);
    });
    expect(wrong).toEqual([]);
  });
});

test('paths that are no resources are answered by the rules', async () => {
  const paths = [
    '/',
    '/api',
    '/api/',
    '/apis',
    '/apis/apps/v1',
    '/version',
    '/healthz',
    '/healthz/ping',
    '/livez',
    '/readyz',
    '/metrics',
    '/openapi/v2',
    '/logs',
  ];
  const more = ['/openid/v1/jwks', '/.well-known/openid-configuration', '/debug/pprof/', '/nonsense', '/versions', '/metrics/slis', '/flagz', '/statusz'];
  const anonymous: Person = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
  for (const [who, person] of [...Object.entries(people), ['', anonymous] as const])
    for (const path of [...paths, ...more]) {
      const { code } = await server.ask('GET', path, undefined, { token: tokenOf(who) });
      expect([who, path, code !== 403]).toEqual([who, path, maySee(person, path)]);
    }
});

describe('the first start makes the recorded', () => {
  const places = {
    ClusterRole: () => `${rbac}/clusterroles`,
    ClusterRoleBinding: () => `${rbac}/clusterrolebindings`,
    Role: (namespace: string) => `${rbac}/namespaces/${namespace}/roles`,
    RoleBinding: (namespace: string) => `${rbac}/namespaces/${namespace}/rolebindings`,
  };
  const recorded = policy as unknown as Record<keyof typeof places, readonly Record<string, unknown>[]>;
  const aggregating = new Set(['view', 'edit', 'admin']);

  test.each(Object.keys(places) as (keyof typeof places)[])('%s objects', async (kind) => {
    for (const { name, namespace, labels, annotations, ...content } of recorded[kind]) {
      const { json } = await server.ask('GET', `${places[kind](String(namespace))}/${String(name)}`);
      const { metadata, apiVersion: _, kind: __, ...stored } = json as unknown as Record<string, unknown>;
      expect(metadata).toMatchObject({ name, ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) });
      const { rules: ___, ...fixed } = content;
      expect([name, stored]).toEqual([name, aggregating.has(String(name)) ? expect.objectContaining(fixed) : content]);
    }
    const { items } = (await server.ask('GET', kind.startsWith('Cluster') ? places[kind]('') : `${rbac}/${kind.toLowerCase()}s`)).json;
    const own = new Set(['view', 'edit', 'admin', 'worker']);
    const made = items.filter(({ metadata }) => kind.startsWith('Cluster') || !own.has(metadata.name)).map(({ metadata }) => metadata.name);
    expect(made.sort()).toEqual(recorded[kind].map(({ name }) => String(name)).sort());
  });
});
