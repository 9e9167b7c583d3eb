import { afterAll, beforeAll, expect, test } from 'vitest';
import { apps, type PlayedObject, template, workload, WorkloadServer } from '../../../test/support/workload-server.ts';

let server: WorkloadServer;
beforeAll(async () => {
  server = await WorkloadServer.start(['deployment', 'replicaset', 'garbagecollector']);
});
afterAll(() => server[Symbol.asyncDispose]());

const revision = 'deployment.kubernetes.io/revision';
const deployment = (name: string) => server.get(`${apps}/deployments/${name}`);
const sets = async (name: string) => {
  const all = await server.list(`${apps}/replicasets?labelSelector=app%3D${name}`);
  return all.toSorted((a, b) => Number(a.metadata.annotations?.[revision]) - Number(b.metadata.annotations?.[revision]));
};
const sizes = async (name: string) => (await sets(name)).map(({ spec }) => spec.replicas);

function conditions({ status }: PlayedObject): readonly string[] {
  return (status.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`).toSorted();
}

async function isRolledOut(name: string): Promise<boolean> {
  const { metadata, spec, status } = await deployment(name);
  const { replicas, updatedReplicas = 0, availableReplicas = 0, observedGeneration } = status as Record<string, number>;
  return observedGeneration === metadata.generation && [replicas ?? 0, updatedReplicas, availableReplicas].every((count) => count === spec.replicas);
}

async function rolledOut(name: string, spec: object): Promise<void> {
  await server.make(`${apps}/deployments`, workload(name, spec));
  await server.playUntil(() => isRolledOut(name));
}

const change = (name: string, spec: object) => server.change(`${apps}/deployments/${name}`, { spec });
const image = (name: string, tag: string) => change(name, { template: template(name, `i:${tag}`) });

test('a Deployment makes a ReplicaSet that is named after its template, and tells how it gets on', async () => {
  await rolledOut('web', { replicas: 3 });
  const [set] = await sets('web');
  expect(set?.metadata).toMatchObject({
    name: `web-${set?.metadata.labels['pod-template-hash']}`,
    annotations: { [revision]: '1', 'deployment.kubernetes.io/desired-replicas': '3', 'deployment.kubernetes.io/max-replicas': '4' },
    ownerReferences: [{ kind: 'Deployment', name: 'web', controller: true, blockOwnerDeletion: true }],
  });
  const made = await deployment('web');
  expect(made.metadata.annotations?.[revision]).toBe('1');
  await server.until(async () => conditions(await deployment('web')), ['Available=True MinimumReplicasAvailable', 'Progressing=True NewReplicaSetAvailable']);
  expect((await deployment('web')).status.conditions?.find(({ type }) => type === 'Progressing')?.message).toBe(
    `ReplicaSet "${set?.metadata.name}" has successfully progressed.`,
  );
  expect(await server.events('web')).toEqual([`deployment-controller ScalingReplicaSet: Scaled up replica set ${set?.metadata.name} from 0 to 3`]);
});

test('a rolling update goes on as far as maxSurge and maxUnavailable allow', async () => {
  await rolledOut('rolling', { replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } });
  await image('rolling', '2');
  const readyAll = async () => {
    for (const pod of await server.pods('app=rolling')) await server.setReady(pod);
  };
  const podCount = async () => (await server.pods('app=rolling')).length;
  await server.until(() => sizes('rolling'), [3, 2]);
  await server.until(podCount, 5);
  await readyAll();
  await server.until(() => sizes('rolling'), [1, 4]);
  await server.until(podCount, 5);
  await readyAll();
  await server.until(() => sizes('rolling'), [0, 4]);
  expect((await deployment('rolling')).metadata.annotations?.[revision]).toBe('2');
});

test('going back to an earlier template takes its ReplicaSet again, as a new revision with its history', async () => {
  await rolledOut('back', { replicas: 1 });
  const [first] = await sets('back');
  await image('back', '2');
  await server.playUntil(() => isRolledOut('back'));
  await image('back', '1');
  await server.playUntil(() => isRolledOut('back'));
  const now = await sets('back');
  expect(now.map(({ metadata, spec }) => [metadata.annotations?.[revision], spec.replicas])).toEqual([
    ['2', 0],
    ['3', 1],
  ]);
  expect(now[1]?.metadata.uid).toBe(first?.metadata.uid);
  expect(now[1]?.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe('1');
});

test('the annotation of old clients rolls back too', async () => {
  await rolledOut('asked', { replicas: 1 });
  await image('asked', '2');
  await server.playUntil(() => isRolledOut('asked'));
  await server.change(`${apps}/deployments/asked`, { metadata: { annotations: { 'deprecated.deployment.rollback.to': '0' } } });
  await server.until(
    async () => (await deployment('asked')).spec['template'],
    expect.objectContaining({ spec: expect.objectContaining({ containers: [expect.objectContaining({ image: 'i:1' })] }) }),
  );
  await server.playUntil(() => isRolledOut('asked'));
  expect((await deployment('asked')).metadata.annotations).toEqual({ [revision]: '3' });
  await server.until(
    async () => (await server.events('asked')).filter((text) => text.includes('DeploymentRollback')),
    ['deployment-controller DeploymentRollback: Rolled back deployment "asked" to revision 1'],
  );
});

test('Recreate deletes all old pods before new ones are made', async () => {
  await rolledOut('fresh', { replicas: 2, strategy: { type: 'Recreate' } });
  const old = await server.pods('app=fresh');
  for (const { metadata } of old) await server.change(`/api/v1/namespaces/default/pods/${metadata.name}`, { metadata: { finalizers: ['example.com/held'] } });
  await image('fresh', '2');
  await server.until(async () => (await server.pods('app=fresh')).length, 0);
  expect(await sizes('fresh')).toEqual([0]);
  for (const { metadata } of old) await server.change(`/api/v1/namespaces/default/pods/${metadata.name}`, { metadata: { finalizers: null } });
  await server.playUntil(() => isRolledOut('fresh'));
  expect(await sizes('fresh')).toEqual([0, 2]);
});

test('a paused Deployment is scaled but not rolled out, until it is resumed', async () => {
  await rolledOut('paused', { replicas: 1 });
  await change('paused', { paused: true, template: template('paused', 'i:2') });
  await server.until(async () => conditions(await deployment('paused')), ['Available=True MinimumReplicasAvailable', 'Progressing=Unknown DeploymentPaused']);
  await change('paused', { replicas: 3 });
  await server.until(() => sizes('paused'), [3]);
  await change('paused', { paused: false });
  await server.playUntil(() => isRolledOut('paused'));
  expect(await sizes('paused')).toEqual([0, 3]);
});

test('scaling in the middle of a rollout is shared out in proportion', async () => {
  await rolledOut('shared', { replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } });
  await image('shared', '2');
  await server.until(() => sizes('shared'), [8, 5]);
  await change('shared', { replicas: 15 });
  await server.until(() => sizes('shared'), [11, 7]);
  expect((await sets('shared')).map(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/max-replicas'])).toEqual(['18', '18']);
});

test('old revisions beyond the limit go, the oldest first', async () => {
  await rolledOut('short', { replicas: 1, revisionHistoryLimit: 1 });
  for (const tag of ['2', '3', '4']) {
    await image('short', tag);
    await server.playUntil(() => isRolledOut('short'));
  }
  await server.until(async () => (await sets('short')).map(({ metadata }) => metadata.annotations?.[revision]), ['3', '4']);
});

test('a rollout that does not move in time is told', async () => {
  await server.make(`${apps}/deployments`, workload('stuck', { replicas: 1, progressDeadlineSeconds: 1 }));
  await server.until(
    async () => conditions(await deployment('stuck')),
    ['Available=False MinimumReplicasUnavailable', 'Progressing=False ProgressDeadlineExceeded'],
  );
  await server.playUntil(() => isRolledOut('stuck'));
  await server.until(async () => conditions(await deployment('stuck')), ['Available=True MinimumReplicasAvailable', 'Progressing=True NewReplicaSetAvailable']);
});

test('a name that is taken by another ReplicaSet is passed over', async () => {
  await rolledOut('taken', { replicas: 1 });
  const [set] = await sets('taken');
  await server.delete(`${apps}/deployments/taken`, { propagationPolicy: 'Foreground' });
  await server.until(async () => (await sets('taken')).length, 0);
  await server.make(`${apps}/replicasets`, { ...workload('other', { replicas: 0 }), metadata: { name: set?.metadata.name } });
  await rolledOut('taken', { replicas: 1 });
  expect((await deployment('taken')).status['collisionCount']).toBe(1);
  expect((await sets('taken')).map(({ metadata }) => metadata.name)).not.toContain(set?.metadata.name);
});
