// Volumes are attached to the nodes whose pods use them; the attachers of drivers are played here.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
const core = '/api/v1/namespaces/default';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=attachdetach,persistentvolume-binder'] });
  for (const name of ['n1', 'n2']) {
    const annotations = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };
    await server.make('/api/v1/nodes', { metadata: { name, annotations } });
    await server.ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, merge);
  }
});
afterAll(() => server[Symbol.asyncDispose]());

async function disk(name: string): Promise<void> {
  const shared = { accessModes: ['ReadWriteOnce'], storageClassName: name };
  const csi = { driver: 'disks.example.com', volumeHandle: `handle-${name}` };
  await server.make('/api/v1/persistentvolumes', { metadata: { name }, spec: { ...shared, capacity: { storage: '1Gi' }, csi } });
  await server.make(`${core}/persistentvolumeclaims`, { metadata: { name }, spec: { ...shared, resources: { requests: { storage: '1Gi' } } } });
}

async function pod(name: string, nodeName: string, claimName: string): Promise<void> {
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName } }];
  await server.make(`${core}/pods`, { metadata: { name }, spec: { nodeName, containers: [{ name: 'c', image: 'i' }], volumes } });
}

interface Attachment {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName: string; readonly attacher: string; readonly source: { readonly persistentVolumeName: string } };
}

async function attachmentsOf(volume: string): Promise<readonly Attachment[]> {
  const { json } = await server.ask('GET', attachments);
  return (json.items as unknown as readonly Attachment[]).filter(({ spec }) => spec.source.persistentVolumeName === volume);
}

const nodesOf = async (volume: string) => (await attachmentsOf(volume)).map(({ spec }) => spec.nodeName);

async function playAttacher(volume: string): Promise<void> {
  for (const { metadata } of await attachmentsOf(volume))
    await server.ask('PATCH', `${attachments}/${metadata.name}/status`, { status: { attached: true } }, merge);
}

const attachedTo = async (node: string) => {
  const { text } = await server.ask('GET', `/api/v1/nodes/${node}`);
  const { status } = JSON.parse(text) as { readonly status: { readonly volumesAttached?: readonly { readonly name: string }[] } };
  return (status.volumesAttached ?? []).map(({ name }) => name);
};

const told = async (name: string) => {
  const { json } = await server.ask('GET', `${core}/events`);
  const items = json.items as unknown as readonly { involvedObject: { name: string }; reason: string; message: string }[];
  return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason, message }) => `${reason}: ${message}`);
};

test('a volume is attached for a pod, the node and the pod are told, and it is detached when the pod is gone', async () => {
  await disk('data');
  await pod('user', 'n1', 'data');
  await expect.poll(() => nodesOf('data'), soon).toEqual(['n1']);
  const [attachment] = await attachmentsOf('data');
  // The sum of handle, driver and node: attachers and kubelets look for it by this name.
  expect(attachment?.metadata.name).toBe('csi-5d1514a95f58a49a58e2e69c8703e160136ef8a3bb003339803f7eeb900549f4');
  expect(await attachedTo('n1')).toEqual([]);
  await playAttacher('data');
  await expect.poll(() => attachedTo('n1'), soon).toEqual(['kubernetes.io/csi/disks.example.com^handle-data']);
  await expect.poll(() => told('user'), soon).toContain('SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "data" ');
  await server.ask('DELETE', `${core}/pods/user?gracePeriodSeconds=0`);
  await expect.poll(() => attachedTo('n1'), soon).toEqual([]);
  await expect.poll(() => nodesOf('data'), soon).toEqual([]);
});

test('a volume for one node at a time is attached to the next only when the first has given it back', async () => {
  await disk('single');
  await pod('first', 'n1', 'single');
  await expect.poll(() => nodesOf('single'), soon).toEqual(['n1']);
  await playAttacher('single');
  await expect.poll(() => attachedTo('n1'), soon).toHaveLength(1);
  await server.ask('PATCH', '/api/v1/nodes/n1/status', { status: { volumesInUse: await attachedTo('n1') } }, merge);
  await pod('second', 'n2', 'single');
  await expect.poll(() => told('second'), soon).toContain('FailedAttachVolume: Waiting for detach for volume "single" Volume is already used by pod(s) first');
  await server.ask('DELETE', `${core}/pods/first?gracePeriodSeconds=0`);
  // The kubelet of n1 has it mounted: nothing is taken away before it says otherwise.
  await pod('other', 'n2', 'data');
  await expect.poll(() => nodesOf('data'), soon).toEqual(['n2']);
  expect(await nodesOf('single')).toEqual(['n1']);
  await server.ask('PATCH', '/api/v1/nodes/n1/status', { status: { volumesInUse: null } }, merge);
  await expect.poll(() => nodesOf('single'), soon).toEqual(['n2']);
});

test('what an attacher complains about is told to the pods', async () => {
  await disk('broken');
  await pod('unlucky', 'n1', 'broken');
  await expect.poll(() => nodesOf('broken'), soon).toEqual(['n1']);
  const [attachment] = await attachmentsOf('broken');
  const attachError = { time: '2026-01-01T00:00:00Z', message: 'no such disk' };
  await server.ask('PATCH', `${attachments}/${attachment?.metadata.name}/status`, { status: { attached: false, attachError } }, merge);
  await expect.poll(() => told('unlucky'), soon).toContain('FailedAttachVolume: AttachVolume.Attach failed for volume "broken" : no such disk');
});

test('what a node that is out of service has mounted is taken away, and that is counted', async () => {
  await disk('forced');
  await pod('stuck', 'n2', 'forced');
  await expect.poll(() => nodesOf('forced'), soon).toEqual(['n2']);
  await playAttacher('forced');
  await expect.poll(() => attachedTo('n2'), soon).toContain('kubernetes.io/csi/disks.example.com^handle-forced');
  await server.ask('PATCH', '/api/v1/nodes/n2/status', { status: { volumesInUse: await attachedTo('n2') } }, merge);
  await server.ask('PATCH', '/api/v1/nodes/n2', { spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }] } }, merge);
  await server.ask('DELETE', `${core}/pods/stuck?gracePeriodSeconds=0`);
  await expect.poll(() => nodesOf('forced'), soon).toEqual([]);
  const { text } = await server.ask('GET', '/metrics');
  expect(text).toMatch(/^attach_detach_controller_attachdetach_controller_forced_detaches\{reason="out-of-service"\} [1-9]/m);
});
