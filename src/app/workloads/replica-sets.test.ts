import { afterAll, beforeAll, expect, test } from 'vitest';
import { apps, core, template, workload, WorkloadServer } from '../../../test/support/workload-server.ts';

let server: WorkloadServer;
beforeAll(async () => {
  server = await WorkloadServer.start(['replicaset', 'replicationcontroller']);
});
afterAll(() => server[Symbol.asyncDispose]());

const statusOf = async (path: string) => (await server.get(path)).status;

test('a ReplicaSet makes the pods that are missing and counts them', async () => {
  const set = await server.make(`${apps}/replicasets`, workload('web', { replicas: 3 }));
  await server.until(async () => (await server.pods('app=web')).length, 3);
  const pods = await server.pods('app=web');
  for (const { metadata } of pods) {
    expect(metadata.name).toMatch(/^web-[a-z0-9]{5}$/);
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: set.metadata.uid, controller: true, blockOwnerDeletion: true },
    ]);
  }
  for (const pod of pods.slice(1)) await server.setReady(pod);
  const counts = { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 2, availableReplicas: 2, terminatingReplicas: 0, observedGeneration: 1 };
  await server.until(() => statusOf(`${apps}/replicasets/web`), counts);
  await server.until(async () => (await server.events('web')).length, 3);
  expect((await server.events('web')).toSorted()).toEqual(
    pods.map(({ metadata }) => `replicaset-controller SuccessfulCreate: Created pod: ${metadata.name}`).toSorted(),
  );
});

test('pods that are too many go, those that are not ready first; one that was deleted or has failed is replaced', async () => {
  await server.make(`${apps}/replicasets`, workload('scaled', { replicas: 3 }));
  await server.until(async () => (await server.pods('app=scaled')).length, 3);
  const [first, second, third] = await server.pods('app=scaled');
  if (!first || !second || !third) throw new Error('there are three');
  await server.setReady(second);
  await server.change(`${apps}/replicasets/scaled`, { spec: { replicas: 1 } });
  await server.until(async () => (await server.pods('app=scaled')).map(({ metadata }) => metadata.name), [second.metadata.name]);
  await server.setPhase(second, 'Failed');
  await server.until(async () => (await server.pods('app=scaled')).length, 2);
  await server.delete(`${core}/pods/${second.metadata.name}`);
  await server.until(() => statusOf(`${apps}/replicasets/scaled`), { replicas: 1, fullyLabeledReplicas: 1, terminatingReplicas: 0, observedGeneration: 2 });
});

test('orphans are adopted, pods whose labels no longer fit are released and replaced', async () => {
  await server.make(`${core}/pods`, { metadata: { name: 'orphan', labels: { app: 'family' } }, spec: template('family').spec });
  const set = await server.make(`${apps}/replicasets`, workload('family', { replicas: 1 }));
  const ownerOf = async (name: string) => (await server.get(`${core}/pods/${name}`)).metadata.ownerReferences?.map(({ uid }) => uid);
  await server.until(() => ownerOf('orphan'), [set.metadata.uid]);
  expect(await server.pods('app=family')).toHaveLength(1);
  await server.change(`${core}/pods/orphan`, { metadata: { labels: { app: 'alone' } } });
  await server.until(() => ownerOf('orphan'), undefined);
  await server.until(async () => (await server.pods('app=family')).length, 1);
});

test('pods are available when they have been ready for minReadySeconds', async () => {
  await server.make(`${apps}/replicasets`, workload('slow', { replicas: 2, minReadySeconds: 3 }));
  await server.until(async () => (await server.pods('app=slow')).length, 2);
  const [first, second] = await server.pods('app=slow');
  if (!first || !second) throw new Error('there are two');
  await server.setReady(first, { since: 10 });
  await server.setReady(second, { since: 1 });
  const available = async () => (await statusOf(`${apps}/replicasets/slow`))['availableReplicas'];
  await server.until(available, 1);
  await server.until(available, 2);
});

test('a refusal is told in a condition and an event, and forgotten when it has passed', async () => {
  const quota = { metadata: { name: 'few' }, spec: { hard: { 'count/replicationcontrollers': '0', pods: '0' } } };
  await server.make('/api/v1/namespaces', { metadata: { name: 'tight' } });
  await server.make('/api/v1/namespaces/tight/resourcequotas', quota);
  await server.server.ask(
    'PATCH',
    '/api/v1/namespaces/tight/resourcequotas/few/status',
    { status: { hard: { pods: '0' }, used: { pods: '0' } } },
    { type: 'application/merge-patch+json' },
  );
  const sets = '/apis/apps/v1/namespaces/tight/replicasets';
  await server.make(sets, workload('refused', { replicas: 5 }));
  const condition = async () =>
    (await statusOf(`${sets}/refused`)).conditions?.map(({ type, status, reason, message }) => [type, status, reason, message.replace(/"[^"]*"/, '""')]);
  const message = 'pods "" is forbidden: exceeded quota: few, requested: pods=1, used: pods=0, limited: pods=0';
  await server.until(condition, [['ReplicaFailure', 'True', 'FailedCreate', message]]);
  await server.delete('/api/v1/namespaces/tight/resourcequotas/few');
  await server.until(condition, undefined);
});

test('a ReplicationController works the same way', async () => {
  const rc = await server.make(`${core}/replicationcontrollers`, {
    metadata: { name: 'rc' },
    spec: { replicas: 2, selector: { app: 'rc' }, template: template('rc') },
  });
  await server.until(() => statusOf(`${core}/replicationcontrollers/rc`), { replicas: 2, fullyLabeledReplicas: 2, observedGeneration: 1 });
  const pods = await server.pods('app=rc');
  expect(pods.map(({ metadata }) => metadata.ownerReferences?.[0])).toMatchObject([{ kind: 'ReplicationController', uid: rc.metadata.uid }, {}]);
  expect((await server.events('rc'))[0]).toMatch(/^replication-controller SuccessfulCreate: Created pod: rc-/);
});
