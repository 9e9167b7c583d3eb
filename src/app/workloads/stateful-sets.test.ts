import { afterAll, beforeAll, expect, test } from 'vitest';
import { apps, core, type PlayedObject, template, workload, WorkloadServer } from '../../../test/support/workload-server.ts';

let server: WorkloadServer;
beforeAll(async () => {
  server = await WorkloadServer.start(['statefulset', 'garbagecollector', 'pvc-protection']);
});
afterAll(() => server[Symbol.asyncDispose]());

const sets = `${apps}/statefulsets`;
const names = async (app: string) => (await server.pods(`app=${app}`)).map(({ metadata }) => metadata.name);
const status = async (name: string) => (await server.get(`${sets}/${name}`)).status as Record<string, number | string>;
const pod = (name: string) => server.get(`${core}/pods/${name}`);
const imageOf = ({ spec }: PlayedObject) => (spec['containers'] as { image: string }[])[0]?.image;
const images = async (app: string) => (await server.pods(`app=${app}`)).map(imageOf);
const stateful = (name: string, spec: object = {}) => workload(name, { serviceName: 'peers', ...spec });
const image = (name: string, tag: string) => server.change(`${sets}/${name}`, { spec: { template: template(name, `i:${tag}`) } });

async function rolledOut(name: string, spec: object): Promise<void> {
  const { spec: made } = await server.make(sets, stateful(name, spec));
  await server.playUntil(async () => (await status(name))['readyReplicas'] === made.replicas);
}

test('pods are made one after the other, each when the one before is ready', async () => {
  await server.make(sets, stateful('db', { replicas: 2 }));
  await server.until(() => names('db'), ['db-0']);
  const first = await pod('db-0');
  const { updateRevision } = await status('db');
  expect(first.metadata.labels).toEqual({
    app: 'db',
    'apps.kubernetes.io/pod-index': '0',
    'statefulset.kubernetes.io/pod-name': 'db-0',
    'controller-revision-hash': updateRevision,
  });
  expect(first.spec).toMatchObject({ hostname: 'db-0', subdomain: 'peers' });
  await server.setReady(first);
  await server.until(() => names('db'), ['db-0', 'db-1']);
  await server.setReady(await pod('db-1'));
  const counts = { replicas: 2, readyReplicas: 2, availableReplicas: 2, currentReplicas: 2, updatedReplicas: 2, collisionCount: 0, observedGeneration: 1 };
  await server.until(() => status('db'), { ...counts, currentRevision: updateRevision as string, updateRevision: updateRevision as string });
  expect(await server.events('db')).toEqual(
    [0, 1].map((ordinal) => `statefulset-controller SuccessfulCreate: Create Pod db-${ordinal} in StatefulSet db successful`),
  );
});

test('the highest number goes first, one at a time', async () => {
  await rolledOut('less', { replicas: 3 });
  await server.change(`${core}/pods/less-2`, { metadata: { finalizers: ['example.com/held'] } });
  await server.change(`${sets}/less`, { spec: { replicas: 1 } });
  await server.until(() => names('less'), ['less-0', 'less-1']);
  await server.change(`${core}/pods/less-2`, { metadata: { finalizers: null } });
  await server.until(() => names('less'), ['less-0']);
});

test('Parallel makes and deletes all at once, from the first number on', async () => {
  await server.make(sets, stateful('all', { replicas: 3, podManagementPolicy: 'Parallel', ordinals: { start: 5 } }));
  await server.until(() => names('all'), ['all-5', 'all-6', 'all-7']);
  await server.change(`${sets}/all`, { spec: { replicas: 0 } });
  await server.until(() => names('all'), []);
});

test('an update goes from the highest number down to the partition', async () => {
  await rolledOut('rolled', { replicas: 3, updateStrategy: { rollingUpdate: { partition: 1 } } });
  await image('rolled', '2');
  await server.playUntil(async () => JSON.stringify(await images('rolled')) === JSON.stringify(['i:1', 'i:2', 'i:2']));
  await server.until(async () => (await status('rolled'))['updatedReplicas'], 2);
  const { currentRevision, updateRevision } = await status('rolled');
  expect(currentRevision).not.toBe(updateRevision);
  await server.change(`${sets}/rolled`, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  await server.playUntil(async () => (await status('rolled'))['currentRevision'] === updateRevision);
  expect(await images('rolled')).toEqual(['i:2', 'i:2', 'i:2']);
});

test('a pod below the partition that is lost comes back at the current revision', async () => {
  await rolledOut('kept', { replicas: 2, updateStrategy: { rollingUpdate: { partition: 2 } } });
  await image('kept', '2');
  await server.until(async () => (await status('kept'))['currentRevision'] !== (await status('kept'))['updateRevision'], true);
  const { metadata } = await pod('kept-0');
  await server.delete(`${core}/pods/kept-0`);
  await server.playUntil(async () => {
    const { code, text } = await server.server.ask('GET', `${core}/pods/kept-0`);
    return code === 200 && (JSON.parse(text) as PlayedObject).metadata.uid !== metadata.uid;
  });
  expect(await images('kept')).toEqual(['i:1', 'i:1']);
});

test('going back takes the earlier revision again; old ones go beyond the limit', async () => {
  await rolledOut('past', { replicas: 1, revisionHistoryLimit: 1 });
  const first = (await status('past'))['currentRevision'];
  const updated = async (tag: string) => {
    const before = (await status('past'))['updateRevision'];
    await image('past', tag);
    await server.playUntil(async () => {
      const { currentRevision, updateRevision } = await status('past');
      return updateRevision !== before && currentRevision === updateRevision;
    });
  };
  const revisions = async () => {
    const all = (await server.list(`${apps}/controllerrevisions?labelSelector=app%3Dpast`)) as unknown as { revision: number }[];
    return all.map(({ revision }) => revision).toSorted();
  };
  await updated('2');
  await updated('1');
  expect((await status('past'))['currentRevision']).toBe(first);
  await server.until(revisions, [2, 3]);
  await updated('3');
  await server.until(revisions, [3, 4]);
});

test('OnDelete updates a pod when somebody deletes it', async () => {
  await rolledOut('manual', { replicas: 1, updateStrategy: { type: 'OnDelete' } });
  await image('manual', '2');
  await server.until(async () => (await status('manual'))['observedGeneration'], 2);
  expect(await images('manual')).toEqual(['i:1']);
  await server.delete(`${core}/pods/manual-0`);
  await server.until(() => images('manual'), ['i:2']);
});

test('a failed pod is replaced', async () => {
  await rolledOut('failing', { replicas: 1 });
  const { metadata } = await pod('failing-0');
  await server.setPhase(await pod('failing-0'), 'Failed');
  await server.until(async () => (await server.pods('app=failing')).map((one) => one.metadata.uid !== metadata.uid), [true]);
});

const claimTemplate = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };

test('each pod has its own claim, which stays or goes as the retention policy says', async () => {
  const policy = { whenDeleted: 'Delete', whenScaled: 'Delete' };
  await rolledOut('disks', { replicas: 2, volumeClaimTemplates: [claimTemplate], persistentVolumeClaimRetentionPolicy: policy });
  const claims = async () =>
    (await server.list(`${core}/persistentvolumeclaims?labelSelector=app%3Ddisks`)).map(({ metadata }) => [
      metadata.name,
      metadata.ownerReferences?.map(({ kind }) => kind),
    ]);
  await server.until(claims, [
    ['data-disks-0', ['StatefulSet']],
    ['data-disks-1', ['StatefulSet']],
  ]);
  expect((await pod('disks-1')).spec['volumes']).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'data-disks-1' } }]);
  await server.change(`${sets}/disks`, { spec: { replicas: 1 } });
  await server.until(claims, [['data-disks-0', ['StatefulSet']]]);
  await server.change(`${sets}/disks`, { spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' } } });
  await server.until(claims, [['data-disks-0', undefined]]);
  expect((await server.events('disks')).filter((text) => text.includes('Claim'))).toEqual(
    [0, 1].map((ordinal) => `statefulset-controller SuccessfulCreate: Create Claim data-disks-${ordinal} Pod disks-${ordinal} in StatefulSet disks success`),
  );
});
