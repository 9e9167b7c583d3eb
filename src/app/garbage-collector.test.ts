import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=garbage-collector-controller'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 50 };
const maps = '/api/v1/namespaces/default/configmaps';
const merge = { type: 'application/merge-patch+json' };
const jobs = '/apis/batch/v1/namespaces/default/jobs';

interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion?: boolean;
}
interface Owned {
  readonly metadata: { readonly uid: string; readonly ownerReferences?: readonly Reference[]; readonly deletionTimestamp?: string };
}

async function read(path: string): Promise<Owned | undefined> {
  const { code, json } = await server.ask('GET', path);
  return code === 404 ? undefined : (json as unknown as Owned);
}

/** A config map with these owners; returns a reference to it. */
async function made(name: string, ...owners: readonly Reference[]): Promise<Reference> {
  await server.make(maps, { metadata: { name, ownerReferences: owners } });
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: (await read(`${maps}/${name}`))?.metadata.uid ?? '' };
}

/** Resolves when the collector has worked off what it was told before: an object without owner goes after the others. */
async function collected(): Promise<void> {
  const name = `last-${Math.random().toString(36).slice(2)}`;
  await made(name, { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'was-there' });
  await expect.poll(() => read(`${maps}/${name}`), soon).toBeUndefined();
}

test('in the background what an owner owned goes after it, and what that owned', async () => {
  const owner = await made('b');
  await made('b-child', await made('b-middle', owner));
  await server.ask('DELETE', `${maps}/b`);
  await expect.poll(() => read(`${maps}/b-middle`), soon).toBeUndefined();
  await expect.poll(() => read(`${maps}/b-child`), soon).toBeUndefined();
});

test('an object with another owner stays and no longer names the one that is gone', async () => {
  const [gone, stays] = [await made('s-gone'), await made('s-stays')];
  await made('s-child', gone, stays);
  await server.ask('DELETE', `${maps}/s-gone`);
  await expect.poll(async () => (await read(`${maps}/s-child`))?.metadata.ownerReferences?.map(({ name }) => name), soon).toEqual(['s-stays']);
});

test('in the foreground the owner goes last, and only what blocks it is waited for', async () => {
  const owner = await made('f');
  await server.make(maps, { metadata: { name: 'f-child', finalizers: ['example.com/held'], ownerReferences: [{ ...owner, blockOwnerDeletion: true }] } });
  await made('f-other', owner);
  await server.ask('DELETE', `${maps}/f?propagationPolicy=Foreground`);
  await expect.poll(async () => (await read(`${maps}/f-child`))?.metadata.deletionTimestamp, soon).toBeDefined();
  await expect.poll(() => read(`${maps}/f-other`), soon).toBeUndefined();
  expect(await read(`${maps}/f`)).toBeDefined();
  await server.ask('PATCH', `${maps}/f-child`, { metadata: { finalizers: null } }, merge);
  await expect.poll(() => read(`${maps}/f`), soon).toBeUndefined();
});

test('a deletion that orphans leaves what was owned, without owner; the bare DELETE of a Job is one', async () => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  await server.make(jobs, { metadata: { name: 'j' }, spec: { template } });
  const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: (await read(`${jobs}/j`))?.metadata.uid ?? '' };
  await made('j-child', job);
  await server.ask('DELETE', `${jobs}/j`);
  await expect.poll(() => read(`${jobs}/j`), soon).toBeUndefined();
  await collected();
  expect((await read(`${maps}/j-child`))?.metadata.ownerReferences).toBeUndefined();
});

test('an owner that was made again is another: only its uid counts; one in another namespace is none', async () => {
  const owner = await made('again');
  await server.ask('DELETE', `${maps}/again`);
  await made('again');
  await made('again-child', owner);
  await expect.poll(() => read(`${maps}/again-child`), soon).toBeUndefined();
  await server.make('/api/v1/namespaces', { metadata: { name: 'elsewhere' } });
  const far = '/api/v1/namespaces/elsewhere/configmaps';
  const here = await made('here');
  await server.make(far, { metadata: { name: 'far', ownerReferences: [here] } });
  await expect.poll(() => read(`${far}/far`), soon).toBeUndefined();
});

test('an owner of a kind that is not served may live: what it owns stays; so does what lies in the cluster and names an owner in a namespace', async () => {
  await made('unknown', { apiVersion: 'example.com/v1', kind: 'Nothing', name: 'n', uid: 'n' });
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'no-such', uid: 'no-such' };
  await server.make('/api/v1/namespaces', { metadata: { name: 'owned', ownerReferences: [owner] } });
  await collected();
  expect(await read(`${maps}/unknown`)).toBeDefined();
  expect((await read('/api/v1/namespaces/owned'))?.metadata.deletionTimestamp).toBeUndefined();
});

test('a circle in the foreground does not wait for itself', async () => {
  const first = await made('circle-1');
  const second = await made('circle-2', { ...first, blockOwnerDeletion: true });
  await server.ask('PATCH', `${maps}/circle-1`, { metadata: { ownerReferences: [{ ...second, blockOwnerDeletion: true }] } }, merge);
  await server.ask('DELETE', `${maps}/circle-1?propagationPolicy=Foreground`);
  for (const name of ['circle-1', 'circle-2']) await expect.poll(() => read(`${maps}/${name}`), soon).toBeUndefined();
});

test('custom kinds own and are owned, as soon as they are served', async () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const names = { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const definition = { metadata: { name: 'boats.example.com' }, spec: { group: 'example.com', scope: 'Namespaced', names, versions } };
  await server.make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  const boats = '/apis/example.com/v1/namespaces/default/boats';
  await expect.poll(async () => (await server.ask('GET', boats)).code, soon).toBe(200);
  const boat = async (name: string, ...ownerReferences: readonly Reference[]) => {
    await server.make(boats, { apiVersion: 'example.com/v1', kind: 'Boat', metadata: { name, ownerReferences } });
    return { apiVersion: 'example.com/v1', kind: 'Boat', name, uid: (await read(`${boats}/${name}`))?.metadata.uid ?? '' };
  };
  await made('cargo', await boat('tender', await boat('ship')));
  await server.ask('DELETE', `${boats}/ship?propagationPolicy=Background`);
  await expect.poll(() => read(`${boats}/tender`), soon).toBeUndefined();
  await expect.poll(() => read(`${maps}/cargo`), soon).toBeUndefined();
});
