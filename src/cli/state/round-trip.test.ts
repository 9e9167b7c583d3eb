// What export and import make of the state of a server: the same objects in another one.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { exportState } from '#cli/state/export-state.ts';
import { importState } from '#cli/state/import-state.ts';
import { documentOf, objectsIn } from '#cli/state/state-file.ts';
import { type StateObject, titleOf } from '#cli/state/state-object.ts';
import { RestMapper } from '#client/rest-mapper.ts';
import type { RestClient } from '#client/rest-client.ts';
import { DynamicClient } from '#client/dynamic-client.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

const silent = { report: () => {}, end: () => {} };
const servers: ServerInTest[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server[Symbol.asyncDispose]())));

async function start(...flags: string[]): Promise<RestClient> {
  const server = await ServerInTest.start({ flags });
  servers.push(server);
  return server.server.api.client;
}

async function stateOf(client: RestClient): Promise<readonly StateObject[]> {
  const texts: string[] = [];
  const summary = await exportState(client, async (object) => void texts.push(documentOf(object)), silent);
  expect(summary).toMatchObject({ objects: texts.length, missing: [], isOneMoment: true });
  return [...objectsIn(texts.join(''))];
}

function importInto(client: RestClient, objects: readonly StateObject[]) {
  // A definition is served before its status says so; requests in process alone would leave no turn for that to be stored.
  return importState(objects, { client, mapper: new RestMapper(client), wait: (milliseconds) => pause(milliseconds) }, silent);
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
};
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };

async function fill(client: RestClient): Promise<void> {
  const objects = new DynamicClient(client, new RestMapper(client));
  const owner = ({ apiVersion, kind, metadata: { name = '', uid = '' } }: StateObject) => ({ apiVersion, kind, name, uid, controller: true });
  await objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', labels: { of: 'us' } } });
  await objects.create(definition);
  // It is served before its status says so, and what is compared is what was stored.
  await expect
    .poll(() => objects.get<StateObject>(definition, '', definition.metadata.name), { timeout: 10_000 })
    .toMatchObject({
      status: { conditions: expect.arrayContaining([expect.objectContaining({ type: 'Established', status: 'True' })]) as object },
    });
  const widget = await objects.create<StateObject>({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'team' },
    spec: { size: 3 },
  });
  await objects.update({ ...widget, status: { observedGeneration: 1, conditions: [{ type: 'Ready', observedGeneration: 1 }] } }, 'status');
  const owned = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'of-w', namespace: 'team', ownerReferences: [owner(widget)], finalizers: ['example.com/keep'] },
  };
  await objects.create({ ...owned, data: { owner: widget.metadata.uid ?? '' } });
  await objects.apply(
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'team' }, spec: { selector: { matchLabels: { a: 'b' } }, template } },
    { fieldManager: 'deployer' },
  );
  const pod = await objects.create<StateObject>({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'team' },
    spec: { containers: [container] },
  });
  await objects.update({ ...pod, status: { phase: 'Running', podIP: '10.9.9.9' } }, 'status');
  await objects.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'team' }, stringData: { password: 'hunter2' } });
  await objects.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'svc', namespace: 'team' },
    spec: { ports: [{ port: 80 }], selector: { a: 'b' } },
  });
  await objects.create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'team' }, spec: { hard: { configmaps: '1' } } });
  await objects.create({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'team' },
    involvedObject: { kind: 'Pod', namespace: 'team', name: 'p', uid: pod.metadata.uid },
    reason: 'Seen',
    type: 'Normal',
  });
}

/** With names in the place of uids, and without what a server says for itself: also when a field was last written. */
function comparable(objects: readonly StateObject[]): object {
  const titles = new Map(objects.map((object) => [object.metadata.uid, `uid of ${titleOf(object)}`]));
  const named = (value: unknown): unknown => {
    if (typeof value === 'string') return titles.get(value) ?? value;
    if (Array.isArray(value)) return value.map(named);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, key === 'time' ? 'some time' : named(one)]));
  };
  const kept = objects.map(({ metadata, ...object }) => {
    const { resourceVersion: _r, creationTimestamp: _c, generation: _g, ...rest } = metadata;
    const status = object.kind === 'CustomResourceDefinition' ? {} : object['status'];
    return [titleOf({ ...object, metadata }), named({ ...object, status, metadata: rest })] as const;
  });
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

test('an export that is imported into an empty server is exported again as the same, with owners, status and managers of fields', async () => {
  const first = await start();
  await fill(first);
  const state = await stateOf(first);
  const second = await start();
  const { refused } = await importInto(second, [...state].reverse());
  expect(refused).toEqual([]);
  const again = await stateOf(second);
  expect(comparable(again)).toEqual(comparable(state));
  const child = again.find(({ metadata: { name } }) => name === 'of-w');
  const widget = again.find(({ kind }) => kind === 'Widget');
  expect(child).toMatchObject({ metadata: { ownerReferences: [{ uid: widget?.metadata.uid }] }, data: { owner: widget?.metadata.uid } });
}, 60_000);

test('an import into the same server changes nothing, and one over a changed object brings it back', async () => {
  const client = await start();
  await fill(client);
  const state = await stateOf(client);
  expect(await importInto(client, state)).toEqual({ created: 0, updated: state.length, refused: [] });
  expect(await stateOf(client)).toEqual(state);
  const objects = new DynamicClient(client, new RestMapper(client));
  const secret = state.find(({ metadata: { name } }) => name === 's');
  await objects.update({ ...(secret as StateObject), data: {}, metadata: { name: 's', namespace: 'team' } });
  await importInto(client, state);
  expect((await objects.get<StateObject>({ apiVersion: 'v1', kind: 'Secret' }, 'team', 's'))['data']).toEqual(secret?.['data']);
}, 60_000);

test('what the server refuses is told by name, and the rest is imported', async () => {
  const client = await start();
  const good = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'good', namespace: 'default' } };
  const { created, refused } = await importInto(client, [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'Bad!', namespace: 'default' } },
    { apiVersion: 'nobody.example/v1', kind: 'Knows', metadata: { name: 'x' } },
    good,
  ]);
  expect(created).toBe(1);
  expect(refused).toEqual([
    { title: 'ConfigMap default/Bad!', why: expect.stringContaining('Invalid value: "Bad!"') },
    { title: 'Knows x', why: 'no matches for kind "Knows" in version "nobody.example/v1"' },
  ]);
});

test('an owner that the file does not have is forgotten, so that nobody collects the object for it', async () => {
  const client = await start();
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'nobody' }];
  await importInto(client, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'orphan', namespace: 'default', ownerReferences } }]);
  const orphan = await client.get<StateObject>({ group: '', version: 'v1', resource: 'configmaps', namespaced: true }, 'default', 'orphan');
  expect(orphan.metadata.ownerReferences).toBeUndefined();
});
