// What clients learn of groups that other servers serve, while these answer, hang and die. Put to a real kube-apiserver as well (REFERENCE_SERVER,
// started with --enable-aggregator-routing=false).
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ApiAnswer, apiUnderTest, mergePatch } from '../../test/support/api-under-test.ts';
import { formatYaml } from '#schema/yaml/yaml.ts';
import { apiServices, ExtensionServerInTest, until, untilReason } from '../../test/support/extension-server.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const api = apiUnderTest();
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const aggregatedType = { 'content-type': aggregated };

interface GroupItem {
  readonly metadata: { readonly name: string };
  readonly versions: readonly { readonly version: string; readonly freshness: string; readonly resources?: readonly { readonly resource: string }[] }[];
}

let extension: ExtensionServerInTest;
let made: string[];

beforeEach(async () => {
  made = [];
  extension = new ExtensionServerInTest();
  await extension.start();
});
afterEach(async () => {
  await Promise.all(made.map((name) => api.ask('DELETE', `${apiServices}/${name}`)));
  await extension.stop();
});

async function register(options?: Parameters<ExtensionServerInTest['register']>[1]) {
  const registration = await extension.register(api, options);
  made.push(registration.name);
  return registration;
}

async function items(): Promise<readonly GroupItem[]> {
  const { body } = await api.get('/apis', { accept: aggregated });
  return body.items as unknown as readonly GroupItem[];
}

/** The group in aggregated discovery as soon as its first version has this freshness. */
function untilFreshness(group: string, freshness: string): Promise<GroupItem> {
  return until(async () => (await items()).find(({ metadata, versions }) => metadata.name === group && versions[0]?.freshness === freshness));
}

/** Any change of the APIService lets its server be asked again. */
async function lookAgain(name: string): Promise<void> {
  await api.ask('PATCH', `${apiServices}/${name}`, { metadata: { labels: { look: 'again' } } }, mergePatch);
}

function resourceList(group: string) {
  const resources = [
    { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'], shortNames: ['th'] },
    { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get'] },
  ];
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources };
}

function discoveryList(group: string, resource: string) {
  const resources = [{ resource, scope: 'Namespaced', singularResource: 'thing', verbs: ['get'], responseKind: { group, version: 'v1', kind: 'Thing' } }];
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [{ metadata: { name: group }, versions: [{ version: 'v1', resources }] }],
  };
}

describe('discovery of an extension server', () => {
  test('shows its resources, asked for in the older form when it has no other', async () => {
    extension.answers.set('/apis', (_, response) => response.writeHead(404).end());
    const { group, name } = await register();
    extension.json(`/apis/${group}/v1`, resourceList(group));
    await untilReason(api, name, 'Passed');
    const { versions } = await untilFreshness(group, 'Current');
    expect(versions).toEqual([
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'things',
            responseKind: { group: '', version: '', kind: 'Thing' },
            scope: 'Namespaced',
            singularResource: 'thing',
            verbs: ['get', 'list'],
            shortNames: ['th'],
            subresources: [{ subresource: 'status', responseKind: { group: '', version: '', kind: 'Thing' }, verbs: ['get'] }],
          },
        ],
      },
    ]);
    expect((await api.get(`/apis/${group}/v1`)).body).toMatchObject({ resources: [{ name: 'things' }, { name: 'things/status' }] });
  });

  test.each([
    ['in the older form', (group: string) => `/apis/${group}/v1`, (group: string) => formatYaml(resourceList(group)), 'application/yaml'],
    ['aggregated, under the type of JSON', () => '/apis', (group: string) => formatYaml(discoveryList(group, 'things')), aggregated],
  ])('may be YAML, %s', async (_what, path, text, type) => {
    extension.answers.set('/apis', (_, response) => response.writeHead(404).end());
    const { group, name } = await register();
    extension.answers.set(path(group), (_, response) => response.writeHead(200, { 'content-type': type }).end(text(group)));
    await untilReason(api, name, 'Passed');
    await until(async () => (await untilFreshness(group, 'Current')).versions[0]?.resources?.[0]?.resource === 'things');
  });

  test('is asked for with the tag of what is known', async () => {
    const { group, name } = await register();
    extension.json('/apis', discoveryList(group, 'things'), { ...aggregatedType, etag: '"one"' });
    await untilReason(api, name, 'Passed');
    await until(async () => (await untilFreshness(group, 'Current')).versions[0]?.resources?.[0]?.resource === 'things');
    await lookAgain(name);
    await until(async () => extension.asked.some(({ url, headers }) => url === '/apis' && headers['if-none-match'] === '"one"'));
    expect((await untilFreshness(group, 'Current')).versions[0]?.resources).toHaveLength(1);
  });

  test('is stale and without resources while the server is gone, and current when it is back', async () => {
    const { group, name } = await register();
    extension.json('/apis', discoveryList(group, 'things'), aggregatedType);
    await untilReason(api, name, 'Passed');
    await until(async () => (await untilFreshness(group, 'Current')).versions[0]?.resources?.length === 1);
    await extension.stop();
    await lookAgain(name);
    expect((await untilFreshness(group, 'Stale')).versions).toEqual([{ version: 'v1', freshness: 'Stale' }]);
    expect((await api.get('/apis')).text).toContain(group);
    expect((await api.get(`/apis/${group}`)).body).toMatchObject({ kind: 'APIGroup', preferredVersion: { version: 'v1' } });
    await extension.start();
    await untilReason(api, name, 'Passed');
    await untilFreshness(group, 'Current');
  });

  test.each([
    ['of another kind', { kind: 'Answer' }, 'Stale'],
    ['of another known kind', { kind: 'APIGroupList', apiVersion: 'v1' }, 'Stale'],
    ['of no kind', {}, 'Current'],
    ['of another version', { kind: 'APIResourceList', apiVersion: 'v2' }, 'Current'],
    ['that is no object', [], 'Stale'],
  ])('of a list %s: %j is %s', async (_what, document, freshness) => {
    extension.answers.set('/apis', (_, response) => response.writeHead(404).end());
    const { group, name } = await register();
    extension.json(`/apis/${group}/v1`, resourceList(group));
    await untilReason(api, name, 'Passed');
    await until(async () => (await untilFreshness(group, 'Current')).versions[0]?.resources?.length === 1);
    extension.json(`/apis/${group}/v1`, document);
    await lookAgain(name);
    await until(async () => (await untilFreshness(group, freshness)).versions[0]?.resources === undefined);
  });

  test.each([
    ['Answer', 'apidiscovery.k8s.io/v2', 'Stale'],
    ['APIGroupDiscoveryList', 'v1', 'Stale'],
    ['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2beta1', 'Current'],
    [undefined, undefined, 'Current'],
  ])('of an aggregated document of kind %s of %s is %s', async (kind, apiVersion, freshness) => {
    const { group, name } = await register();
    extension.json('/apis', discoveryList(group, 'things'), aggregatedType);
    await untilReason(api, name, 'Passed');
    await until(async () => (await untilFreshness(group, 'Current')).versions[0]?.resources?.[0]?.resource === 'things');
    extension.json('/apis', { ...discoveryList(group, 'others'), kind, apiVersion }, aggregatedType);
    await lookAgain(name);
    const wanted = freshness === 'Stale' ? undefined : 'others';
    await until(async () => (await untilFreshness(group, freshness)).versions[0]?.resources?.[0]?.resource === wanted);
  });

  test('stands among the others by the priority of its APIService', async () => {
    const high = await register({ groupPriorityMinimum: 17_850 });
    const low = await register({ groupPriorityMinimum: 10 });
    await untilFreshness(low.group, 'Current');
    const order = (names: readonly string[]) =>
      names.filter((name) => [high.group, low.group, 'apps', 'apiregistration.k8s.io', 'events.k8s.io'].includes(name));
    const expected = ['apiregistration.k8s.io', high.group, 'apps', 'events.k8s.io', low.group];
    const { groups } = (await api.get('/apis')).body as unknown as { groups: { name: string }[] };
    expect(order(groups.map(({ name }) => name))).toEqual(expected);
    expect(order((await items()).map(({ metadata }) => metadata.name))).toEqual(expected);
  });

  test('puts versions in the order of their priorities, whoever serves them', async () => {
    const first = await register({ versionPriority: 20 });
    await register({ group: first.group, version: 'v2beta1', versionPriority: 30 });
    await register({ group: first.group, version: 'v2', versionPriority: 20 });
    await until(async () => (await untilFreshness(first.group, 'Current')).versions.length === 3);
    const expected = ['v2beta1', 'v2', 'v1'];
    expect((await untilFreshness(first.group, 'Current')).versions.map(({ version }) => version)).toEqual(expected);
    const { versions } = (await api.get(`/apis/${first.group}`)).body as unknown as { versions: { version: string }[] };
    expect(versions.map(({ version }) => version)).toEqual(expected);
  });

  test('is not waited for: a server that hangs delays nobody', async () => {
    for (const path of ['/apis', '/openapi/v2', '/openapi/v3']) extension.answers.set(path, () => {});
    const { group, name } = await register();
    extension.answers.set(`/apis/${group}/v1`, () => {});
    await until(async () => extension.asked.some(({ url }) => url === '/apis'));
    const began = performance.now();
    const answers = await Promise.all(['/apis', `/apis/${group}`, '/apis/apps/v1', '/openapi/v3', '/openapi/v2'].map((path) => api.get(path)));
    expect(answers.map(({ code }) => code)).toEqual([200, 200, 200, 200, 200]);
    // The server is given five seconds at least.
    expect(performance.now() - began).toBeLessThan(4_000);
    await untilReason(api, name, 'FailedDiscoveryCheck');
    expect((await api.get(`/apis/${group}/v1`)).text).toBe('service unavailable\n');
  });

  test('of a version served here is replaced while an APIService leads elsewhere', async () => {
    const path = `${apiServices}/v1.events.k8s.io`;
    const before = (await api.get(path)).body as unknown as { spec: object; metadata: object };
    const namespace = await api.namespace();
    await api.make(`/api/v1/namespaces/${namespace}/services`, { metadata: { name: 'ext' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
    extension.json('/apis', discoveryList('events.k8s.io', 'replaced'), aggregatedType);
    const spec = { service: { namespace, name: 'ext', port: extension.port }, insecureSkipTLSVerify: true };
    await api.ask('PATCH', path, { spec }, { type: 'application/merge-patch+json' });
    const replaced = await until(async () =>
      (await items()).find(({ metadata, versions }) => metadata.name === 'events.k8s.io' && versions[0]?.resources?.[0]?.resource === 'replaced'),
    );
    expect(replaced.versions).toHaveLength(1);
    await untilReason(api, 'v1.events.k8s.io', 'Passed');
    await until(async () => (await api.get('/apis/events.k8s.io/v1/events')).text === '{"kind":"Answer"}');
    await api.ask('PATCH', path, { spec: { service: null, insecureSkipTLSVerify: null } }, { type: 'application/merge-patch+json' });
    await untilReason(api, 'v1.events.k8s.io', 'Local');
    await until(async () => (await api.get('/apis/events.k8s.io/v1/events')).body.kind === 'EventList');
    expect((await api.get(path)).body).toMatchObject({ spec: before.spec });
  });
});

describe('OpenAPI of an extension server', () => {
  const swagger = (group: string) => ({
    swagger: '2.0',
    info: { title: 'extension', version: '1' },
    paths: {
      [`/apis/${group}/v1/things`]: {
        get: {
          operationId: 'listThings',
          produces: ['application/json'],
          parameters: [{ name: 'limit', in: 'query', type: 'integer', description: 'how many' }],
          responses: { '200': { description: 'OK', schema: { $ref: '#/definitions/com.example.Thing' } } },
        },
      },
      '/apis/elsewhere/v1/others': { get: { responses: { '200': { description: 'OK', schema: { $ref: '#/definitions/com.example.Other' } } } } },
    },
    definitions: {
      'com.example.Thing': {
        type: 'object',
        properties: { meta: { description: 'own words', $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' } },
      },
      'com.example.Other': { type: 'object' },
      'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': { type: 'object', description: 'another one' },
    },
  });

  interface Document {
    readonly paths: Record<string, { get: { responses: { '200': { schema: { $ref: string } } } } }>;
    readonly definitions: Record<string, { properties?: Record<string, { $ref?: string }> }>;
  }

  test('of version 2 is merged, with other names for definitions that differ', async () => {
    const { group, name } = await register();
    extension.json('/openapi/v2', swagger(group), { etag: '"s1"' });
    extension.answers.set('/openapi/v3', (_, response) => response.writeHead(404).end());
    await untilReason(api, name, 'Passed');
    const path = `/apis/${group}/v1/things`;
    const found = await until(async () => {
      const { body } = await api.get('/openapi/v2');
      return (body as unknown as Document).paths[path] && (body as unknown as Document);
    });
    expect(found.paths[path]?.get.responses['200'].schema.$ref).toBe('#/definitions/com.example.Thing');
    expect(Object.keys(found.paths)).toEqual(expect.arrayContaining(['/api/v1/pods', '/apis/apps/v1/deployments']));
    const renamed = found.definitions['com.example.Thing']?.properties?.['meta']?.$ref?.slice('#/definitions/'.length) ?? '';
    expect(renamed).toMatch(/ObjectMeta_v\d+$/);
    expect(found.definitions[renamed]).toMatchObject({ description: 'another one' });
    expect(found.definitions).not.toHaveProperty(['com.example.Other']);
    expect(found.paths).not.toHaveProperty(['/apis/elsewhere/v1/others']);
    const { etag } = (await api.get('/openapi/v2')).headers;
    expect(etag).toMatch(/^"/);
  });

  test('of version 3 is made from version 2 for a server that has no other', async () => {
    const { group, name } = await register();
    extension.json('/openapi/v2', swagger(group));
    extension.answers.set('/openapi/v3', (_, response) => response.writeHead(404).end());
    await untilReason(api, name, 'Passed');
    const url = await untilListed(`apis/${group}/v1`);
    expect(url).toMatch(new RegExp(`^/openapi/v3/apis/${group}/v1\\?hash=[0-9A-F]{128}$`));
    const { code, body } = await api.get(url);
    expect([code, body]).toMatchObject([
      200,
      {
        openapi: '3.0.0',
        paths: {
          [`/apis/${group}/v1/things`]: {
            get: {
              operationId: 'listThings',
              parameters: [{ name: 'limit', in: 'query', description: 'how many', schema: { type: 'integer' } }],
              responses: { '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/com.example.Thing' } } } } },
            },
          },
        },
        components: {
          schemas: {
            'com.example.Thing': {
              properties: { meta: { description: 'own words', allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] } },
            },
          },
        },
      },
    ]);
  });

  test('of version 3 is listed with its own hash and passed on from its server, which alone knows it', async () => {
    const { group, name } = await register();
    const entry = { serverRelativeURL: `/openapi/v3/apis/${group}/v1?hash=ABC` };
    extension.json('/openapi/v3', { paths: { [`apis/${group}/v1`]: entry, version: { serverRelativeURL: '/openapi/v3/version?hash=X' } } });
    extension.json(`/openapi/v3/apis/${group}/v1`, { openapi: '3.0.0', from: 'extension' }, { etag: '"ABC"' });
    await untilReason(api, name, 'Passed');
    expect(await untilListed(`apis/${group}/v1`)).toBe(entry.serverRelativeURL);
    const { body } = await api.get(entry.serverRelativeURL, { as: 'jane', groups: ['system:masters'] });
    expect(body).toMatchObject({ from: 'extension' });
    const passedOn = extension.asked.findLast(({ url }) => url === entry.serverRelativeURL);
    expect(passedOn?.headers['x-remote-user']).toBe('jane');
    expect((await api.get('/openapi/v3/api/v1')).body).toMatchObject({ openapi: '3.0.0' });
  });

  async function untilListed(name: string): Promise<string> {
    const entry = await until(async () => ((await indexed()) as Record<string, { serverRelativeURL: string }>)[name]);
    return entry.serverRelativeURL;
  }

  async function indexed(): Promise<object> {
    const answer: ApiAnswer = await api.get('/openapi/v3');
    return (answer.body as unknown as { paths: object }).paths;
  }
});
