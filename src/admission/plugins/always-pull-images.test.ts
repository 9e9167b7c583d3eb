import { expect, test } from 'vitest';
import { apiUnderTest, mergePatch, strategicPatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount', '--enable-admission-plugins=AlwaysPullImages');

interface Pod {
  readonly spec: {
    readonly containers: readonly { readonly image: string; readonly imagePullPolicy: string }[];
    readonly initContainers?: readonly { readonly imagePullPolicy: string }[];
    readonly volumes?: readonly { readonly image?: { readonly pullPolicy: string } }[];
  };
}

const never = (name: string, image = 'i:1') => ({ name, image, imagePullPolicy: 'Never' });

async function pods(): Promise<string> {
  return `/api/v1/namespaces/${await api.namespace()}/pods`;
}

async function createPod(spec: object = {}): Promise<{ path: string; pod: Pod }> {
  const path = await pods();
  const pod = await api.make(path, { metadata: { name: 'p' }, spec: { containers: [never('c')], ...spec } });
  return { path: `${path}/p`, pod: pod as unknown as Pod };
}

test('every container of a new pod pulls its image, whatever it says', async () => {
  const { pod } = await createPod({ initContainers: [never('i')], containers: [never('c'), { ...never('d'), imagePullPolicy: 'IfNotPresent' }] });
  expect(pod.spec.containers.map(({ imagePullPolicy }) => imagePullPolicy)).toEqual(['Always', 'Always']);
  expect(pod.spec.initContainers?.[0]?.imagePullPolicy).toBe('Always');
});

test('volumes that are images are pulled too', async () => {
  const volumes = [
    { name: 'v', image: { reference: 'i:1', pullPolicy: 'IfNotPresent' } },
    { name: 'w', emptyDir: {} },
  ];
  const { pod } = await createPod({ volumes });
  expect(pod.spec.volumes?.map(({ image }) => image?.pullPolicy)).toEqual(['Always', undefined]);
});

test('an update that brings another image is changed like a new pod, if the pod may be changed so', async () => {
  const { path } = await createPod();
  const { code, body } = await api.ask('PATCH', path, { spec: { containers: [{ name: 'c', image: 'i:2' }] } }, strategicPatch);
  expect([code, (body as unknown as Pod).spec.containers[0]]).toMatchObject([200, { image: 'i:2', imagePullPolicy: 'Always' }]);
});

test('an update without another image is left alone', async () => {
  const { path } = await createPod();
  expect((await api.ask('PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch)).code).toBe(200);
});

test('a template of pods is left alone: its pods are changed when they come', async () => {
  const path = `/apis/apps/v1/namespaces/${await api.namespace()}/deployments`;
  const spec = { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers: [never('c')] } } };
  const made = (await api.make(path, { metadata: { name: 'd' }, spec })) as unknown as { spec: { template: Pod } };
  expect(made.spec.template.spec.containers[0]?.imagePullPolicy).toBe('Never');
});
