// Claims and volumes find each other, and part again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';
const classes = '/apis/storage.k8s.io/v1/storageclasses';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=persistentvolume-binder,persistentvolume-expander,ephemeral-volume'] });
});
afterAll(() => server[Symbol.asyncDispose]());

async function volume(name: string, storage: string, spec: object = {}): Promise<void> {
  await server.make(volumes, {
    metadata: { name },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: `/tmp/${name}` }, storageClassName: 'of-test', ...spec },
  });
}

async function claim(name: string, storage: string, spec: object = {}): Promise<void> {
  await server.make(claims, {
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName: 'of-test', ...spec },
  });
}

/** As the stored object, whose fields the test knows. */
async function read<T>(path: string): Promise<T> {
  return JSON.parse((await server.ask('GET', path)).text) as T;
}

interface Stored {
  readonly metadata: { readonly ownerReferences?: readonly { readonly name: string }[] };
  readonly spec?: { readonly volumeName?: string; readonly storageClassName?: string };
  readonly status?: { readonly phase?: string };
}

const phaseOf = async (path: string) => (await read<Stored>(path)).status?.phase;
const boundTo = async (name: string) => {
  const { spec, status } = await read<Stored>(`${claims}/${name}`);
  return [status?.phase, spec?.volumeName] as const;
};
const told = async (name: string) => {
  const { json } = await server.ask('GET', '/api/v1/namespaces/default/events');
  const items = json.items as unknown as readonly { involvedObject: { name: string }; reason: string; message: string }[];
  return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason, message }) => `${reason}: ${message}`);
};

test('a claim gets the smallest volume that is large enough, and both say so', async () => {
  await volume('large', '10Gi');
  await volume('fitting', '2Gi');
  await volume('small', '1Gi');
  await claim('wants-two', '2Gi');
  await expect.poll(() => boundTo('wants-two'), soon).toEqual(['Bound', 'fitting']);
  expect(await phaseOf(`${volumes}/fitting`)).toBe('Bound');
  const { json } = await server.ask('GET', `${claims}/wants-two`);
  expect(json['status']).toMatchObject({ capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'] });
});

test('a claim that waits takes the volume that comes, at once', async () => {
  await claim('early', '50Gi');
  await expect.poll(() => told('early'), soon).not.toEqual([]);
  await volume('late', '50Gi');
  await expect.poll(() => boundTo('early'), { timeout: 5_000, interval: 30 }).toEqual(['Bound', 'late']);
});

test('many claims and volumes that come at once all find each other, one to one', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `n${index}`);
  await Promise.all(names.flatMap((name) => [volume(`pv-${name}`, '3Gi', { storageClassName: 'many' }), claim(name, '3Gi', { storageClassName: 'many' })]));
  await expect.poll(async () => (await Promise.all(names.map(boundTo))).filter(([phase]) => phase === 'Bound').length, soon).toBe(names.length);
  const taken = (await Promise.all(names.map(boundTo))).map(([, name]) => name);
  expect(new Set(taken).size).toBe(names.length);
});

test('with WaitForFirstConsumer a claim waits for a pod, and is bound when the scheduler has chosen a volume for it', async () => {
  await server.make(classes, { metadata: { name: 'local' }, provisioner: 'kubernetes.io/no-provisioner', volumeBindingMode: 'WaitForFirstConsumer' });
  await volume('chosen', '1Gi', { storageClassName: 'local' });
  await claim('consumed', '1Gi', { storageClassName: 'local' });
  await expect.poll(() => told('consumed'), soon).toContain('WaitForFirstConsumer: waiting for first consumer to be created before binding');
  const { json } = await server.ask('GET', `${claims}/consumed`);
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace: 'default', name: 'consumed', uid: json.metadata.uid };
  await server.ask('PATCH', `${volumes}/chosen`, { spec: { claimRef } }, merge);
  await expect.poll(() => boundTo('consumed'), soon).toEqual(['Bound', 'chosen']);
});

test('what becomes of a volume when its claim goes is said by its policy', async () => {
  for (const [name, persistentVolumeReclaimPolicy] of [
    ['stays', 'Retain'],
    ['goes', 'Delete'],
    ['again', 'Recycle'],
  ] as const) {
    await volume(name, '1Gi', { storageClassName: name, persistentVolumeReclaimPolicy });
    await claim(`of-${name}`, '1Gi', { storageClassName: name });
    await expect.poll(() => boundTo(`of-${name}`), soon).toEqual(['Bound', name]);
    await server.ask('DELETE', `${claims}/of-${name}`);
    await server.ask('PATCH', `${claims}/of-${name}`, { metadata: { finalizers: null } }, merge);
  }
  await server.ask('PATCH', `${volumes}/goes`, { metadata: { finalizers: null } }, merge);
  await expect.poll(() => phaseOf(`${volumes}/stays`), soon).toBe('Released');
  await expect.poll(async () => (await server.ask('GET', `${volumes}/goes`)).code, soon).toBe(404);
  await expect.poll(() => phaseOf(`${volumes}/again`), soon).toBe('Available');
});

test('a claim whose volume is gone is lost', async () => {
  await volume('fleeting', '1Gi', { storageClassName: 'fleeting' });
  await claim('loser', '1Gi', { storageClassName: 'fleeting' });
  await expect.poll(() => boundTo('loser'), soon).toEqual(['Bound', 'fleeting']);
  await server.ask('DELETE', `${volumes}/fleeting`);
  await server.ask('PATCH', `${volumes}/fleeting`, { metadata: { finalizers: null } }, merge);
  await expect.poll(() => phaseOf(`${claims}/loser`), soon).toBe('Lost');
  expect(await told('loser')).toContain('ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!');
});

test('a claim without a class gets the default class that comes later', async () => {
  await server.make(claims, { metadata: { name: 'undecided' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } });
  await expect.poll(() => told('undecided'), soon).not.toEqual([]);
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await server.make(classes, { metadata: { name: 'standard', annotations }, provisioner: 'example.com/disks' });
  await expect.poll(async () => (await read<Stored>(`${claims}/undecided`)).spec?.storageClassName, soon).toBe('standard');
  await expect.poll(async () => (await told('undecided')).some((text) => text.startsWith('ExternalProvisioning: ')), soon).toBe(true);
});

test('ephemeral volumes get claims that their pod owns', async () => {
  const volumeClaimTemplate = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'of-test' } };
  const spec = { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }] };
  await server.make('/api/v1/namespaces/default/pods', { metadata: { name: 'worker' }, spec });
  await expect.poll(async () => (await read<Stored>(`${claims}/worker-scratch`)).metadata?.ownerReferences?.[0]?.name, soon).toBe('worker');
});
