// Which of several mistakes a client is told about, and that it is told in the words of what it asked for.
import { describe, expect, test } from 'vitest';
import { apiUnderTest, applyPatch, jsonPatch, mergePatch } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const inNamespace = async (plural: string) => `/api/v1/namespaces/${await api.namespace()}/${plural}`;
const otherPlace = { metadata: { name: 'other', namespace: 'elsewhere' } };
const namespaceDiffers = 'the namespace of the provided object does not match the namespace sent on the request';

test('the namespace is looked at before the name, by every patch', async () => {
  const path = await inNamespace('configmaps');
  await api.make(path, { metadata: { name: 'a' } });
  const merged = await api.ask('PATCH', `${path}/a`, otherPlace, mergePatch);
  const applied = await api.ask('PATCH', `${path}/a?fieldManager=m`, { apiVersion: 'v1', kind: 'ConfigMap', ...otherPlace }, applyPatch);
  expect([merged.body.message, applied.body.message]).toEqual([namespaceDiffers, namespaceDiffers]);
});

describe('applying to what is not there', () => {
  const apply = (path: string, body: object) => api.ask('PATCH', `${path}?fieldManager=m`, body, applyPatch);

  test('is 404 for a subresource before the body is read', async () => {
    const pods = await inNamespace('pods');
    const deployments = pods.replace('/api/v1/', '/apis/apps/v1/').replace(/pods$/, 'deployments');
    for (const path of [`${pods}/none/status`, `${deployments}/none/scale`]) expect((await apply(path, { kind: 'Other' })).code).toBe(404);
  });

  test('makes the kinds that an update of the status makes', async () => {
    const { code, body } = await apply(`${await inNamespace('services')}/none/status`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'none' } });
    expect([code, body.message]).toEqual([422, 'Service "none" is invalid: spec.ports: Required value']);
  });

  test('with a version that is none makes nothing', async () => {
    const path = `${await inNamespace('configmaps')}/none`;
    const { code } = await apply(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'none', resourceVersion: 'x' } });
    expect(code).toBeGreaterThanOrEqual(400);
    expect((await api.get(path)).code).toBe(404);
  });
});

test('a watch says what is wrong with its selector before it says that it cannot be in YAML', async () => {
  const path = `${await inNamespace('configmaps')}?watch=1&fieldSelector=data.x%3Dy`;
  const { code } = await api.ask('GET', path, undefined, { accept: 'application/yaml' });
  expect(code).toBe(400);
});

test('a Service that gets no address is refused as a Service', async () => {
  const { code, body } = await api.ask('POST', await inNamespace('services'), { metadata: {}, spec: { ports: [{ port: 80 }] } });
  expect(code).toBe(422);
  expect(body.message).toMatch(
    /^Service "" is invalid: spec\.clusterIPs: Invalid value: \[""\]: failed to allocate IP: IPAddress\.networking\.k8s\.io "[^"]+" is invalid: spec\.parentRef\.name: Required value$/,
  );
});

test('owners are shown in the order of their fields, however they were sent', async () => {
  const owner = { controller: true, uid: 'u', name: 'n', kind: 'K', apiVersion: 'v1' };
  const metadata = { name: 'a', ownerReferences: [owner, { ...owner, uid: 'v' }] };
  const { body } = await api.ask('POST', await inNamespace('configmaps'), { metadata });
  expect(body.message).toContain('[{"apiVersion":"v1","kind":"K","name":"n","uid":"u","controller":true},{"apiVersion":"v1",');
});

test('a nodeSelector that a gated pod loses is shown as null, one that it is given empty as empty', async () => {
  const path = await inNamespace('pods');
  const spec = { nodeSelector: { a: 'b' }, schedulingGates: [{ name: 'example.com/g' }], containers: [{ name: 'c', image: 'i' }] };
  await api.make(path, { metadata: { name: 'a' }, spec });
  for (const [value, shown] of [
    [null, 'null'],
    [{}, '{}'],
  ] as const) {
    const { body } = await api.ask('PATCH', `${path}/a`, [{ op: 'replace', path: '/spec/nodeSelector', value }], jsonPatch);
    expect(body.message).toContain(`spec.nodeSelector: Invalid value: ${shown}: only additions`);
  }
});

test('rules that an Ingress is given empty are shown as empty', async () => {
  const path = `/apis/networking.k8s.io/v1/namespaces/${await api.namespace()}/ingresses`;
  const shown = async (spec: object) => (await api.ask('POST', path, { metadata: { name: 'i' }, spec })).body.message;
  expect(await shown({ rules: [] })).toContain('spec: Invalid value: []: either `defaultBackend`');
  expect(await shown({})).toContain('spec: Invalid value: null: either `defaultBackend`');
});

test('an item that is sent with an empty list belongs to who sent it; a default in place of an empty list is no change', async () => {
  const path = `/apis/networking.k8s.io/v1/namespaces/${await api.namespace()}/networkpolicies`;
  const ingress = [{ ports: [], from: [{ podSelector: {} }] }];
  await api.make(path, { metadata: { name: 'a' }, spec: { podSelector: {}, ingress, policyTypes: ['Ingress'] } });
  const { body } = await api.ask('PATCH', `${path}/a?fieldManager=m`, { spec: { ingress } }, mergePatch);
  const owned = (body.metadata.managedFields ?? []).find(({ manager }: { manager?: string }) => manager === 'm');
  expect(owned?.fieldsV1).toEqual({ 'f:spec': { 'f:ingress': {} } });
  const again = await api.ask('PATCH', `${path}/a?fieldManager=n`, { spec: { policyTypes: [] } }, mergePatch);
  expect(again.body.metadata.generation).toBe(body.metadata.generation);
});

test('a list belongs to who sends a quantity in it otherwise than it is stored, or leaves it out', async () => {
  const namespace = await api.namespace();
  const second = async (path: string, object: (quantity: object) => object, quantity: object) => {
    const { body } = await api.ask('PUT', `${path}?fieldManager=second&dryRun=All`, object(quantity));
    return (body.metadata.managedFields ?? []).some(({ manager }: { manager?: string }) => manager === 'second');
  };

  const scalers = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
  const scaler = (quantity: object) => ({
    metadata: { name: 'a' },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      metrics: [{ type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', ...quantity } } }],
    },
  });
  await api.make(scalers, scaler({ averageValue: '1000' }));
  expect(await second(`${scalers}/a`, scaler, { averageValue: '1k' })).toBe(false);
  expect(await second(`${scalers}/a`, scaler, { averageValue: '1000' })).toBe(true);

  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const pod = (quantity: object) => ({
    metadata: { name: 'a' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'd', downwardAPI: { items: [{ path: 'cpu', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu', ...quantity } }] } }],
    },
  });
  await api.make(pods, pod({}));
  expect(await second(`${pods}/a`, pod, { divisor: '0' })).toBe(false);
  expect(await second(`${pods}/a`, pod, {})).toBe(true);
});

test('a deletion of many takes `watch` in its query for that of a list', async () => {
  const { body } = await api.ask('DELETE', `${await inNamespace('configmaps')}?watch=1&sendInitialEvents=false`);
  expect(body.message).toBe(
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  );
});

test('a patch in an unknown form is 415 also to a client that wants an unknown one', async () => {
  expect((await api.ask('PATCH', `${await inNamespace('configmaps')}/a`, {}, { type: 'text/plain', accept: 'text/nothing' })).code).toBe(415);
});

describe('an eviction that no budget allows says why', () => {
  const status = { observedGeneration: 1, disruptionsAllowed: 0, expectedPods: 1 };
  const condition = { type: 'DisruptionAllowed', status: 'False', lastTransitionTime: '2030-01-02T03:04:05Z' };
  test.each([
    [{ currentHealthy: 1, desiredHealthy: 1 }, 'needs 1 healthy pods and has 1 currently'],
    [{ currentHealthy: 1, desiredHealthy: 0 }, 'does not allow evicting pods currently'],
    [
      { currentHealthy: 1, desiredHealthy: 0, conditions: [{ ...condition, reason: 'Other', message: 'm' }] },
      'does not allow evicting pods currently (Other): m',
    ],
    [
      { currentHealthy: 1, desiredHealthy: 1, conditions: [{ ...condition, reason: 'SyncFailed', message: 'm' }] },
      'does not allow evicting pods currently because it failed sync: m',
    ],
  ])('%j', async (told, why) => {
    const pods = await inNamespace('pods');
    const budgets = pods.replace('/api/v1/', '/apis/policy/v1/').replace(/pods$/, 'poddisruptionbudgets');
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    const pod = await api.make(pods, { metadata: { name: 'p', labels: { app: 'x' } }, spec });
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await api.ask('PUT', `${pods}/p/status`, { ...pod, status: ready });
    const budget = await api.make(budgets, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } });
    await api.ask('PUT', `${budgets}/b/status`, { ...budget, status: { ...status, ...told } });
    const { code, body } = await api.ask('POST', `${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } });
    expect([code, body.details.causes]).toEqual([429, [{ reason: 'DisruptionBudget', message: `The disruption budget b ${why}` }]]);
  });
});

test('a body of another kind is read as what it says it is before it is refused for it', async () => {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { k: [] } };
  const { body: refusal } = await api.ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body);
  expect(refusal.message).toBe(
    'ConfigMap in version "v1" cannot be handled as a SelfSubjectAccessReview: json: cannot unmarshal array into Go struct field ConfigMap.data of type string',
  );
});
