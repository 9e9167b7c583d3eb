import { describe, expect, test } from 'vitest';
import { apiUnderTest, mistake } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const configMaps = async () => `/api/v1/namespaces/${await api.namespace()}/configmaps`;

test('an object gets a uid, a time, a version and an entry for its manager', async () => {
  const path = await configMaps();
  const { code, body } = await api.ask('POST', `${path}?fieldManager=me`, { metadata: { name: 'a' }, data: { k: 'v' } });
  expect(code).toBe(201);
  expect(body).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1', data: { k: 'v' } });
  expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
  expect(body.metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
  expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(body.metadata.managedFields).toMatchObject([{ manager: 'me', operation: 'Update', fieldsV1: { 'f:data': { '.': {}, 'f:k': {} } } }]);
  expect((await api.get(`${path}/a`)).body).toEqual(body);
});

test('what only the server may say is not taken from the client', async () => {
  const path = await configMaps();
  const own = { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', deletionTimestamp: '2001-01-01T00:00:00Z', selfLink: '/x' };
  const { metadata } = await api.make(path, { metadata: { name: 'a', ...own } });
  expect(metadata.uid).not.toBe('mine');
  expect(metadata.creationTimestamp).not.toContain('2001');
  expect(metadata).not.toHaveProperty('deletionTimestamp');
  expect(metadata).not.toHaveProperty('selfLink');
});

test('a name that is taken is refused with 409', async () => {
  const path = await configMaps();
  await api.make(path, { metadata: { name: 'a' } });
  const { code, body } = await api.ask('POST', path, { metadata: { name: 'a' } });
  expect(code).toBe(409);
  expect(body).toMatchObject({ kind: 'Status', reason: 'AlreadyExists', message: 'configmaps "a" already exists', details: { name: 'a', kind: 'configmaps' } });
});

test('generateName is completed by five characters, and a given name goes first', async () => {
  const path = await configMaps();
  const names = await Promise.all(
    Array.from({ length: 20 }, () => api.make(path, { metadata: { generateName: 'gen-' } }).then(({ metadata }) => metadata.name)),
  );
  for (const name of names) expect(name).toMatch(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  expect(new Set(names).size).toBe(20);
  expect((await api.make(path, { metadata: { name: 'given', generateName: 'gen-' } })).metadata.name).toBe('given');
});

test('neither name nor generateName is refused', async () => {
  const { code, body } = await api.ask('POST', await configMaps(), { metadata: {} });
  expect([code, body.message]).toEqual([422, 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required']);
});

test('the namespace of the path counts, and another one in the body is refused', async () => {
  const path = await configMaps();
  const { metadata } = await api.make(path, { metadata: { name: 'a' } });
  expect(path).toContain(metadata.namespace);
  const { code, body } = await api.ask('POST', path, { metadata: { name: 'b', namespace: 'default' } });
  expect([code, body.message]).toEqual([400, 'the namespace of the provided object does not match the namespace sent on the request']);
});

test('a namespace that does not exist is 404', async () => {
  const { code, body } = await api.ask('POST', '/api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'a' } });
  expect([code, body.message]).toEqual([404, 'namespaces "nowhere" not found']);
});

test('a resourceVersion is refused', async () => {
  const { code, body } = await api.ask('POST', await configMaps(), { metadata: { name: 'a', resourceVersion: '5' } });
  expect([code, body.message]).toEqual([mistake, 'resourceVersion should not be set on objects to be created']);
});

test('a rehearsal answers like the real thing and stores nothing', async () => {
  const path = await configMaps();
  const { code, body } = await api.ask('POST', `${path}?dryRun=All`, { metadata: { name: 'a' } });
  expect(code).toBe(201);
  expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
  expect(body.metadata.resourceVersion).toBeUndefined();
  expect((await api.get(`${path}/a`)).code).toBe(404);
  const wrong = await api.ask('POST', `${path}?dryRun=Some`, { metadata: { name: 'a' } });
  expect([wrong.code, wrong.body.message]).toEqual([
    422,
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
  ]);
});

test('an unknown field warns by default, is refused when Strict and ignored when Ignore', async () => {
  const path = await configMaps();
  const object = (name: string) => `{"metadata":{"name":"${name}"},"nope":1,"data":{"a":"1","a":"2"}}`;
  const warned = await api.ask('POST', path, object('a'));
  expect([warned.code, warned.headers['warning']]).toEqual([201, '299 - "unknown field \\"nope\\"", 299 - "duplicate field \\"data.a\\""']);
  const strict = await api.ask('POST', `${path}?fieldValidation=Strict`, object('b'));
  expect([strict.code, strict.body.message]).toEqual([
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "nope", duplicate field "data.a"',
  ]);
  const ignored = await api.ask('POST', `${path}?fieldValidation=Ignore`, object('c'));
  expect([ignored.code, ignored.headers['warning'], ignored.body.data]).toEqual([201, undefined, { a: '2' }]);
});

test('another kind or version in the body is refused', async () => {
  const path = await configMaps();
  const secret = await api.ask('POST', path, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
  expect([secret.code, secret.body.message]).toEqual([
    400,
    'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  ]);
  for (const [apiVersion, kind] of [
    ['v1', 'List'],
    ['v1', 'Status'],
    ['apps/v1', 'DeleteOptions'],
  ]) {
    const { body } = await api.ask('POST', path, { apiVersion, kind, metadata: { name: 'a' } });
    expect(body.message).toBe(`${kind} in version "v1" cannot be handled as a ConfigMap: converting (v1.${kind}) to (core.ConfigMap): unknown conversion`);
  }
  const older = await api.ask('POST', path, { apiVersion: 'v0', kind: 'ConfigMap', metadata: { name: 'a' } });
  expect(older.code).toBe(400);
});

test.each([
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'v1/Pod', 'no kind "Pod" is registered for version "v1"'],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'apps/v1/DeleteOptions', 'no kind "DeleteOptions" is registered for version "apps/v1"'],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions', 'v1/Status', 'converting (v1.Status) to (apiextensions.CustomResourceDefinition)'],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    'apiextensions.k8s.io/v1beta1/DeleteOptions',
    'converting (v1.DeleteOptions) to (apiextensions.CustomResourceDefinition)',
  ],
  ['/apis/apiregistration.k8s.io/v1/apiservices', 'v1/ConfigMap', 'no kind "ConfigMap" is registered for version "v1"'],
  ['/apis/apiregistration.k8s.io/v1/apiservices', 'apiregistration.k8s.io/v1beta1/APIService', 'does not match the expected API version'],
  [
    '/api/v1/namespaces/default/configmaps',
    'apiregistration.k8s.io/v1/APIService',
    'no kind "APIService" is registered for version "apiregistration.k8s.io/v1"',
  ],
])('who reads the objects of %s says of %s: %s', async (path, type, said) => {
  const [, apiVersion, kind] = /^(.*)\/(.*?)$/.exec(type) ?? [];
  const { code, body } = await api.ask('POST', path, { apiVersion, kind, metadata: { name: 'a' } });
  expect([code, body.message]).toEqual([400, expect.stringContaining(said)]);
});

test('a prefix that makes no good name is refused once, not again for the label of a namespace', async () => {
  const { body } = await api.ask('POST', '/api/v1/namespaces?dryRun=All', { metadata: { generateName: 'a:b' } });
  expect(body.details.causes.map(({ field }) => field)).toEqual(['metadata.generateName', 'metadata.name']);
});

test('warnings about fields with letters beyond ASCII travel as UTF-8', async () => {
  const { headers } = await api.ask('POST', await configMaps(), { metadata: { name: 'a' }, ünï: 1 });
  expect(Buffer.from(String(headers['warning']), 'latin1').toString()).toBe('299 - "unknown field \\"ünï\\""');
});

describe('the old annotation for AppArmor', () => {
  const annotation = 'container.apparmor.security.beta.kubernetes.io/c';
  const warning = `299 - "metadata.annotations[${annotation}]: deprecated since v1.30; use the \\"appArmorProfile\\" field instead"`;
  const made = async (profile: string, podProfile?: string, own?: string) => {
    const context = (type?: string) => (type === undefined ? {} : { securityContext: { appArmorProfile: { type } } });
    const spec = { containers: [{ name: 'c', image: 'i', ...context(own) }], ...context(podProfile) };
    const body = { metadata: { name: 'a', annotations: { [annotation]: profile } }, spec };
    const { code, headers } = await api.ask('POST', `/api/v1/namespaces/${await api.namespace()}/pods`, body);
    return [code, headers['warning']];
  };

  test('is warned of even when the pod is refused', async () => {
    expect(await made('unconfined')).toEqual([201, warning]);
    expect(await made('unconfined', 'RuntimeDefault')).toEqual([201, warning]);
    expect(await made('nonsense')).toEqual([422, warning]);
  });

  test('is not warned of where a field says the same', async () => {
    expect(await made('unconfined', 'Unconfined')).toEqual([201, undefined]);
    expect(await made('unconfined', undefined, 'Unconfined')).toEqual([201, undefined]);
  });
});

describe('subresources of pods and workloads', () => {
  const podIn = async () => {
    const path = `/api/v1/namespaces/${await api.namespace()}/pods`;
    await api.make(path, { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    return path;
  };

  test('an eviction in another namespace is refused', async () => {
    const { code, body } = await api.ask('POST', `${await podIn()}/a/eviction`, { metadata: { name: 'a', namespace: 'other' } });
    expect([code, body.message]).toEqual([400, 'the namespace of the provided object does not match the namespace sent on the request']);
  });

  test('a binding of another version of the pod is a conflict about the pod, a second one about the binding', async () => {
    const path = `${await podIn()}/a/binding`;
    const bound = (metadata: object) => api.ask('POST', path, { metadata: { name: 'a', ...metadata }, target: { name: 'n' } });
    expect((await bound({ resourceVersion: '1' })).body.message).toMatch(/^Operation cannot be fulfilled on pods "a": StorageError: .*Precondition failed/);
    expect((await bound({})).code).toBe(201);
    expect((await bound({})).body.message).toMatch(/^Operation cannot be fulfilled on pods\/binding "a": pod a is already assigned/);
  });

  test('a pod that has run is completed in a Table', async () => {
    const path = await podIn();
    const table = async () => (await api.get(path, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' })).body.rows;
    expect((await table())[0]).not.toHaveProperty('conditions');
    await api.ask('PATCH', `${path}/a/status`, { status: { phase: 'Succeeded' } }, { type: 'application/merge-patch+json' });
    const conditions = [{ type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' }];
    expect(await table()).toMatchObject([{ conditions }]);
  });

  test.each(['extensions/v1beta1', 'apps/v1beta2'])('a scale of %s is one of another version, not of another kind', async (apiVersion) => {
    const path = `/apis/apps/v1/namespaces/${await api.namespace()}/replicasets`;
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await api.make(path, { metadata: { name: 'a' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    const { body } = await api.ask('PUT', `${path}/a/scale`, { apiVersion, kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 2 } });
    expect(body.message).toBe(`the API version in the data (${apiVersion}) does not match the expected API version (autoscaling/v1)`);
  });
});
