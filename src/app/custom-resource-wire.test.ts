// Custom resources over the wire where they are answered otherwise than built-in kinds.
import { expect, test, vi } from 'vitest';
import { apiUnderTest } from '../../test/support/api-under-test.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api = apiUnderTest();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
let count = 0;

async function define(version: object = {}): Promise<{ readonly apiVersion: string; readonly path: string }> {
  const group = `wire${++count}.example.com`;
  const properties = { v: { type: 'string', default: 'x' }, n: { type: 'string' }, q: { type: 'integer' } };
  const openAPIV3Schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties }, status: { type: 'object', properties: { q: { type: 'integer' } } } },
  };
  await api.make(definitions, {
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...version }],
    },
  });
  const path = `/apis/${group}/v1/things`;
  while ((await api.get(path)).code !== 200);
  return { apiVersion: `${group}/v1`, path };
}

test('a body must name its version and a kind; another kind is for validation to refuse', async () => {
  const { apiVersion, path } = await define();
  const refusal = async (body: object) => {
    const { code, body: answer } = await api.ask('POST', path, body);
    return [code, answer.message];
  };
  expect(await refusal({ kind: 'Thing' })).toEqual([400, `the API version in the data () does not match the expected API version (${apiVersion})`]);
  expect(await refusal({ apiVersion })).toEqual([400, expect.stringContaining("Object 'Kind' is missing in")]);
  expect(await refusal({ apiVersion, kind: 'Other', metadata: { name: 'a' } })).toEqual([
    422,
    expect.stringContaining('kind: Invalid value: "Other": must be Thing'),
  ]);
  expect(await refusal({ apiVersion, kind: 'Thing' })).toEqual([422, expect.stringContaining('name or generateName is required')]);
});

test('a version that is null, or begins with a slash, is refused in words of its own', async () => {
  const { apiVersion, path } = await define();
  const refusal = async (said: unknown) => (await api.ask('POST', path, { apiVersion: said, kind: 'Thing', metadata: { name: 'a' } })).body.message;
  const accessor = '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
  expect(await refusal(null)).toBe(`Thing in version "" cannot be handled as a Thing: ${accessor}`);
  expect(await refusal('/v1')).toBe(`the API version in the data (v1) does not match the expected API version (${apiVersion})`);
  await api.make(path, { apiVersion, kind: 'Thing', metadata: { name: 'a' } });
  const patched = async (at: string, value: unknown) => {
    const { code, body } = await api.ask('PATCH', `${path}/a`, [{ op: 'add', path: at, value }], { type: 'application/json-patch+json' });
    return [code, body.message] as const;
  };
  expect(await patched('/apiVersion', null)).toEqual([422, expect.stringContaining(`: ${accessor}`)]);
  expect(await patched('/apiVersion', 5)).toEqual([422, expect.stringContaining('cannot unmarshal number into Go struct field .apiVersion of type string')]);
  expect(await patched('/apiVersion', 'x/y/z')).toEqual([422, expect.stringContaining('unexpected GroupVersion string: x/y/z')]);
  expect(await patched('/apiVersion', '/v1')).toEqual([422, expect.stringContaining('Thing "a" is invalid: apiVersion: Invalid value: "v1": must be ')]);
  expect(await patched('/kind', '')).toEqual([422, expect.stringContaining("Object 'Kind' is missing in '{")]);
  expect(await patched('/metadata', null)).toEqual([400, 'the name of the object (a based on URL) was undeterminable: name must be provided']);
});

test('a Scale that cannot be read is refused in one way, a value that is no number as Go prints it', async () => {
  const scale = { specReplicasPath: '.spec.q', statusReplicasPath: '.status.q' };
  const { apiVersion, path } = await define({ subresources: { status: {}, scale } });
  await api.make(path, { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: { q: 1 } });
  for (const body of [
    { apiVersion, kind: 'Thing', metadata: { name: 'a' } },
    { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 'x' } },
  ]) {
    const { code, body: answer } = await api.ask('PUT', `${path}/a/scale`, body);
    expect([code, answer.message]).toEqual([400, 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"']);
  }
  const wrong = await api.ask('PATCH', `${path}/a`, { spec: { q: [1, 'a', null] } }, { type: 'application/merge-patch+json' });
  expect(wrong.body.message).toContain('.spec.q accessor error: [1 a <nil>] is of the type []interface {}, expected int64');
  const { body } = await api.get(`${path}/a/scale`, { accept: table });
  expect(body.columnDefinitions).toMatchObject([
    { name: 'Name', type: 'string', format: 'name' },
    { name: 'Desired', type: 'integer', format: '' },
    { name: 'Available', type: 'integer', format: '' },
    { name: 'Age', type: 'date', format: '' },
  ]);
});

test('null that was applied is judged, null that was sent is left out', async () => {
  const { apiVersion, path } = await define();
  const object = { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: { v: null, n: null } };
  const applied = await api.ask('PATCH', `${path}/a?fieldManager=m`, object, { type: 'application/apply-patch+yaml' });
  expect([applied.code, applied.body.message]).toEqual([422, expect.stringContaining('spec.n in body must be of type string: "null"')]);
  expect((await api.make(path, object)).spec).toEqual({ v: 'x' });
});

test('a column whose path cannot be read ends the columns, those before it say what they show', async () => {
  const columns = [
    { name: 'V', type: 'string', jsonPath: '.spec.v' },
    { name: 'Broken', type: 'string', jsonPath: '.spec.v[' },
    { name: 'N', type: 'string', jsonPath: '.spec.n' },
  ];
  const { apiVersion, path } = await define({ additionalPrinterColumns: columns });
  await api.make(path, { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: { v: 'y' } });
  const { columnDefinitions, rows } = (await api.get(path, { accept: table })).body;
  expect(columnDefinitions).toMatchObject([{ name: 'Name' }, { name: 'V', description: 'Custom resource definition column (in JSONPath format): .spec.v' }]);
  expect(rows.map(({ cells }) => cells)).toEqual([['a', 'y']]);
});

test('cells show objects as Go writes JSON, and no age for a date that is empty', async () => {
  const columns = [
    { name: 'Spec', type: 'string', jsonPath: '.spec' },
    { name: 'Since', type: 'date', jsonPath: '.spec.v' },
  ];
  const { apiVersion, path } = await define({ additionalPrinterColumns: columns });
  await api.make(path, { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: { v: '', n: '<&>' } });
  await api.make(path, { apiVersion, kind: 'Thing', metadata: { name: 'b' }, spec: { v: 'soon' } });
  const { rows } = (await api.get(path, { accept: table })).body;
  expect(rows.map(({ cells }) => cells.slice(1))).toEqual([
    ['{"n":"\\u003c\\u0026\\u003e","v":""}', '<unknown>'],
    ['{"v":"soon"}', '<invalid>'],
  ]);
});

test('a status that is dropped on create has its default none the less', async () => {
  const status = { type: 'object', default: { q: 1 }, properties: { q: { type: 'integer' } } };
  const openAPIV3Schema = { type: 'object', properties: { status } };
  const { apiVersion, path } = await define({ schema: { openAPIV3Schema }, subresources: { status: {} } });
  const object = { apiVersion, kind: 'Thing', metadata: { name: 'a' }, status: { q: 5 } };
  expect((await api.ask('POST', `${path}?dryRun=All`, object)).body.status).toEqual({ q: 1 });
  expect((await api.make(path, object)).status).toEqual({ q: 1 });
  expect((await api.get(`${path}/a`)).body.status).toEqual({ q: 1 });
});

test('a deprecated version warns of the highest one above it that is served and not deprecated', async () => {
  const { apiVersion } = await define();
  const [group = ''] = apiVersion.split('/');
  const schema = { openAPIV3Schema: { type: 'object' } };
  const version = (name: string, more: object = {}) => ({ name, served: true, storage: false, schema, ...more });
  const versions = [
    version('v2beta1', { deprecated: true }),
    version('v1', { storage: true }),
    version('v2'),
    version('v10', { served: false }),
    version('v3', { deprecated: true }),
  ];
  await api.make(definitions, {
    metadata: { name: `items.${group}` },
    spec: { group, scope: 'Cluster', names: { plural: 'items', kind: 'Item' }, versions },
  });
  while ((await api.get(`/apis/${group}/v3/items`)).code !== 200);
  const warningOf = async (name: string) => (await api.get(`/apis/${group}/${name}/items`)).headers['warning'];
  expect(await warningOf('v2beta1')).toBe(`299 - "${group}/v2beta1 Item is deprecated; use ${group}/v2 Item"`);
  expect(await warningOf('v3')).toBe(`299 - "${group}/v3 Item is deprecated"`);
});

test('a Scale may be written without a version, also where there are no replicas yet, and is shown as a Table', async () => {
  const scale = { specReplicasPath: '.spec.q', statusReplicasPath: '.status.q' };
  const { apiVersion, path } = await define({ subresources: { scale, status: {} } });
  await api.make(path, { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: {} });
  const wanted = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 3 } };
  const put = await api.ask('PUT', `${path}/a/scale`, wanted);
  expect([put.code, put.body.spec]).toEqual([200, { replicas: 3 }]);
  expect((await api.get(`${path}/a/scale`, { accept: table })).body.rows[0]?.cells.slice(0, 3)).toEqual(['a', 3, 0]);
});

test('POST to a name is a create of whatever the object is called, once', async () => {
  const { apiVersion, path } = await define();
  const object = { apiVersion, kind: 'Thing', metadata: { name: 'a' } };
  const created = await api.ask('POST', `${path}/other`, object);
  expect([created.code, created.body.metadata.name]).toEqual([201, 'a']);
  const again = await api.ask('POST', `${path}/other`, object);
  expect([again.code, again.body.message]).toEqual([409, expect.stringContaining('"a" already exists')]);
  expect((await api.get(`${path}/other`)).code).toBe(404);
});

test('the Scale of a custom object has no protobuf of its own, but its metadata has', async () => {
  const scale = { specReplicasPath: '.spec.q', statusReplicasPath: '.status.q' };
  const { apiVersion, path } = await define({ subresources: { scale } });
  await api.make(path, { apiVersion, kind: 'Thing', metadata: { name: 'a' }, spec: { q: 1 } });
  const protobuf = 'application/vnd.kubernetes.protobuf';
  expect((await api.get(`${path}/a/scale`, { accept: protobuf })).code).toBe(406);
  expect((await api.get(`${path}/a/scale`, { accept: `${protobuf}, application/json` })).body).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
  expect((await api.get(`${path}/a/scale`, { accept: `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1` })).code).toBe(200);
});

test('what is changed must be named; what kind of patch it is is looked at before', async () => {
  const { path } = await define();
  const refusal = async (method: string, type: string) => {
    const { code, body } = await api.ask(method, path, {}, { type });
    return [code, body.message];
  };
  expect(await refusal('PATCH', 'application/json')).toEqual([
    415,
    'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  ]);
  expect(await refusal('PATCH', 'application/merge-patch+json')).toEqual([400, 'name must be provided']);
  expect(await refusal('PUT', 'application/json')).toEqual([400, 'name must be provided']);
});
