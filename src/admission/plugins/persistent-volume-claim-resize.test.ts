import { beforeAll, expect, test } from 'vitest';
import { apiUnderTest, mergePatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount');
const notExpandable = 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

beforeAll(async () => {
  const make = async (name: string, more: object) => {
    await api.ask('DELETE', `/apis/storage.k8s.io/v1/storageclasses/${name}`);
    await api.make('/apis/storage.k8s.io/v1/storageclasses', { metadata: { name }, provisioner: 'p', ...more });
  };
  await make('grows', { allowVolumeExpansion: true });
  await make('fixed', {});
});

interface Claim {
  readonly phase?: string;
  readonly storageClassName?: string;
  readonly annotations?: object;
}

/** The path of a claim of 2Gi that is bound to a volume. */
async function claim({ phase = 'Bound', storageClassName, annotations = {} }: Claim): Promise<string> {
  const path = `/api/v1/namespaces/${await api.namespace()}/persistentvolumeclaims`;
  const spec = {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '2Gi' } },
    volumeName: 'v',
    ...(storageClassName !== undefined && { storageClassName }),
  };
  await api.make(path, { metadata: { name: 'c', annotations }, spec });
  await api.ask('PATCH', `${path}/c/status`, { status: { phase, capacity: { storage: '2Gi' } } }, mergePatch);
  return `${path}/c`;
}

const resize = (path: string, storage: string, more: object = {}) =>
  api.ask('PATCH', path, { ...more, spec: { resources: { requests: { storage } } } }, mergePatch);

test('a bound claim of a class that can expand volumes grows', async () => {
  expect((await resize(await claim({ storageClassName: 'grows' }), '3Gi')).code).toBe(200);
});

test('the class may be named by the annotation of old', async () => {
  const annotations = { 'volume.beta.kubernetes.io/storage-class': 'grows' };
  expect((await resize(await claim({ annotations }), '3Gi')).code).toBe(200);
});

test.each<[string, Claim]>([
  ['of a class that cannot expand volumes', { storageClassName: 'fixed' }],
  ['of a class that is not there', { storageClassName: 'none' }],
  ['that asks for no class', { storageClassName: '' }],
  ['without a class', {}],
])('a claim %s does not grow', async (_, facts) => {
  const { code, body } = await resize(await claim(facts), '3Gi');
  expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', `persistentvolumeclaims "c" is forbidden: ${notExpandable}`]);
});

test('a claim that is not bound does not grow', async () => {
  const { code, body } = await resize(await claim({ phase: 'Pending', storageClassName: 'grows' }), '3Gi');
  expect([code, body.reason]).toEqual([code === 422 ? 422 : 403, code === 422 ? 'Invalid' : 'Forbidden']);
});

test('the same amount in other words is no growth', async () => {
  expect((await resize(await claim({ storageClassName: 'fixed' }), '2048Mi')).code).toBe(200);
});

test('other changes are nobody’s business here', async () => {
  const path = await claim({ storageClassName: 'fixed' });
  expect((await api.ask('PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch)).code).toBe(200);
});
