import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let server: ServerInTest;
let serial = 0;

beforeAll(async () => {
  server = await ServerInTest.start();
});
afterAll(() => server[Symbol.asyncDispose]());

type Amounts = Record<string, string>;
interface Resources {
  readonly requests?: Amounts;
  readonly limits?: Amounts;
}

/** A namespace of its own for every case, with these limits. */
async function limited(...limits: readonly object[]): Promise<string> {
  const namespace = `limits-${serial++}`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
  await server.make(`/api/v1/namespaces/${namespace}/limitranges`, { metadata: { name: 'l' }, spec: { limits } });
  return namespace;
}

function pod(resources: Resources, init?: Resources): object {
  const container = (name: string, of: Resources) => ({ name, image: 'i', resources: of });
  return { metadata: { name: 'p' }, spec: { containers: [container('c', resources)], ...(init && { initContainers: [container('i', init)] }) } };
}

function create(namespace: string, object: object) {
  return server.ask('POST', `/api/v1/namespaces/${namespace}/pods`, object);
}

test('containers without amounts get the defaults, and the pod says so', async () => {
  const namespace = await limited({ type: 'Container', default: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '1' } });
  const { json } = await create(namespace, pod({ limits: { memory: '2Gi' } }, {}));
  const { spec, metadata } = json as unknown as {
    spec: { containers: { resources: Resources }[]; initContainers: { resources: Resources }[] };
    metadata: { annotations: Amounts };
  };
  expect(spec.containers[0]?.resources).toEqual({ requests: { cpu: '1', memory: '2Gi' }, limits: { cpu: '2', memory: '2Gi' } });
  expect(spec.initContainers[0]?.resources).toEqual({ requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } });
  expect(metadata.annotations['kubernetes.io/limit-ranger']).toBe(
    'LimitRanger plugin set: cpu request for container c; cpu limit for container c; cpu, memory request for init container i; cpu, memory limit for init container i',
  );
});

const bounded = { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' } };
test.each<[string, object, object, string]>([
  ['too little', bounded, pod({ requests: { cpu: '50m' }, limits: { cpu: '500m' } }), 'minimum cpu usage per Container is 100m, but request is 50m'],
  ['too much', bounded, pod({ requests: { cpu: '200m' }, limits: { cpu: '1500m' } }), 'maximum cpu usage per Container is 1, but limit is 1500m'],
  ['too much in an init container', bounded, pod({}, { limits: { cpu: '2' } }), 'maximum cpu usage per Container is 1, but limit is 2'],
  ['no request', { type: 'Pod', min: { cpu: '1' } }, pod({}), 'minimum cpu usage per Pod is 1.  No request is specified'],
  ['no limit', { type: 'Pod', max: { memory: '1Gi' } }, pod({}), 'maximum memory usage per Pod is 1Gi.  No limit is specified'],
  [
    'too steep',
    { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
    pod({ requests: { cpu: '100m' }, limits: { cpu: '250m' } }),
    'cpu max limit to request ratio per Container is 2, but provided ratio is 2.500000',
  ],
  [
    'a ratio of nothing',
    { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
    pod({}),
    'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
  ],
])('a pod is refused for %s', async (_, limit, object, why) => {
  const { code, json } = await create(await limited(limit), object);
  expect([code, json.message]).toEqual([403, `pods "p" is forbidden: ${why}`]);
});

test('all findings of a range stand in one refusal', async () => {
  const namespace = await limited({ type: 'Container', max: { cpu: '1', memory: '1Gi' } });
  const { json } = await create(namespace, pod({ limits: { cpu: '2', memory: '2Gi' } }));
  expect(json.message).toBe(
    'pods "p" is forbidden: [maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]',
  );
});

test('claims keep to the bounds of claims', async () => {
  const namespace = await limited({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } });
  const claim = (storage: string) => ({
    metadata: { name: `c${storage.toLowerCase()}` },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  const ask = (storage: string) => server.ask('POST', `/api/v1/namespaces/${namespace}/persistentvolumeclaims`, claim(storage));
  expect((await ask('1Gi')).code).toBe(201);
  expect((await ask('500Mi')).json.message).toContain('minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi');
  expect((await ask('3Gi')).json.message).toContain('maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi');
});
