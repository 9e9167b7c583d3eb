import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=pvc-protection,pv-protection,ttl-after-finished,garbagecollector'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
const pods = '/api/v1/namespaces/default/pods';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const volumes = '/api/v1/persistentvolumes';
const jobs = '/apis/batch/v1/namespaces/default/jobs';

const isThere = async (path: string) => (await server.ask('GET', path)).code !== 404;
const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

test('a claim that is deleted stays as long as a pod with a node uses it', async () => {
  await server.make(claims, { metadata: { name: 'used' }, spec: claimSpec });
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }] };
  await server.make(pods, { metadata: { name: 'user' }, spec });
  await server.make(claims, { metadata: { name: 'free' }, spec: claimSpec });
  await server.ask('DELETE', `${claims}/used`);
  await server.ask('DELETE', `${claims}/free`);
  await expect.poll(() => isThere(`${claims}/free`), soon).toBe(false);
  expect(await isThere(`${claims}/used`)).toBe(true);
  await server.ask('DELETE', `${pods}/user?gracePeriodSeconds=0`);
  await expect.poll(() => isThere(`${claims}/used`), soon).toBe(false);
});

test('a volume that is deleted stays as long as it is bound', async () => {
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/v' } };
  await server.make(volumes, { metadata: { name: 'bound' }, spec });
  await server.make(volumes, { metadata: { name: 'free' }, spec });
  await server.ask('PATCH', `${volumes}/bound/status`, { status: { phase: 'Bound' } }, merge);
  await server.ask('DELETE', `${volumes}/bound`);
  await server.ask('DELETE', `${volumes}/free`);
  await expect.poll(() => isThere(`${volumes}/free`), soon).toBe(false);
  expect(await isThere(`${volumes}/bound`)).toBe(true);
  await server.ask('PATCH', `${volumes}/bound/status`, { status: { phase: 'Released' } }, merge);
  await expect.poll(() => isThere(`${volumes}/bound`), soon).toBe(false);
});

test('a claim and a volume without the finalizer get it', async () => {
  await server.make(claims, { metadata: { name: 'bare', finalizers: [] }, spec: claimSpec });
  await server.ask('PATCH', `${claims}/bare`, { metadata: { finalizers: null } }, merge);
  const finalizers = async () => ((await server.ask('GET', `${claims}/bare`)).json.metadata as unknown as { finalizers?: string[] }).finalizers;
  await expect.poll(finalizers, soon).toEqual(['kubernetes.io/pvc-protection']);
});

test('a finished Job goes when its time has passed, one without that time stays', async () => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const now = new Date().toISOString();
  const finish = async (name: string, spec: object) => {
    await server.make(jobs, { metadata: { name }, spec: { template, ...spec } });
    const at = { lastTransitionTime: now, lastProbeTime: now };
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True', reason: 'CompletionsReached', ...at }));
    const { code, text } = await server.ask(
      'PATCH',
      `${jobs}/${name}/status`,
      { status: { startTime: now, completionTime: now, succeeded: 1, conditions } },
      merge,
    );
    expect(code, text).toBe(200);
  };
  await finish('later', { ttlSecondsAfterFinished: 2_000_000_000 });
  await finish('never', {});
  await finish('now', { ttlSecondsAfterFinished: 0 });
  await expect.poll(() => isThere(`${jobs}/now`), soon).toBe(false);
  expect([await isThere(`${jobs}/later`), await isThere(`${jobs}/never`)]).toEqual([true, true]);
});
