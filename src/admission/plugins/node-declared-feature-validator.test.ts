import { beforeAll, describe, expect, test } from 'vitest';
import { apiUnderTest, mergePatch, strategicPatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount');
const run = Date.now().toString(36);
const knowing = `knowing-${run}`;
const unknowing = `unknowing-${run}`;
const [podLevel, initial] = ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers'];
const room = { cpu: '8', memory: '8Gi' };

beforeAll(async () => {
  for (const [name, declaredFeatures] of [
    [knowing, [podLevel, initial]],
    [unknowing, []],
  ] as const) {
    await api.make('/api/v1/nodes', { metadata: { name } });
    await api.ask('PATCH', `/api/v1/nodes/${name}/status`, { status: { allocatable: room, capacity: room, declaredFeatures } }, mergePatch);
  }
});

const cpu = (amount: string) => ({ requests: { cpu: amount }, limits: { cpu: amount } });

async function podOn(nodeName: string | undefined, spec: object): Promise<string> {
  const path = `/api/v1/namespaces/${await api.namespace()}/pods`;
  await api.make(path, {
    metadata: { name: 'p' },
    spec: { ...(nodeName && { nodeName }), containers: [{ name: 'c', image: 'i', resources: cpu('1') }], ...spec },
  });
  return `${path}/p`;
}

const resize = (path: string, spec: object) => api.ask('PATCH', `${path}/resize`, { spec }, strategicPatch);

const changes = [
  ['of the pod as a whole', podLevel, { resources: cpu('2') }, { resources: cpu('3') }],
  [
    'of a step of initialization',
    initial,
    { initContainers: [{ name: 'i', image: 'i', resources: cpu('1') }] },
    { initContainers: [{ name: 'i', resources: cpu('2') }] },
  ],
] as const;

describe.each(changes)('a resize %s', (_, feature, before, after) => {
  test('is let through where the node declares the feature', async () => {
    expect((await resize(await podOn(knowing, before), after)).code).toBe(200);
  });

  test('is refused where it does not', async () => {
    const { code, body } = await resize(await podOn(unknowing, before), after);
    const why = `pod update requires features ${feature} which are not available on node "${unknowing}"`;
    expect([code, body.reason, body.message]).toEqual([403, 'Forbidden', `pods "p" is forbidden: ${why}`]);
  });

  test('is refused where the node is not known', async () => {
    const { code, body } = await resize(await podOn('nowhere', before), after);
    expect([code, body.message]).toEqual([403, 'pods "p" is forbidden: node "nowhere" not found']);
  });

  test('needs nothing of a node while the pod has none', async () => {
    expect((await resize(await podOn(undefined, before), after)).code).toBe(200);
  });
});

test('a resize of ordinary containers and of sidecars needs no feature', async () => {
  const sidecar = { name: 's', image: 'i', restartPolicy: 'Always', resources: cpu('1') };
  const path = await podOn(unknowing, { initContainers: [sidecar] });
  expect((await resize(path, { containers: [{ name: 'c', resources: cpu('2') }] })).code).toBe(200);
  expect((await resize(path, { initContainers: [{ name: 's', resources: cpu('2') }] })).code).toBe(200);
});

test('an update that changes no resources needs no feature', async () => {
  const path = await podOn(unknowing, { resources: cpu('2') });
  expect((await api.ask('PATCH', path, { metadata: { labels: { a: 'b' } } }, mergePatch)).code).toBe(200);
  expect((await api.ask('PATCH', path, { spec: { containers: [{ name: 'c', image: 'j' }] } }, strategicPatch)).code).toBe(200);
});
