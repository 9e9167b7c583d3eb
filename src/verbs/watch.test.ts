import { describe, expect, test } from 'vitest';
import { apiUnderTest, mergePatch, mistake, type WatchEvent } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();
const secrets = async () => `/api/v1/namespaces/${await api.namespace()}/secrets`;
const told = (events: readonly WatchEvent[]) => events.map(({ type, object }) => `${type} ${object.metadata.name}`);
const versionOf = async (path: string) => (await api.get(path)).body.metadata.resourceVersion;
const label = (path: string, value: string | null) => api.ask('PATCH', path, { metadata: { labels: { colour: value } } }, mergePatch);

describe('a watch', () => {
  test('from a version tells what happened since, in order', async () => {
    const path = await secrets();
    const from = await versionOf(path);
    await api.make(path, { metadata: { name: 'a' } });
    await label(`${path}/a`, 'green');
    await api.ask('DELETE', `${path}/a`);
    const watch = await api.watch(`${path}?watch=1&resourceVersion=${from}`);
    const events = await watch.next(3);
    watch.close();
    expect(told(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
  });

  test('without a version starts with what is there', async () => {
    const path = await secrets();
    await api.make(path, { metadata: { name: 'a' } });
    await api.make(path, { metadata: { name: 'b' } });
    const watch = await api.watch(`${path}?watch=1`);
    expect(told(await watch.next(2)).toSorted()).toEqual(['ADDED a', 'ADDED b']);
    await api.make(path, { metadata: { name: 'c' } });
    expect(told(await watch.next(1))).toEqual(['ADDED c']);
    watch.close();
  });

  test('with a selector sees objects come and go as they start and stop matching', async () => {
    const path = await secrets();
    const watch = await api.watch(`${path}?watch=1&labelSelector=colour%3Dgreen&resourceVersion=${await versionOf(path)}`);
    await api.make(path, { metadata: { name: 'a' } });
    await label(`${path}/a`, 'green');
    await api.ask('PATCH', `${path}/a`, { stringData: { x: 'y' } }, mergePatch);
    await label(`${path}/a`, 'red');
    await label(`${path}/a`, 'green');
    await api.ask('DELETE', `${path}/a`);
    const events = await watch.next(5);
    watch.close();
    expect(told(events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a', 'DELETED a']);
    expect(events[2]?.object.metadata.labels).toEqual({ colour: 'green' });
  });

  test('of one name hears of that object only', async () => {
    const path = await secrets();
    const watch = await api.watch(`${path}?watch=1&fieldSelector=metadata.name%3Db&resourceVersion=${await versionOf(path)}`);
    await api.make(path, { metadata: { name: 'a' } });
    await api.make(path, { metadata: { name: 'b' } });
    expect(told(await watch.next(1))).toEqual(['ADDED b']);
    watch.close();
  });

  test('under the old path prefix works as well', async () => {
    const path = await secrets();
    await api.make(path, { metadata: { name: 'a' } });
    for (const old of [path.replace('/api/v1/', '/api/v1/watch/'), `${path.replace('/api/v1/', '/api/v1/watch/')}/a`]) {
      const watch = await api.watch(old);
      expect(told(await watch.next(1))).toEqual(['ADDED a']);
      watch.close();
    }
  });

  test('with timeoutSeconds ends by itself', async () => {
    const path = await secrets();
    const watch = await api.watch(`${path}?watch=1&timeoutSeconds=1&resourceVersion=${await versionOf(path)}`);
    expect(await watch.rest()).toEqual([]);
  });

  test('whose events should be lists ends with its first event', async () => {
    const path = await secrets();
    const from = await versionOf(path);
    await api.make(path, { metadata: { name: 'a' } });
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const { code, text } = await api.get(`${path}?watch=1&resourceVersion=${from}`, { accept });
    expect([code, text]).toEqual([200, '']);
  });

  test('from a version that is no number is refused', async () => {
    const { code, body } = await api.get(`${await secrets()}?watch=1&resourceVersion=x`);
    expect([code, body.message]).toEqual([mistake, 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax']);
  });

  // The window of a cache begins where the cache began; nothing but time makes a real kube-apiserver forget.
  test.skipIf(process.env['REFERENCE_SERVER'])('from a version that is no longer kept gets 410 as its only event', async () => {
    const path = await secrets();
    const watch = await api.watch(`${path}?watch=1&resourceVersion=1`);
    const [event] = await watch.rest();
    expect(watch.code).toBe(200);
    expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
  });

  test('refuses options that do not go together', async () => {
    const path = await secrets();
    const cases: Record<string, string> = {
      'watch=1&sendInitialEvents=true': 'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      'watch=1&resourceVersionMatch=NotOlderThan':
        'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      'watch=1&continue=x': 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
      'sendInitialEvents=true': 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    };
    for (const [query, message] of Object.entries(cases)) {
      const { code, body } = await api.get(`${path}?${query}`);
      expect([query, code, body.message]).toEqual([query, 422, `ListOptions.meta.k8s.io "" is invalid: ${message}`]);
    }
  });
});

describe('initial events', () => {
  const streaming = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

  test('end with a bookmark that says so', async () => {
    const path = await secrets();
    await api.make(path, { metadata: { name: 'a' } });
    await api.make(path, { metadata: { name: 'b' } });
    const watch = await api.watch(`${path}?${streaming}`);
    const events = await watch.next(3);
    expect(told(events.slice(0, 2))).toEqual(['ADDED a', 'ADDED b']);
    expect(events[2]).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Secret', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } });
    await api.make(path, { metadata: { name: 'c' } });
    expect(told(await watch.next(1))).toEqual(['ADDED c']);
    watch.close();
  });

  test.each(['', '&resourceVersion=0'])('are marked as such for everybody who begins with what is there and takes bookmarks (%s)', async (version) => {
    const path = (await secrets()).replace('/secrets', '/pods');
    const watch = await api.watch(`${path}?watch=1&allowWatchBookmarks=true${version}`);
    const [bookmark] = await watch.next(1);
    watch.close();
    expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } });
    expect(bookmark?.object).toMatchObject({ spec: { containers: null }, status: {} });
  });

  test.each([
    ['deployments', { spec: { replicas: 0, selector: null }, status: {} }],
    ['statefulsets', { spec: { replicas: 0, selector: null } }],
    ['daemonsets', { metadata: { annotations: { 'deprecated.daemonset.template.generation': '0', 'k8s.io/initial-events-end': 'true' } } }],
  ])('end with an empty object of the kind, as the original holds it (%s)', async (plural, expected) => {
    const watch = await api.watch(`/apis/apps/v1/namespaces/${await api.namespace()}/${plural}?${streaming}`);
    const [bookmark] = await watch.next(1);
    watch.close();
    expect(bookmark?.object).toMatchObject(expected);
  });

  test('of nothing are just the bookmark, at a version from which one can go on', async () => {
    const path = await secrets();
    const first = await api.watch(`${path}?${streaming}`);
    const [bookmark] = await first.next(1);
    first.close();
    await api.make(path, { metadata: { name: 'a' } });
    const watch = await api.watch(`${path}?watch=1&resourceVersion=${bookmark?.object.metadata.resourceVersion}`);
    expect(told(await watch.next(1))).toEqual(['ADDED a']);
    watch.close();
  });
});

describe('other forms', () => {
  test('a Table names its columns in the first event only', async () => {
    const path = await secrets();
    await api.make(path, { metadata: { name: 'a' } });
    const watch = await api.watch(`${path}?watch=1`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    await api.make(path, { metadata: { name: 'b' } });
    const [first, second] = await watch.next(2);
    watch.close();
    expect(first?.object.columnDefinitions?.length).toBeGreaterThan(2);
    expect(first?.object.rows[0]?.cells[0]).toBe('a');
    expect(second?.object.columnDefinitions).toBeNull();
  });

  test('metadata alone', async () => {
    const path = await secrets();
    await api.make(path, { metadata: { name: 'a' }, stringData: { x: 'secret' } });
    const watch = await api.watch(`${path}?watch=1`, { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
    const [event] = await watch.next(1);
    watch.close();
    expect(event?.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    expect(event?.object).not.toHaveProperty('data');
  });
});
