// The four patches over the wire; how each merges is tested in src/patch.
import { describe, expect, test } from 'vitest';
import { applyPatch, apiUnderTest, jsonPatch, mergePatch, strategicPatch } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const configMaps = async () => `/api/v1/namespaces/${await api.namespace()}/configmaps`;
const deployment = (name: string) => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
});

describe('every patch', () => {
  test('of what does not exist is 404', async () => {
    const path = await configMaps();
    for (const type of [mergePatch, strategicPatch]) expect((await api.ask('PATCH', `${path}/none`, { data: { x: '1' } }, type)).code).toBe(404);
    expect((await api.ask('PATCH', `${path}/none`, [], jsonPatch)).code).toBe(404);
  });

  test('that changes nothing keeps the version', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' }, data: { x: '1' } });
    const { body } = await api.ask('PATCH', `${path}/a`, { data: { x: '1' } }, mergePatch);
    expect(body.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test('with an older version in it is refused, without one tried again until it fits', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' } });
    const writes = Array.from({ length: 10 }, (_, i) => api.ask('PATCH', `${path}/a`, { data: { [`k${i}`]: '1' } }, mergePatch));
    expect((await Promise.all(writes)).map(({ code }) => code)).toEqual(Array(10).fill(200));
    expect(Object.keys((await api.get(`${path}/a`)).body.data ?? {})).toHaveLength(10);
    const old = { metadata: { resourceVersion: metadata.resourceVersion }, data: { x: '1' } };
    expect((await api.ask('PATCH', `${path}/a`, old, mergePatch)).code).toBe(409);
  });

  test('as a rehearsal changes nothing', async () => {
    const path = await configMaps();
    const before = await api.make(path, { metadata: { name: 'a' } });
    expect((await api.ask('PATCH', `${path}/a?dryRun=All`, { data: { x: '1' } }, mergePatch)).body.data).toEqual({ x: '1' });
    expect((await api.get(`${path}/a`)).body).toEqual(before);
  });

  test('of another type is 415', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('PATCH', `${path}/a`, {}, { type: 'application/json' });
    expect([code, body.reason]).toEqual([415, 'UnsupportedMediaType']);
  });
});

describe('a JSON patch', () => {
  test('does its operations in order, all or none', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' }, data: { x: '1', y: '2' } });
    const operations = [
      { op: 'test', path: '/data/x', value: '1' },
      { op: 'add', path: '/data/z', value: '3' },
      { op: 'move', from: '/data/x', path: '/data/w' },
      { op: 'copy', from: '/data/y', path: '/data/v' },
      { op: 'replace', path: '/data/y', value: '9' },
    ];
    expect((await api.ask('PATCH', `${path}/a`, operations, jsonPatch)).body.data).toEqual({ v: '2', w: '1', y: '9', z: '3' });
    const failing = [
      { op: 'remove', path: '/data/z' },
      { op: 'test', path: '/data/y', value: 'no' },
    ];
    expect((await api.ask('PATCH', `${path}/a`, failing, jsonPatch)).code).toBe(422);
    expect((await api.get(`${path}/a`)).body.data).toHaveProperty('z');
  });

  test('sees the nulls that clients see', async () => {
    const namespace = await api.namespace();
    const path = `/api/v1/namespaces/${namespace}/events`;
    await api.make(path, { metadata: { name: 'a' }, involvedObject: { namespace }, message: 'x' });
    const { code, body } = await api.ask(
      'PATCH',
      `${path}/a`,
      [
        { op: 'test', path: '/eventTime', value: null },
        { op: 'replace', path: '/message', value: 'y' },
      ],
      jsonPatch,
    );
    expect([code, body.message]).toEqual([200, 'y']);
  });
});

describe('a strategic merge patch', () => {
  test('finds list items by their key', async () => {
    const path = `/apis/apps/v1/namespaces/${await api.namespace()}/deployments`;
    await api.make(path, deployment('a'));
    const patch = {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'side', image: 'side:1' },
              { name: 'web', image: 'web:2' },
            ],
          },
        },
      },
    };
    const { body } = await api.ask('PATCH', `${path}/a`, patch, strategicPatch);
    const images = body.spec.template.spec.containers.map(({ name, image }) => [name, image]);
    expect(Object.fromEntries(images)).toEqual({ web: 'web:2', side: 'side:1' });
    const removal = { spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } } };
    expect((await api.ask('PATCH', `${path}/a`, removal, strategicPatch)).body.spec.template.spec.containers).toHaveLength(1);
  });
});

test('a strategic patch names unknown fields in the order of their names, without the keys of maps above them', async () => {
  const path = '/apis/resource.k8s.io/v1/resourceslices';
  const name = 'warned-slice';
  const attributes = { 'example.org/a': { string: 'x' } };
  await api.make(path, {
    metadata: { name },
    spec: { driver: 'd.example.org', nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1 }, devices: [{ name: 'one', attributes }] },
  });
  const patch = { spec: { zoo: 1, devices: [{ name: 'one', attributes: { 'example.org/a': { string: 'x', stranger: 1 } } }], apple: 1 } };
  const { body } = await api.ask('PATCH', `${path}/${name}?fieldValidation=Strict`, patch, strategicPatch);
  await api.ask('DELETE', `${path}/${name}`);
  const unknown = ['unknown field "spec.apple"', 'unknown field "spec.devices[0].attributes.stranger"', 'unknown field "spec.zoo"'];
  expect(body.message).toContain(`strict decoding error: ${unknown.join(', ')}`);
});

test('a strategic patch that takes the version away is refused for kinds that want one', async () => {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${await api.namespace()}/leases`;
  await api.make(path, { metadata: { name: 'a' } });
  const { code, body } = await api.ask('PATCH', `${path}/a`, { $patch: 'replace', metadata: { name: 'a' } }, strategicPatch);
  expect([code, body.message]).toEqual([
    422,
    'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ]);
});

describe('apply', () => {
  const apply = (path: string, object: object, manager: string, more = '') => api.ask('PATCH', `${path}?fieldManager=${manager}${more}`, object, applyPatch);
  const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

  test('makes what is not there, and needs a manager', async () => {
    const path = await configMaps();
    expect((await apply(`${path}/a`, configMap('a', { x: '1' }), 'one')).code).toBe(201);
    const { code, body } = await api.ask('PATCH', `${path}/a`, configMap('a', {}), applyPatch);
    expect([code, body.message]).toEqual([422, 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch']);
  });

  test('hears of everything that is wrong with its options at once', async () => {
    const { body } = await api.ask('PATCH', `${await configMaps()}/a?dryRun=x&fieldValidation=y`, configMap('a', {}), applyPatch);
    expect(body.details.causes.map(({ field }) => field)).toEqual(['fieldManager', 'dryRun', 'fieldValidation']);
  });

  test('of a field another manager applied is a conflict, unless it is forced or means the same', async () => {
    const path = await configMaps();
    await apply(`${path}/a`, configMap('a', { x: '1' }), 'one');
    expect((await apply(`${path}/a`, configMap('a', { x: '1' }), 'two')).code).toBe(200);
    const refused = await apply(`${path}/a`, configMap('a', { x: '2' }), 'two');
    expect([refused.code, refused.body.message]).toEqual([409, 'Apply failed with 1 conflict: conflict with "one": .data.x']);
    expect(refused.body.details.causes).toEqual([{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' }]);
    const forced = await apply(`${path}/a`, configMap('a', { x: '2' }), 'two', '&force=true');
    expect([forced.code, forced.body.data]).toEqual([200, { x: '2' }]);
    expect(forced.body.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['two']);
  });

  test('takes away what its manager no longer applies, if nobody else holds it', async () => {
    const path = await configMaps();
    await apply(`${path}/a`, configMap('a', { mine: '1', ours: '2' }), 'one');
    await apply(`${path}/a`, configMap('a', { ours: '2' }), 'two');
    expect((await apply(`${path}/a`, configMap('a', {}), 'one')).body.data).toEqual({ ours: '2' });
  });

  test('twice the same keeps the version', async () => {
    const path = await configMaps();
    const first = await apply(`${path}/a`, configMap('a', { x: '1' }), 'one');
    const second = await apply(`${path}/a`, configMap('a', { x: '1' }), 'one');
    expect(second.body).toEqual(first.body);
  });

  test('an update by another manager takes the field over', async () => {
    const path = await configMaps();
    await apply(`${path}/a`, configMap('a', { x: '1' }), 'one');
    await api.ask('PATCH', `${path}/a?fieldManager=editor`, { data: { x: '2' } }, mergePatch);
    const refused = await apply(`${path}/a`, configMap('a', { x: '1' }), 'one');
    expect([refused.code, refused.body.message]).toEqual([409, 'Apply failed with 1 conflict: conflict with "editor" using v1: .data.x']);
  });

  test('over a plain creation keeps what was there before the first apply', async () => {
    const path = await configMaps();
    await api.make(`${path}?fieldManager=creator`, { metadata: { name: 'a' }, data: { x: '1' } });
    const { body } = await apply(`${path}/a`, configMap('a', { y: '2' }), 'one');
    expect(body.data).toEqual({ x: '1', y: '2' });
    expect(body.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`).toSorted()).toEqual(['creator Update', 'one Apply']);
  });
});

test('a patch may leave the kind out, and hears what became of another one', async () => {
  const path = `/api/v1/namespaces/${await api.namespace()}/configmaps`;
  await api.make(path, { metadata: { name: 'kinds' } });
  const merge = async (patch: object) => api.ask('PATCH', `${path}/kinds`, patch, mergePatch);
  expect((await merge({ kind: '' })).code).toBe(200);
  expect((await merge({ kind: null })).code).toBe(200);
  expect((await merge({ kind: 'Secret' })).body.message).toContain('converting (v1.Secret) to (core.ConfigMap): unknown conversion');
  expect((await merge({ kind: 'Bogus' })).body.message).toContain('no kind "Bogus" is registered for version "v1"');
  expect((await merge({ apiVersion: null })).code).toBe(400);
});

test('a definition that is nested deeper than free JSON may be takes every patch', async () => {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  let spec: object = { type: 'string' };
  for (let level = 0; level < 500; level++) spec = { type: 'object', properties: { a: spec } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }];
  const definition = { metadata: { name: 'wells.deep.io' }, spec: { group: 'deep.io', scope: 'Cluster', names: { plural: 'wells', kind: 'Well' }, versions } };
  await api.make(path, definition);
  const add = [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }];
  expect((await api.ask('PATCH', `${path}/wells.deep.io`, add, jsonPatch)).body.metadata.labels).toEqual({ a: 'b' });
  expect((await api.ask('PATCH', `${path}/wells.deep.io`, { metadata: { labels: { a: 'c' } } }, mergePatch)).body.metadata.labels).toEqual({ a: 'c' });
  const wrong = [{ op: 'add', path: '/spec/scope', value: 5 }];
  expect((await api.ask('PATCH', `${path}/wells.deep.io`, wrong, jsonPatch)).code).toBe(422);
});

test('an object that a patch has spoilt is quoted as Go writes JSON', async () => {
  const path = await configMaps();
  await api.make(path, { metadata: { name: 'quoted' }, data: { x: '<a>&' } });
  for (const [body, type] of [
    [{ data: { y: '<b>', z: 5 } }, mergePatch],
    [
      [
        { op: 'add', path: '/data/y', value: '<b>' },
        { op: 'add', path: '/data/z', value: 5 },
      ],
      jsonPatch,
    ],
  ] as const) {
    const { body: refusal } = await api.ask('PATCH', `${path}/quoted`, body, type);
    expect(refusal.message).toContain(String.raw`\"data\":{\"x\":\"\\u003ca\\u003e\\u0026\",\"y\":\"\\u003cb\\u003e\",\"z\":5}`);
  }
});
