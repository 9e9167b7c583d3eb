import { describe, expect, test } from 'vitest';
import { apiUnderTest, mergePatch, mistake } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const configMaps = async () => `/api/v1/namespaces/${await api.namespace()}/configmaps`;
const deployment = (name: string, image = 'web:1') => ({
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } } },
});

describe('a replacement', () => {
  test('is stored whole: what it leaves out is gone', async () => {
    const path = await configMaps();
    const before = await api.make(path, { metadata: { name: 'a', labels: { x: 'y' } }, data: { one: '1', two: '2' } });
    const { code, body } = await api.ask('PUT', `${path}/a`, { metadata: { name: 'a' }, data: { two: '3' } });
    expect(code).toBe(200);
    expect(body.data).toEqual({ two: '3' });
    expect(body.metadata).not.toHaveProperty('labels');
    expect(body.metadata.uid).toBe(before.metadata.uid);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(Number(before.metadata.resourceVersion));
  });

  test('of an older version is refused with 409', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' } });
    await api.ask('PUT', `${path}/a`, { metadata: { name: 'a' }, data: { x: '1' } });
    const { code, body } = await api.ask('PUT', `${path}/a`, { metadata: { name: 'a', resourceVersion: metadata.resourceVersion } });
    expect([code, body.reason]).toEqual([409, 'Conflict']);
    expect(body.message).toBe(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
  });

  test('with the current version is taken, exactly once of two', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' } });
    const put = (value: string) => api.ask('PUT', `${path}/a`, { metadata: { name: 'a', resourceVersion: metadata.resourceVersion }, data: { value } });
    const codes = (await Promise.all([put('1'), put('2')])).map(({ code }) => code);
    expect(codes.toSorted()).toEqual([200, 409]);
  });

  test('that changes nothing keeps the version', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' }, data: { x: '1' } });
    const { body } = await api.ask('PUT', `${path}/a`, { metadata: { name: 'a' }, data: { x: '1' } });
    expect(body.metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test('of another uid is refused with 409', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('PUT', `${path}/a`, { metadata: { name: 'a', uid: 'other' } });
    expect([code, body.message]).toEqual([
      409,
      `Operation cannot be fulfilled on configmaps "a": StorageError: invalid object, Code: 4, Key: /registry/configmaps/${path.split('/')[4]}/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other, UID in object meta: ${metadata.uid}`,
    ]);
  });

  test('under another name is refused', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('PUT', `${path}/a`, { metadata: { name: 'b' } });
    expect([code, body.message]).toEqual([400, 'the name of the object (b) does not match the name on the URL (a)']);
  });

  test('of what does not exist is 404, or makes it where the kind allows that', async () => {
    const path = await configMaps();
    expect((await api.ask('PUT', `${path}/a`, { metadata: { name: 'a' } })).code).toBe(404);
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${path.split('/')[4]}/leases/a`;
    expect((await api.ask('PUT', lease, { metadata: { name: 'a' } })).code).toBe(201);
    expect((await api.get(lease)).code).toBe(200);
  });

  test('with a version that is no number is refused', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    expect((await api.ask('PUT', `${path}/a`, { metadata: { name: 'a', resourceVersion: 'x' } })).code).toBe(mistake);
  });

  test('as a rehearsal changes nothing', async () => {
    const path = await configMaps();
    const before = await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('PUT', `${path}/a?dryRun=All`, { metadata: { name: 'a' }, data: { x: '1' } });
    expect([code, body.data]).toEqual([200, { x: '1' }]);
    expect((await api.get(`${path}/a`)).body).toEqual(before);
  });

  test('of a kind that wants the version is refused without one', async () => {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${await api.namespace()}/leases`;
    await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('PUT', `${path}/a`, { metadata: { name: 'a' } });
    expect([code, body.message]).toEqual([
      422,
      'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]);
  });
});

describe('generation and status', () => {
  test('a change of the spec counts, one of metadata or of nothing does not', async () => {
    const path = `/apis/apps/v1/namespaces/${await api.namespace()}/deployments`;
    const made = await api.make(path, deployment('a'));
    expect(made.metadata.generation).toBe(1);
    const labelled = await api.ask('PUT', `${path}/a`, { ...deployment('a'), metadata: { name: 'a', labels: { x: 'y' } } });
    expect(labelled.body.metadata.generation).toBe(1);
    const changed = await api.ask('PUT', `${path}/a`, deployment('a', 'web:2'));
    expect(changed.body.metadata.generation).toBe(2);
  });

  test('the object does not touch its status, and the status not the object', async () => {
    const path = `/apis/apps/v1/namespaces/${await api.namespace()}/deployments`;
    await api.make(path, deployment('a'));
    const viaObject = await api.ask('PUT', `${path}/a`, { ...deployment('a'), status: { replicas: 3 } });
    expect(viaObject.body.status).toEqual({});
    const viaStatus = await api.ask('PUT', `${path}/a/status`, { ...deployment('a', 'other:1'), status: { replicas: 3 } });
    expect(viaStatus.code).toBe(200);
    expect(viaStatus.body.status).toEqual({ replicas: 3 });
    expect(viaStatus.body.spec.template.spec.containers[0]?.image).toBe('web:1');
    expect(viaStatus.body.metadata.generation).toBe(1);
    expect(viaStatus.body.metadata.managedFields?.map(({ subresource }) => subresource)).toEqual([undefined, 'status']);
  });
});

describe('generation of the kinds that the original compares bit by bit', () => {
  const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const hook = { name: 'a.hooks.example', clientConfig: { url: 'https://127.0.0.1/' }, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const generations = async (path: string, patches: readonly object[]) => {
    const result: unknown[] = [];
    for (const patch of patches) result.push((await api.ask('PATCH', path, patch, mergePatch)).body.metadata.generation);
    return result;
  };

  test('counts what is sent empty as a change from what was not sent', async () => {
    const { metadata } = await api.make(hooks, { metadata: { generateName: 'empty-' }, webhooks: [hook] });
    const path = `${hooks}/${metadata.name}`;
    const sentEmpty = [
      { ...hook, matchConditions: [] },
      { ...hook, namespaceSelector: { matchLabels: {} } },
      { ...hook, clientConfig: { ...hook.clientConfig, caBundle: '' } },
    ];
    expect(await generations(path, [{ metadata: { labels: { a: 'b' } } }, ...sentEmpty.map((webhook) => ({ webhooks: [webhook] }))])).toEqual([1, 2, 3, 4]);
    expect(await generations(path, [{ webhooks: [] }, { webhooks: [] }, { webhooks: null }])).toEqual([5, 6, 6]);
    await api.ask('DELETE', path);
  });

  test('is so for network policies too', async () => {
    const path = `/apis/networking.k8s.io/v1/namespaces/${await api.namespace()}/networkpolicies`;
    await api.make(path, { metadata: { name: 'a' }, spec: { podSelector: {}, policyTypes: ['Ingress'] } });
    expect(await generations(`${path}/a`, [{ spec: { ingress: [] } }, { spec: { ingress: [] } }, { spec: { podSelector: {} } }])).toEqual([2, 3, 3]);
  });
});

test('a status written in a version that cannot say everything says no more than was written', async () => {
  const path = `/apis/autoscaling/v1/namespaces/${await api.namespace()}/horizontalpodautoscalers`;
  const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' } };
  await api.make(path, { metadata: { name: 'a' }, spec });
  const status = { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 30 };
  await api.ask('PUT', `${path}/a/status`, { metadata: { name: 'a' }, spec, status });
  const { body } = await api.get(`${path.replace('/v1/', '/v2/')}/a`);
  expect(body.status).toMatchObject({ currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 30 } } }] });
  expect(JSON.stringify(body.status)).not.toContain('averageValue');
});

test('a selfLink is seen in a rehearsal and never stored', async () => {
  const path = await configMaps();
  await api.make(path, { metadata: { name: 'a' } });
  const linked = { metadata: { selfLink: '/x' } };
  expect((await api.ask('PATCH', `${path}/a?dryRun=All`, linked, mergePatch)).body.metadata).toHaveProperty('selfLink', '/x');
  expect((await api.ask('PATCH', `${path}/a`, linked, mergePatch)).body.metadata).not.toHaveProperty('selfLink');
  expect((await api.get(`${path}/a`)).body.metadata).not.toHaveProperty('selfLink');
});
