// A custom kind in two versions, of which one is converted by somebody who takes their time: what every verb makes of that.
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { loopbackUser } from '#api/user.ts';
import { assembleServer } from '#app/api-server.ts';
import { clientWriter } from '#app/client-writer.ts';
import { OwnClients } from '#app/own-clients.ts';
import { buildReads } from '#app/reads.ts';
import { systemTimers } from '#base/timers.ts';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { nextTurn } from '#base/next-turn.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import type { Column } from '#resource/column.ts';
import { defineResource, type SubresourceDefinition } from '#resource/definition.ts';
import { schemaFromOpenApi } from '#schema/structural/from-openapi.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { Places } from '#store/places.ts';
import { Binding } from '#kinds/core/v1/pod/binding.ts';
import { Scale } from '#kinds/autoscaling/v1/scale.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { Eviction } from '#kinds/policy/v1/eviction.ts';
import { scaleKey } from '#verbs/subresource.ts';
import { scaleObject } from '#verbs/subresources/scale.ts';
import type { TransportRequest } from '#client/transport.ts';

const schemaOf = (field: string) =>
  schemaFromOpenApi(
    {
      type: 'object',
      properties: { alpha: { type: 'object', properties: { uid: { type: 'string' }, size: { type: 'integer' } } }, [field]: { type: 'string' } },
    },
    ObjectMeta,
  );

const names = { group: 'rules.example', kind: 'Thing', plural: 'things', singular: 'thing', namespaced: true };
const schemas = { status: Status, binding: Binding, eviction: Eviction, scale: Scale, scaleColumns: [] };
const storage = { version: 'v1', prefix: 'rules.example/things', hash: '' };

const strategy = { selectableFields: { now: (object: KubernetesObject) => String(object['now']) } };
const name: Column = { name: 'Name', type: 'string', read: ({ metadata }) => metadata.name };

function scaleAt(replicas: string, selector: string): SubresourceDefinition {
  const scale = { specReplicas: ['alpha', replicas], statusReplicas: ['status', replicas], selector: [selector] };
  return { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'], scale };
}

interface Converter {
  readonly batches: number[];
  broken: boolean;
}

/** v1 has `now` where v1beta1 has `before`. */
function definitions(converter: Converter) {
  const renamed = async (object: KubernetesObject, from: string, to: string) => {
    await nextTurn();
    if (converter.broken) throw new Error('the converter is broken');
    const { [from]: value, ...rest } = object;
    return value === undefined ? rest : { ...rest, [to]: value };
  };
  const conversion = {
    toHub: (object: KubernetesObject) => renamed(object, 'before', 'now'),
    fromHub: (object: KubernetesObject) => renamed(object, 'now', 'before'),
    allFromHub: (objects: readonly KubernetesObject[]) => {
      converter.batches.push(objects.length);
      return Promise.all(objects.map((object) => renamed(object, 'now', 'before')));
    },
  };
  return [
    defineResource({ ...names, version: 'v1', schema: schemaOf('now'), storage, strategy, subresources: [scaleAt('size', 'now')], columns: [name] }),
    defineResource({
      ...names,
      version: 'v1beta1',
      schema: schemaOf('before'),
      storage,
      conversion,
      subresources: [scaleAt('size', 'before')],
      columns: [name, { name: 'Before', type: 'string', read: (object) => object['before'] }],
      selectableFields: [],
    }),
  ];
}

function serve() {
  const converter: Converter = { batches: [], broken: false };
  const catalog = new ResourceCatalog([...builtinResources, ...definitions(converter)]);
  const base = { clock: systemClock, timers: systemTimers, log: silentLog, gate: () => true };
  const own = new OwnClients();
  const api = assembleServer({
    reads: buildReads({ ...base, places: new Places(openMemoryStore()), catalog }),
    own,
    writer: clientWriter(own.as(own.self, 'kube-apiserver'), catalog),
    authenticator: async () => loopbackUser,
    localAuthenticator: async () => loopbackUser,
    authorizer: async () => ({ decision: 'allow', reason: '' }),
    plugins: [],
    handlers: new Map([[scaleKey, scaleObject(schemas)]]),
    requestTimeoutMs: 10_000,
    minRequestTimeoutSeconds: 60,
    documents: () => async () => {},
  });
  const ask = async (method: TransportRequest['method'], path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await api.transport({
      method,
      path: `/apis/rules.example/${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: Buffer.from(JSON.stringify(body)) }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.chunks) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return { status: response.code, text, json: () => JSON.parse(text) as Record<string, never> };
  };
  return { converter, ask, [Symbol.asyncDispose]: () => api.close() };
}

const thing = (version: string, fields: object) => ({ apiVersion: `rules.example/${version}`, kind: 'Thing', metadata: { name: 'a' }, ...fields });
const [v1, beta] = ['v1/namespaces/default/things', 'v1beta1/namespaces/default/things'];

describe('a version that is converted by somebody else', () => {
  test('is written and read in both versions', async () => {
    await using server = serve();
    const created = await server.ask('POST', beta, thing('v1beta1', { alpha: { uid: 'x' }, before: 'b' }));
    expect([created.status, created.json()]).toMatchObject([201, { apiVersion: 'rules.example/v1beta1', before: 'b', alpha: { uid: 'x' } }]);
    expect((await server.ask('GET', `${v1}/a`)).json()).toMatchObject({
      apiVersion: 'rules.example/v1',
      now: 'b',
      alpha: { uid: 'x' },
      metadata: { resourceVersion: '2' },
    });
    await server.ask('PUT', `${beta}/a`, thing('v1beta1', { before: 'c' }));
    expect((await server.ask('GET', `${v1}/a`)).json()).toMatchObject({ now: 'c' });
    await server.ask('PATCH', `${beta}/a`, { before: 'd' }, { 'content-type': 'application/merge-patch+json' });
    expect((await server.ask('GET', `${v1}/a`)).json()).toMatchObject({ now: 'd' });
  });

  test('is applied, with owners that wrote in the other version', async () => {
    await using server = serve();
    const apply = (path: string, manager: string, body: object) =>
      server.ask('PATCH', `${path}/a?fieldManager=${manager}`, body, { 'content-type': 'application/apply-patch+yaml' });
    await apply(v1, 'new', thing('v1', { now: 'n' }));
    const contested = await apply(beta, 'old', thing('v1beta1', { before: 'o' }));
    expect([contested.status, contested.json()]).toMatchObject([409, { message: expect.stringContaining('conflict with "new": .now') as string }]);
    const agreed = await apply(beta, 'old', thing('v1beta1', { before: 'n' }));
    expect([agreed.status, agreed.json()]).toMatchObject([200, { before: 'n' }]);
    await apply(v1, 'new', thing('v1', {}));
    expect((await server.ask('GET', `${v1}/a`)).json()).toMatchObject({ now: 'n' });
    await apply(beta, 'old', thing('v1beta1', {}));
    expect((await server.ask('GET', `${v1}/a`)).json()).not.toHaveProperty('now');
  });

  test('is listed in batches, items with their type, keys sorted', async () => {
    await using server = serve();
    const bodies = Array.from({ length: 120 }, (_, i) => ({ ...thing('v1', { now: `n${i}` }), metadata: { name: `t${i}` } }));
    for (const body of bodies) await server.ask('POST', v1, body);
    const listed = await server.ask('GET', beta);
    const list = listed.json() as unknown as { items: { apiVersion: string; before: string }[] };
    expect(Object.keys(list)).toEqual(['apiVersion', 'items', 'kind', 'metadata']);
    expect(list).toMatchObject({ apiVersion: 'rules.example/v1beta1', kind: 'ThingList', metadata: { continue: '' } });
    expect(list.items.map(({ before }) => before).toSorted()).toEqual(bodies.map((_, i) => `n${i}`).toSorted());
    expect(list.items[0]).toMatchObject({ apiVersion: 'rules.example/v1beta1', kind: 'Thing' });
    expect(server.converter.batches).toEqual([120]);
    expect(Object.keys((await server.ask('GET', v1)).json())).toEqual(['apiVersion', 'items', 'kind', 'metadata']);
  });

  test('is watched in order, what is there first in one batch', async () => {
    await using server = serve();
    for (const name of ['a', 'b', 'c']) await server.ask('POST', v1, { ...thing('v1', { now: name }), metadata: { name } });
    const watching = server.ask('GET', `${beta}?watch=1&timeoutSeconds=1`);
    for (let i = 0; i < 20; i++) await nextTurn();
    await server.ask('PUT', `${v1}/a`, thing('v1', { now: 'a2' }));
    await server.ask('DELETE', `${v1}/b`);
    const events = (await watching).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; object: { before: string } });
    expect(events.map(({ type, object }) => `${type} ${object.before}`)).toEqual(['ADDED a', 'ADDED b', 'ADDED c', 'MODIFIED a2', 'DELETED b']);
    expect(server.converter.batches[0]).toBe(3);
  });

  test('has columns, selectable fields and paths of its Scale of its own', async () => {
    await using server = serve();
    await server.ask('POST', v1, thing('v1', { now: 'n', alpha: { size: 2 }, status: { size: 1 } }));
    const table = (path: string) => server.ask('GET', path, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect((await table(beta)).json()).toMatchObject({ rows: [{ cells: ['a', 'n'] }] });
    expect((await table(v1)).json()).toMatchObject({ rows: [{ cells: ['a'] }] });
    expect([(await server.ask('GET', `${v1}?fieldSelector=now=n`)).status, (await server.ask('GET', `${beta}?fieldSelector=now=n`)).status]).toEqual([
      200, 400,
    ]);
    expect((await server.ask('GET', `${beta}/a/scale`)).json()).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { selector: 'n' } });
    const scaled = await server.ask('PATCH', `${beta}/a/scale`, { spec: { replicas: 5 } }, { 'content-type': 'application/merge-patch+json' });
    expect([scaled.status, scaled.json()]).toMatchObject([200, { spec: { replicas: 5 } }]);
    expect((await server.ask('GET', `${v1}/a`)).json()).toMatchObject({ now: 'n', alpha: { size: 5 } });
    await server.ask('PUT', `${v1}/a`, thing('v1', { now: 'n' }));
    expect((await server.ask('GET', `${v1}/a/scale`)).json()).toMatchObject({
      code: 500,
      message: 'Internal error occurred: the spec replicas field ".alpha.size" does not exist',
    });
  });

  test('that cannot be converted is an error, in a list and in a watch', async () => {
    await using server = serve();
    await server.ask('POST', v1, thing('v1', { now: 'n' }));
    server.converter.broken = true;
    expect((await server.ask('GET', beta)).status).toBe(500);
    const { text } = await server.ask('GET', `${beta}?watch=1&timeoutSeconds=5`);
    expect(JSON.parse(text)).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', message: expect.stringContaining('the converter is broken') as string },
    });
    expect((await server.ask('GET', `${v1}/a`)).status).toBe(200);
  });
});
