import { describe, expect, test } from 'vitest';
import { apiUnderTest, mergePatch } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

type Fields = Record<string, object>;

function version(name: string, fields: Fields, more: object = {}): object {
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: fields }, status: { type: 'object' } } };
  return { name, served: true, storage: name === 'v1', schema: { openAPIV3Schema }, subresources: { status: {} }, ...more };
}

function widgets(group: string, versions: readonly object[], names: object = {}) {
  return {
    metadata: { name: `widgets.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget', ...names }, versions },
  };
}

const size = { size: { type: 'integer', default: 3 } };
const text = { type: 'string' };

async function define(definition: { readonly metadata: { readonly name: string } }): Promise<void> {
  await api.make(definitions, definition);
  await until(definition.metadata.name, 'InitialNamesAccepted');
}

/** Asks until the definition says so. */
async function until(name: string, what: string): Promise<void> {
  while (!JSON.stringify((await api.get(`${definitions}/${name}`)).body).includes(`"${what}"`));
}

async function untilGone(path: string): Promise<void> {
  while ((await api.get(path)).code !== 404);
}

const widget = (group: string, name: string, spec: object, more: object = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name, ...more },
  spec,
});

function deep(levels: number): object {
  return levels === 0 ? text : { type: 'object', properties: { a: deep(levels - 1) } };
}

describe('a custom resource', () => {
  test('may have a schema of 500 levels, and goes with its definition', async () => {
    const group = 'deep.example.com';
    await define(widgets(group, [version('v1', { a: deep(500) })]));
    expect((await api.ask('POST', `/apis/${group}/v1/namespaces/${await api.namespace()}/widgets`, widget(group, 'a', {}))).code).toBe(201);
    expect((await api.ask('DELETE', `${definitions}/widgets.${group}`)).code).toBe(200);
    await untilGone(`${definitions}/widgets.${group}`);
  });

  test('loses the short names that its definition gives up', async () => {
    const group = 'renamed.example.com';
    await define(widgets(group, [version('v1', size)], { shortNames: ['wd'], categories: ['all'] }));
    await api.ask('PATCH', `${definitions}/widgets.${group}`, { spec: { names: { shortNames: null, categories: null } } }, mergePatch);
    const accepted = async () => ((await api.get(`${definitions}/widgets.${group}`)).body['status'] as { acceptedNames: object }).acceptedNames;
    while ('shortNames' in (await accepted()));
    expect(await accepted()).toEqual({ plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' });
  });

  test('is served once its definition is established: pruned, defaulted, validated, and gone with it', async () => {
    const group = 'served.example.com';
    await define(widgets(group, [version('v1', size)]));
    const path = `/apis/${group}/v1/namespaces/${await api.namespace()}/widgets`;
    const made = await api.ask('POST', path, widget(group, 'a', { extra: 1 }));
    expect(made.code).toBe(201);
    expect(made.body).toMatchObject({ spec: { size: 3 }, metadata: { generation: 1 } });
    expect(made.body['spec']).not.toHaveProperty('extra');
    expect((await api.ask('POST', path, widget(group, 'b', { size: 'x' }))).code).toBe(422);
    expect((await api.get(`/apis/${group}/v1`)).body).toMatchObject({ resources: [{ name: 'widgets', kind: 'Widget' }, { name: 'widgets/status' }] });
    expect((await api.ask('DELETE', `${definitions}/widgets.${group}`)).code).toBe(200);
    await untilGone(`${definitions}/widgets.${group}`);
    expect((await api.get(path)).text).toBe('404 page not found\n');
  });

  test('has of the metadata of a whole object in a default what is metadata, and so has its definition', async () => {
    const group = 'whole.example.com';
    const metadata = { name: 'a', odd: 1, creationTimestamp: null, labels: {} };
    const properties = { x: text };
    const whole = { type: 'object', 'x-kubernetes-embedded-resource': true, properties, default: { apiVersion: 'v1', kind: 'Any', metadata } };
    const inside = { ...whole, default: undefined, properties: { metadata: { type: 'object', default: metadata } } };
    await define(widgets(group, [version('v1', { whole, inside })]));
    const { spec } = (await api.get(`${definitions}/widgets.${group}`)).body as unknown as { spec: { versions: [{ schema: object }] } };
    expect(spec.versions[0].schema).toMatchObject({
      openAPIV3Schema: {
        properties: {
          spec: {
            properties: {
              whole: { default: { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' } } },
              inside: { properties: { metadata: { default: metadata } } },
            },
          },
        },
      },
    });
    const made = await api.make(
      `/apis/${group}/v1/namespaces/${await api.namespace()}/widgets`,
      widget(group, 'a', { inside: { apiVersion: 'v1', kind: 'Any' } }),
    );
    expect(made['spec']).toEqual({
      whole: { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' } },
      inside: { apiVersion: 'v1', kind: 'Any', metadata: { name: 'a' } },
    });
  });

  test('is read under the schema of now: old versions converted, defaults filled in, what is unknown dropped', async () => {
    const group = 'old.example.com';
    const name = `widgets.${group}`;
    await define(widgets(group, [version('v1', { ...size, gone: text }), version('v2', { ...size, gone: text })]));
    const path = `/apis/${group}/v1/namespaces/${await api.namespace()}/widgets`;
    await api.make(path, widget(group, 'a', { gone: 'x' }));
    const changed = { later: { type: 'string', default: 'later' }, ...size };
    const versions = [version('v1', changed, { storage: false }), version('v2', changed, { storage: true })];
    expect((await api.ask('PATCH', `${definitions}/${name}`, { spec: { versions } }, mergePatch)).body).toMatchObject({
      status: { storedVersions: ['v1', 'v2'] },
    });
    while (!JSON.stringify((await api.get(`${path}/a`)).body).includes('later"'));
    for (const asked of ['v1', 'v2']) {
      const { body } = await api.get(`${path.replace('/v1/', `/${asked}/`)}/a`);
      expect(body).toMatchObject({ apiVersion: `${group}/${asked}`, metadata: { generation: 1 } });
      expect(body.spec).toEqual({ later: 'later', size: 3 });
    }
    expect((await api.ask('PATCH', `${path}/a`, { metadata: { labels: { a: 'b' } } }, mergePatch)).body).toMatchObject({ metadata: { generation: 1 } });
  });

  test('of a definition that goes takes nothing new, and the definition waits for the last object', async () => {
    const group = 'going.example.com';
    const name = `widgets.${group}`;
    await define(widgets(group, [version('v1', size)]));
    const path = `/apis/${group}/v1/namespaces/${await api.namespace()}/widgets`;
    await api.make(path, widget(group, 'held', {}, { finalizers: ['example.com/hold'] }));
    await api.ask('DELETE', `${definitions}/${name}`);
    await until(name, 'InstanceDeletionInProgress');
    const refused = await api.ask('POST', path, widget(group, 'late', {}));
    expect([refused.code, refused.body.message]).toEqual([
      403,
      `widgets.${group} "late" is forbidden: create not allowed while custom resource definition is terminating`,
    ]);
    while ((await api.get(`${path}/held`)).body.metadata.deletionTimestamp === undefined);
    await api.ask('PATCH', `${path}/held`, { metadata: { finalizers: null } }, mergePatch);
    await untilGone(`${definitions}/${name}`);
  });

  test('comes again with another schema while it is watched: the watch ends, nothing of the old schema is left', async () => {
    const group = 'again.example.com';
    const name = `widgets.${group}`;
    await define(widgets(group, [version('v1', size)]));
    const path = `/apis/${group}/v1/namespaces/${await api.namespace()}/widgets`;
    await api.make(path, widget(group, 'a', {}));
    const watch = await api.watch(`${path}?watch=1&resourceVersion=0`);
    await api.ask('DELETE', `${definitions}/${name}`);
    await untilGone(`${definitions}/${name}`);
    await define(widgets(group, [version('v1', { colour: text })]));
    expect((await watch.rest()).map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    expect((await api.make(path, widget(group, 'a', { colour: 'red', size: 5 }))).spec).toEqual({ colour: 'red' });
  });

  test('has an APIService for its group-version as long as it is served', async () => {
    const group = 'listed.example.com';
    await define(widgets(group, [version('v1', size)]));
    const service = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${group}`;
    while ((await api.get(service)).code !== 200);
    await api.ask('DELETE', `${definitions}/widgets.${group}`);
    await untilGone(service);
  });

  test('whose name is taken is established when the name becomes free', async () => {
    const group = 'names.example.com';
    await define(widgets(group, [version('v1', size)]));
    const gadgets = { plural: 'gadgets', kind: 'Gadget', shortNames: ['widget'] };
    await api.make(definitions, { ...widgets(group, [version('v1', size)], gadgets), metadata: { name: `gadgets.${group}` } });
    await until(`gadgets.${group}`, 'ShortNamesConflict');
    expect((await api.get(`/apis/${group}/v1/gadgets`)).code).toBe(404);
    await api.ask('DELETE', `${definitions}/widgets.${group}`);
    await until(`gadgets.${group}`, 'InitialNamesAccepted');
    expect((await api.get(`/apis/${group}/v1/gadgets`)).code).toBe(200);
  });
});
