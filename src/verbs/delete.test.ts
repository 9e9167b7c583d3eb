import { describe, expect, test } from 'vitest';
import { apiUnderTest, mergePatch } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const configMaps = async () => `/api/v1/namespaces/${await api.namespace()}/configmaps`;
const pod = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

describe('a deletion', () => {
  test('takes the object away and answers Success', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('DELETE', `${path}/a`);
    expect(code).toBe(200);
    expect(body).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'a', kind: 'configmaps', uid: metadata.uid } });
    expect((await api.get(`${path}/a`)).code).toBe(404);
    expect((await api.ask('DELETE', `${path}/a`)).code).toBe(404);
  });

  test('of a system priority class is refused, as a rehearsal too', async () => {
    for (const query of ['', '?dryRun=All']) {
      const { code, body } = await api.ask('DELETE', `/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical${query}`);
      expect(code).toBe(403);
      expect(body.message).toContain('this is a system priority class and cannot be deleted');
    }
  });

  test('answers with the object for kinds that do so', async () => {
    const path = `/api/v1/namespaces/${await api.namespace()}/serviceaccounts`;
    await api.make(path, { metadata: { name: 'a' } });
    expect((await api.ask('DELETE', `${path}/a`)).body).toMatchObject({ kind: 'ServiceAccount', metadata: { name: 'a' } });
  });

  test('of an object with finalizers marks it, and it goes with the last of them', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a', finalizers: ['example.com/one', 'example.com/two'] } });
    const { body } = await api.ask('DELETE', `${path}/a`);
    expect(body.metadata.deletionTimestamp).toBeTruthy();
    expect(body.metadata.deletionGracePeriodSeconds).toBe(0);
    const again = await api.ask('DELETE', `${path}/a`);
    expect(again.body.metadata.deletionTimestamp).toBe(body.metadata.deletionTimestamp);
    await api.ask('PATCH', `${path}/a`, { metadata: { finalizers: ['example.com/one'] } }, mergePatch);
    expect((await api.get(`${path}/a`)).code).toBe(200);
    const added = await api.ask('PATCH', `${path}/a`, { metadata: { finalizers: ['example.com/one', 'example.com/three'] } }, mergePatch);
    expect([added.code, added.body.reason]).toEqual([422, 'Invalid']);
    const last = await api.ask('PATCH', `${path}/a`, { metadata: { finalizers: null } }, mergePatch);
    expect(last.code).toBe(200);
    expect((await api.get(`${path}/a`)).code).toBe(404);
  });

  test('answers with what was there, not with what its deletion changed', async () => {
    const path = '/apis/storage.k8s.io/v1/storageclasses';
    const { metadata } = await api.make(path, { metadata: { generateName: 'orphaned-' }, provisioner: 'example.com/p' });
    const gone = async (propagationPolicy: string) => (await api.ask('DELETE', `${path}/${metadata.name}?propagationPolicy=${propagationPolicy}`)).body;
    expect((await gone('Orphan')).metadata.finalizers).toEqual(['orphan']);
    expect(await gone('Background')).toMatchObject({ kind: 'StorageClass', metadata: { finalizers: ['orphan'] } });
    expect((await api.get(`${path}/${metadata.name}`)).code).toBe(404);
  });

  test('of a namespace that is going already changes nothing', async () => {
    const path = `/api/v1/namespaces/${await api.namespace()}`;
    await api.ask('PATCH', path, { metadata: { finalizers: ['example.com/x'] } }, { type: 'application/merge-patch+json' });
    const first = await api.ask('DELETE', path);
    const second = await api.ask('DELETE', `${path}?propagationPolicy=Foreground`);
    expect(second.body.metadata.finalizers).toEqual(['example.com/x']);
    expect(second.body.metadata.deletionTimestamp).toBe(first.body.metadata.deletionTimestamp);
  });

  test('by precondition needs the right uid and version', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'a' } });
    for (const preconditions of [{ uid: 'other' }, { resourceVersion: '1' }]) {
      const { code, body } = await api.ask('DELETE', `${path}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions });
      expect([code, body.reason]).toEqual([409, 'Conflict']);
    }
    const preconditions = { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
    expect((await api.ask('DELETE', `${path}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions })).code).toBe(200);
  });

  test('as a rehearsal, in the query or in the body, deletes nothing', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    expect((await api.ask('DELETE', `${path}/a?dryRun=All`)).code).toBe(200);
    expect((await api.ask('DELETE', `${path}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] })).code).toBe(200);
    expect((await api.get(`${path}/a`)).code).toBe(200);
  });

  test.each([
    ['x', `couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of value`],
    ['{"apiVersion":"a/b/c"}', 'unexpected GroupVersion string: a/b/c'],
    ['{"kind":"X"}', 'no kind "X" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"'],
  ])('with the body %s is refused', async (options, message) => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('DELETE', `${path}/a`, options);
    expect([code, body.message]).toEqual([400, message]);
    expect((await api.get(`${path}/a`)).code).toBe(200);
  });

  test('with a body ignores the query', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    await api.ask('DELETE', `${path}/a?dryRun=All`, { kind: 'DeleteOptions', apiVersion: 'v1' });
    expect((await api.get(`${path}/a`)).code).toBe(404);
  });

  test.each([
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ])('with propagation %s leaves a finalizer for the garbage collector', async (propagationPolicy, finalizers) => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    const { body } = await api.ask('DELETE', `${path}/a`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy });
    expect(body.metadata.finalizers).toEqual(finalizers);
    expect(body.metadata.deletionTimestamp).toBeTruthy();
  });

  test('refuses two ways to say what happens to dependents', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    const { code, body } = await api.ask('DELETE', `${path}/a`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Orphan',
      orphanDependents: true,
    });
    expect([code, body.message]).toEqual([
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ]);
  });
});

describe('grace periods of pods', () => {
  const pods = async () => `/api/v1/namespaces/${await api.namespace()}/pods`;

  test('a pod nobody runs is gone at once', async () => {
    const path = await pods();
    await api.make(path, pod('a'));
    const { body } = await api.ask('DELETE', `${path}/a`);
    expect(body.metadata.deletionGracePeriodSeconds).toBe(0);
    expect((await api.get(`${path}/a`)).code).toBe(404);
  });

  test.each(['', '?gracePeriodSeconds=0'])('a watch sees a pod going before it is gone (%s)', async (query) => {
    const path = await pods();
    const watch = await api.watch(`${path}?watch=1`);
    await api.make(path, pod('a'));
    await api.ask('DELETE', `${path}/a${query}`);
    const events = await watch.next(3);
    watch.close();
    expect(events.map(({ type, object }) => [type, object.metadata.generation, object.metadata.deletionGracePeriodSeconds])).toEqual([
      ['ADDED', 1, undefined],
      ['MODIFIED', 2, 0],
      ['DELETED', 2, 0],
    ]);
  });

  test('a pod on a node waits for its grace period, which can only be shortened', async () => {
    const path = await pods();
    await api.make(path, pod('a', { nodeName: 'n', terminationGracePeriodSeconds: 40 }));
    const first = await api.ask('DELETE', `${path}/a`);
    expect(first.body.metadata.deletionGracePeriodSeconds).toBe(40);
    const longer = await api.ask('DELETE', `${path}/a?gracePeriodSeconds=60`);
    expect(longer.body.metadata.deletionGracePeriodSeconds).toBe(40);
    const shorter = await api.ask('DELETE', `${path}/a?gracePeriodSeconds=5`);
    expect(shorter.body.metadata.deletionGracePeriodSeconds).toBe(5);
    await api.ask('DELETE', `${path}/a?gracePeriodSeconds=0`);
    expect((await api.get(`${path}/a`)).code).toBe(404);
  });
});

describe('a deletion of many', () => {
  test('takes what the selector picks and answers with what it took', async () => {
    const path = await configMaps();
    for (const [name, colour] of [
      ['a', 'red'],
      ['b', 'green'],
      ['c', 'red'],
    ] as const)
      await api.make(path, { metadata: { name, labels: { colour } } });
    const { code, body } = await api.ask('DELETE', `${path}?labelSelector=colour%3Dred`);
    expect(code).toBe(200);
    expect(body.kind).toBe('ConfigMapList');
    expect(body.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
    expect((await api.get(`${path}/b`)).code).toBe(200);
    expect((await api.get(`${path}/a`)).code).toBe(404);
  });

  test('at a version takes what was there then, if it has not changed since', async () => {
    const path = await configMaps();
    const { metadata } = await api.make(path, { metadata: { name: 'old', labels: { mine: 'yes' } } });
    await api.make(path, { metadata: { name: 'young', labels: { mine: 'yes' } } });
    const { code, body } = await api.ask('DELETE', `${path}?labelSelector=mine&resourceVersion=${metadata.resourceVersion}`);
    expect([code, body.items?.map((item) => item.metadata.name)]).toEqual([200, ['old']]);
    expect((await api.get(`${path}/young`)).code).toBe(200);
  });

  test('marks what has finalizers and goes on', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a', finalizers: ['example.com/one'] } });
    await api.make(path, { metadata: { name: 'b' } });
    await api.ask('DELETE', path);
    expect((await api.get(`${path}/a`)).body.metadata.deletionTimestamp).toBeTruthy();
    expect((await api.get(`${path}/b`)).code).toBe(404);
  });

  test('as a rehearsal takes nothing', async () => {
    const path = await configMaps();
    await api.make(path, { metadata: { name: 'a' } });
    expect((await api.ask('DELETE', `${path}?dryRun=All`)).code).toBe(200);
    expect((await api.get(`${path}/a`)).code).toBe(200);
  });
});
