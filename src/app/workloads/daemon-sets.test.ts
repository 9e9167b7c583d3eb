import { afterAll, beforeAll, expect, test } from 'vitest';
import { apps, core, type PlayedObject, template, workload, WorkloadServer } from '../../../test/support/workload-server.ts';

let server: WorkloadServer;
beforeAll(async () => {
  server = await WorkloadServer.start(['daemonset']);
  for (const [name, zone] of Object.entries({ n1: 'a', n2: 'a', n3: 'b' })) {
    await server.make('/api/v1/nodes', { metadata: { name, labels: { zone } } });
    // Nodes are born with the taint that they are not ready.
    await server.change(`/api/v1/nodes/${name}`, { spec: { taints: null } });
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const sets = `${apps}/daemonsets`;
const status = async (name: string) => (await server.get(`${sets}/${name}`)).status as Record<string, number>;

interface Affinity {
  readonly nodeAffinity: {
    readonly requiredDuringSchedulingIgnoredDuringExecution: { readonly nodeSelectorTerms: { readonly matchFields: { readonly values: string[] }[] }[] };
  };
}

function nodeOf({ spec }: PlayedObject): string {
  const { nodeAffinity } = spec['affinity'] as Affinity;
  return nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]?.matchFields[0]?.values[0] ?? '';
}

const nodes = async (app: string) => (await server.pods(`app=${app}`)).map(nodeOf).toSorted();
const imagesByNode = async (app: string) =>
  Object.fromEntries((await server.pods(`app=${app}`)).map((pod) => [nodeOf(pod), (pod.spec['containers'] as { image: string }[])[0]?.image]));

/** What the scheduler does: it binds a pod to the only node that the pod allows. */
async function bind(pod: PlayedObject): Promise<void> {
  const target = { apiVersion: 'v1', kind: 'Node', name: nodeOf(pod) };
  await server.server.ask('POST', `${core}/pods/${pod.metadata.name}/binding`, { metadata: { name: pod.metadata.name }, target });
}

async function bindAndReady(app: string): Promise<void> {
  for (const pod of await server.pods(`app=${app}`)) {
    if (pod.spec['nodeName'] === undefined) await bind(pod);
    await server.setReady(pod);
  }
}

test('every node gets a pod that may run on it alone, and tolerates what nodes suffer from', async () => {
  await server.make(sets, workload('agent', {}));
  await server.until(() => nodes('agent'), ['n1', 'n2', 'n3']);
  const [pod] = await server.pods('app=agent');
  expect(pod?.metadata.labels).toMatchObject({
    app: 'agent',
    'pod-template-generation': '1',
    'controller-revision-hash': expect.stringMatching(/^[a-z0-9]+$/) as string,
  });
  const tolerated = (pod?.spec['tolerations'] ?? []) as { key: string }[];
  expect(tolerated.map(({ key }) => key)).toContain('node.kubernetes.io/unschedulable');
  await bindAndReady('agent');
  await server.until(() => status('agent'), {
    currentNumberScheduled: 3,
    desiredNumberScheduled: 3,
    numberAvailable: 3,
    numberMisscheduled: 0,
    numberReady: 3,
    observedGeneration: 1,
    updatedNumberScheduled: 3,
  });
});

test('the template chooses nodes by labels and tolerates taints or not', async () => {
  await server.make(sets, workload('zoned', { template: { ...template('zoned'), spec: { ...template('zoned').spec, nodeSelector: { zone: 'a' } } } }));
  await server.until(() => nodes('zoned'), ['n1', 'n2']);
  await bindAndReady('zoned');
  await server.change('/api/v1/nodes/n1', { spec: { taints: [{ key: 'full', effect: 'NoSchedule' }] } });
  await server.until(async () => (await status('zoned'))['numberMisscheduled'], 1);
  expect(await nodes('zoned')).toEqual(['n1', 'n2']);
  await server.change('/api/v1/nodes/n1', { spec: { taints: [{ key: 'down', effect: 'NoExecute' }] } });
  await server.until(() => nodes('zoned'), ['n2']);
  await server.change('/api/v1/nodes/n1', { spec: { taints: null } });
  await server.until(() => nodes('zoned'), ['n1', 'n2']);
  await server.change('/api/v1/nodes/n2', { metadata: { labels: { zone: 'b' } } });
  await server.until(() => nodes('zoned'), ['n1']);
  await server.change('/api/v1/nodes/n2', { metadata: { labels: { zone: 'a' } } });
});

test('a rolling update replaces one pod after the other', async () => {
  await server.make(sets, workload('rolled', {}));
  await server.until(() => nodes('rolled'), ['n1', 'n2', 'n3']);
  await bindAndReady('rolled');
  await server.until(async () => (await status('rolled'))['numberAvailable'], 3);
  await server.change(`${sets}/rolled`, { spec: { template: template('rolled', 'i:2') } });
  const updated = async () => Object.values(await imagesByNode('rolled')).filter((image) => image === 'i:2').length;
  for (const count of [1, 2, 3]) {
    await server.until(updated, count);
    await server.until(async () => (await nodes('rolled')).length, 3);
    await bindAndReady('rolled');
  }
  await server.until(async () => (await status('rolled'))['updatedNumberScheduled'], 3);
  const revisions = (await server.list(`${apps}/controllerrevisions?labelSelector=app%3Drolled`)) as unknown as { revision: number }[];
  expect(revisions.map(({ revision }) => revision).toSorted()).toEqual([1, 2]);
});

test('with maxSurge the new pod comes before the old one goes', async () => {
  await server.make(sets, workload('surged', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }));
  await server.until(() => nodes('surged'), ['n1', 'n2', 'n3']);
  await bindAndReady('surged');
  await server.until(async () => (await status('surged'))['numberAvailable'], 3);
  await server.change(`${sets}/surged`, { spec: { template: template('surged', 'i:2') } });
  await server.until(async () => (await nodes('surged')).length, 4);
  await server.until(
    async () => {
      await bindAndReady('surged');
      return imagesByNode('surged');
    },
    { n1: 'i:2', n2: 'i:2', n3: 'i:2' },
  );
});

test('OnDelete updates a pod when somebody deletes it', async () => {
  await server.make(sets, workload('manual', { updateStrategy: { type: 'OnDelete' } }));
  await server.until(() => nodes('manual'), ['n1', 'n2', 'n3']);
  await server.change(`${sets}/manual`, { spec: { template: template('manual', 'i:2') } });
  await server.until(async () => (await status('manual'))['observedGeneration'], 2);
  const [first] = await server.pods('app=manual');
  if (first === undefined) throw new Error('there are three');
  await server.delete(`${core}/pods/${first.metadata.name}`);
  await server.until(async () => (await imagesByNode('manual'))[nodeOf(first)], 'i:2');
  expect(Object.values(await imagesByNode('manual')).toSorted()).toEqual(['i:1', 'i:1', 'i:2']);
});

test('a pod that has failed is replaced', async () => {
  await server.make(sets, workload('failing', {}));
  await server.until(() => nodes('failing'), ['n1', 'n2', 'n3']);
  await bindAndReady('failing');
  const [first] = await server.pods('app=failing');
  if (first === undefined) throw new Error('there are three');
  await server.setPhase(first, 'Failed');
  const failed = async () => (await server.pods('app=failing')).filter(({ status: { phase } }) => phase === 'Failed').length;
  await server.until(failed, 0);
  await server.until(() => nodes('failing'), ['n1', 'n2', 'n3']);
  const events = (await server.events('failing')).filter((text) => text.includes('FailedDaemonPod'));
  expect(events).toEqual([
    `daemonset-controller FailedDaemonPod: Found failed daemon pod default/${first.metadata.name} on node ${nodeOf(first)}, will try to kill it`,
  ]);
});
