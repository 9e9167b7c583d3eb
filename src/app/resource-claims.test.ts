// Claims for devices: made from templates, reserved for pods that have a node, freed when these are done.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
const pods = '/api/v1/namespaces/default/pods';
const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const templates = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=resourceclaim-controller,garbagecollector'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus.example.com' } }] };
const allocation = { devices: { results: [{ request: 'gpu', driver: 'example.com', pool: 'p', device: 'd' }] } };

async function pod(name: string, resourceClaims: readonly object[], spec: object = {}): Promise<void> {
  await server.make(pods, { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], resourceClaims, ...spec } });
}

/** As the stored object, whose fields the test knows. */
async function read<T>(path: string): Promise<T> {
  return JSON.parse((await server.ask('GET', path)).text) as T;
}

interface Claim {
  readonly metadata: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly allocation?: object; readonly reservedFor?: readonly { readonly name: string }[] };
}

const claimOf = async (name: string) => {
  const { status } = await read<{ readonly status: { readonly resourceClaimStatuses?: readonly { readonly resourceClaimName: string }[] } }>(`${pods}/${name}`);
  return status.resourceClaimStatuses?.[0]?.resourceClaimName;
};
const there = async (path: string) => (await server.ask('GET', path)).code === 200;

test('a pod that names a template gets one claim of its own, and its status tells the name', async () => {
  await pod('early', [{ name: 'gpu', resourceClaimTemplateName: 'gpus' }]);
  const told = async () =>
    ((await server.ask('GET', '/api/v1/namespaces/default/events')).json.items as unknown as readonly { reason: string; message: string }[])[0];
  await expect.poll(told, soon).toMatchObject({
    reason: 'FailedResourceClaimCreation',
    message: 'PodResourceClaim gpu: resource claim template "gpus": resourceclaimtemplate.resource.k8s.io "gpus" not found',
  });
  await server.make(templates, { metadata: { name: 'gpus' }, spec: { metadata: { labels: { from: 'template' } }, spec: { devices } } });
  await expect.poll(() => claimOf('early'), soon).toMatch(/^early-gpu-.{5}$/);
  const { json } = await server.ask('GET', claims);
  expect(json.items).toHaveLength(1);
  expect(json.items?.[0]?.metadata).toMatchObject({
    labels: { from: 'template' },
    annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpu' },
    ownerReferences: [{ kind: 'Pod', name: 'early', controller: true }],
  });
});

test('an allocated claim is reserved for a pod with a node, and free again when the pod has ended', async () => {
  await server.make(claims, { metadata: { name: 'shared', finalizers: ['resource.kubernetes.io/delete-protection'] }, spec: { devices } });
  await server.ask('PATCH', `${claims}/shared/status`, { status: { allocation } }, merge);
  await pod('runs', [{ name: 'gpu', resourceClaimName: 'shared' }], { nodeName: 'n1' });
  const shared = () => read<Claim>(`${claims}/shared`);
  const reserved = async () => ((await shared()).status?.reservedFor ?? []).map(({ name }) => name);
  await expect.poll(reserved, soon).toEqual(['runs']);
  await server.ask('PATCH', `${pods}/runs/status`, { status: { phase: 'Succeeded' } }, merge);
  await expect.poll(reserved, soon).toEqual([]);
  await expect.poll(async () => (await shared()).metadata.finalizers, soon).toBeUndefined();
  expect((await shared()).status?.allocation).toBeUndefined();
});

test('a claim that was made for a pod goes when the pod has ended, and one made by hand stays', async () => {
  await pod('ends', [{ name: 'gpu', resourceClaimTemplateName: 'gpus' }]);
  await expect.poll(() => claimOf('ends'), soon).toBeDefined();
  const name = await claimOf('ends');
  await server.ask('PATCH', `${pods}/ends/status`, { status: { phase: 'Failed' } }, merge);
  await expect.poll(() => there(`${claims}/${name}`), soon).toBe(false);
  expect(await there(`${claims}/shared`)).toBe(true);
});
