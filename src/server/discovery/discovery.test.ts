import { describe, expect, test } from 'vitest';
import { parseRequestInfo } from '#api/request-info.ts';
import { documentRouter } from '#app/operations/documents.ts';
import { silentLog } from '#base/log.ts';
import { apiGroups } from '#kinds/api-groups.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { answerErrors } from '#server/middleware/answer-errors.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

const catalog = new ResourceCatalog(builtinResources, { priorities: apiGroups });
const { handle } = documentRouter({ catalog, serverAddress: '10.0.0.1:6443', checks: [], log: silentLog });
const handler = answerErrors(
  silentLog,
  Status,
)((exchange) => {
  exchange.info = parseRequestInfo(exchange);
  return handle(exchange);
});

function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return callInProcess(handler, { method, path, headers }).then(readAnswer);
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('the plain documents', () => {
  test('/api names the version of the core group and the address of the server', async () => {
    expect((await ask('/api')).json).toEqual({
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.1:6443' }],
    });
  });

  test('/apis lists the other groups, the preferred version first', async () => {
    const { groups } = (await ask('/apis')).json as { groups: { name: string; versions: { version: string }[]; preferredVersion: object }[] };
    expect(groups.map(({ name }) => name).slice(0, 3)).toEqual(['apiregistration.k8s.io', 'apps', 'events.k8s.io']);
    expect(groups.find(({ name }) => name === 'autoscaling')).toEqual({
      name: 'autoscaling',
      versions: [
        { groupVersion: 'autoscaling/v2', version: 'v2' },
        { groupVersion: 'autoscaling/v1', version: 'v1' },
      ],
      preferredVersion: { groupVersion: 'autoscaling/v2', version: 'v2' },
    });
  });

  test('a group shows itself', async () => {
    expect((await ask('/apis/apps')).json).toMatchObject({ kind: 'APIGroup', apiVersion: 'v1', name: 'apps' });
  });

  test('a version lists resources and subresources by name', async () => {
    const list = (await ask('/apis/apps/v1')).json as { kind: string; apiVersion: string; groupVersion: string; resources: { name: string }[] };
    expect(list).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'apps/v1' });
    const names = list.resources.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(list.resources.find(({ name }) => name === 'deployments/scale')).toEqual({
      name: 'deployments/scale',
      singularName: '',
      namespaced: true,
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      verbs: ['get', 'patch', 'update'],
    });
  });

  test('the core version carries no apiVersion, and hashes of what is stored', async () => {
    const list = (await ask('/api/v1')).json as { apiVersion?: string; groupVersion: string; resources: { name: string; storageVersionHash?: string }[] };
    expect(list.apiVersion).toBeUndefined();
    expect(list.groupVersion).toBe('v1');
    expect(list.resources.find(({ name }) => name === 'configmaps')?.storageVersionHash).toBe('qFsyl6wFWjQ=');
    expect(list.resources.find(({ name }) => name === 'bindings')).not.toHaveProperty('storageVersionHash');
  });

  test('a slash at the end changes nothing', async () => {
    for (const path of ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/version'])
      expect((await ask(`${path}/`)).text, path).toBe((await ask(path)).text);
  });
});

describe('the aggregated document', () => {
  test('holds all groups under /apis and the core group under /api', async () => {
    const all = (await ask('/apis', { accept: aggregated })).json as { items: { metadata: { name?: string } }[] };
    expect(all.items.map(({ metadata }) => metadata.name)).toContain('apps');
    const core = (await ask('/api', { accept: aggregated })).json as { items: { metadata: object; versions: { resources: { resource: string }[] }[] }[] };
    expect(core.items).toHaveLength(1);
    expect(core.items[0]?.metadata).toEqual({});
    expect(core.items[0]?.versions[0]?.resources.find(({ resource }) => resource === 'pods')).toMatchObject({
      responseKind: { group: '', version: '', kind: 'Pod' },
      scope: 'Namespaced',
      subresources: expect.arrayContaining([
        { subresource: 'eviction', responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
      ]),
    });
  });

  test('says what it is, and may be kept by its ETag', async () => {
    const answer = await ask('/apis', { accept: aggregated });
    expect(answer.headers).toMatchObject({ 'content-type': aggregated, vary: 'Accept', 'cache-control': 'public' });
    const etag = answer.headers['etag'] ?? '';
    expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
    expect(await ask('/apis', { accept: aggregated, 'if-none-match': etag })).toMatchObject({ code: 304, text: '' });
    expect((await ask('/api', { accept: aggregated })).headers['etag']).not.toBe(etag);
  });

  test('wins over the plain form when both are asked for', async () => {
    expect((await ask('/apis', { accept: `application/json,${aggregated}` })).json).toMatchObject({ kind: 'APIGroupDiscoveryList' });
  });

  test('in another version, or below a group, is refused', async () => {
    for (const [path, accept] of [
      ['/apis', aggregated.replace('v=v2', 'v=v2beta1')],
      ['/apis/apps', aggregated],
      ['/apis/', aggregated],
    ] as const)
      expect(await ask(path, { accept }), path).toMatchObject({ code: 406, json: { message: expect.stringContaining('only the following media types') } });
  });

  test('comes in protobuf too', async () => {
    const answer = await ask('/api', { accept: aggregated.replace('application/json', 'application/vnd.kubernetes.protobuf') });
    expect(answer.headers['content-type']).toBe('application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList');
    expect(answer.text.startsWith('k8s\0')).toBe(true);
    expect(answer.text).toContain('persistentvolumeclaims');
  });

  test('changes when a resource comes or goes', async () => {
    const etag = async () => (await ask('/api', { accept: aggregated })).headers['etag'];
    const before = await etag();
    catalog.remove(pods);
    expect(await etag()).not.toBe(before);
    catalog.add(pods);
    expect(await etag()).toBe(before);
  });
});

describe('what leads nowhere', () => {
  test.each(['/apis/nope', '/apis/nope.example/v1', '/nope', '/healthz/nope', '/metrics/nope', '/apis//'])('%s is no page', async (path) => {
    expect(await ask(path)).toMatchObject({ code: 404, text: '404 page not found\n', headers: { 'x-content-type-options': 'nosniff' } });
  });

  test.each(['/api/v2', '/apis/batch/v1beta1', '/version/x'])('%s is no resource', async (path) => {
    expect(await ask(path)).toMatchObject({
      code: 404,
      json: { message: 'the server could not find the requested resource', reason: 'NotFound', details: {} },
    });
  });

  test.each(['/api', '/api/v1', '/apis/apps/v1', '/apis/apiregistration.k8s.io', '/version'])('%s can only be read', async (path) => {
    expect(await ask(path, {}, 'PUT')).toMatchObject({ code: 405, json: { reason: 'MethodNotAllowed', details: {} } });
  });

  test.each(['/apis', '/apis/apps', '/'])('%s takes any method', async (path) => {
    expect(await ask(path, {}, 'DELETE')).toMatchObject({ code: 200 });
  });

  test('unknown media types are refused in the words of whoever serves the path', async () => {
    const message = async (path: string) => ((await ask(path, { accept: 'text/html' })).json as { message: string }).message;
    expect(await message('/api')).toMatch(/^406: Not Acceptable\n\nAvailable representations: application\/json, /);
    expect(await message('/apis')).toMatch(/^only the following media types are accepted: /);
    expect(await message('/version')).toBe('406: Not Acceptable\n\nAvailable representations: application/json');
  });
});

test('/ lists the paths there are', async () => {
  const { paths } = (await ask('/')).json as { paths: string[] };
  expect(paths).toEqual(paths.toSorted());
  expect(paths).toEqual(expect.arrayContaining(['/api', '/api/v1', '/apis', '/apis/', '/apis/apps', '/apis/apps/v1', '/healthz', '/version']));
  expect((await ask('/index.html')).json).toEqual({ paths });
});

test('/version names the Kubernetes that is spoken', async () => {
  expect((await ask('/version')).json).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.4', platform: expect.stringMatching(/^\w+\/\w+$/) });
});
