// Logs, shells and proxies of pods that run nowhere.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { refuseOwnNetwork } from '#verbs/subresources/proxy-targets.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;

beforeAll(async () => {
  server = await ServerInTest.start();
  const containers = [
    { name: 'main', image: 'a' },
    { name: 'side', image: 'b' },
  ];
  await server.make('/api/v1/namespaces/default/pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers } });
});

afterAll(() => server[Symbol.asyncDispose]());

const get = (path: string) => server.ask('GET', `/api/v1/namespaces/default/pods/${path}`);

describe('a pod without a node', () => {
  it('has nothing in its log', async () => {
    expect(await get('web/log?container=main')).toMatchObject({ code: 204, text: '' });
  });

  it.each([
    ['web/log', 400, 'a container name must be specified for pod web, choose one of: [main side]'],
    ['web/log?container=nope', 400, 'container nope is not valid for pod web'],
    ['nope/log', 404, 'pods "nope" not found'],
    ['web/log?container=main&limitBytes=0', 422, 'PodLogOptions "web" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
    ['web/exec?container=main&command=ls', 400, 'pod web does not have a host assigned'],
    ['web/portforward', 400, 'pod web does not have a host assigned'],
    ['https:web:80/proxy', 400, 'address not allowed'],
    ['ftp:web:80/proxy', 400, 'invalid pod request "ftp:web:80"'],
  ])('answers %s with %i', async (path, code, message) => {
    const answer = await get(path);
    expect([answer.code, answer.json.message]).toEqual([code, message]);
  });
});

describe('the proxy of a service or a node', () => {
  const paths = { service: '/api/v1/namespaces/default/services/far', node: '/api/v1/nodes/far' };

  beforeAll(async () => {
    await server.make('/api/v1/namespaces/default/services', { metadata: { name: 'far' }, spec: { ports: [{ port: 80, name: 'web' }] } });
    await server.make('/api/v1/nodes', { metadata: { name: 'far' } });
  });

  it.each(Object.values(paths))('is not the object itself: nothing done through it reaches %s', async (path) => {
    const before = (await server.ask('GET', path)).json;
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const { code } = await server.ask(method, `${path}/proxy`, method === 'GET' || method === 'DELETE' ? undefined : { metadata: { name: 'far' } });
      expect([method, code >= 400]).toEqual([method, true]);
    }
    expect((await server.ask('GET', path)).json).toEqual(before);
  });

  it('says what is missing', async () => {
    const said = async (path: string) => {
      const { code, json } = await server.ask('GET', path);
      return [code, json.message];
    };
    expect(await said(`${paths.service}/proxy`)).toEqual([404, 'services "far" not found']);
    expect(await said(`${paths.service}:81/proxy`)).toEqual([503, 'no service port 81 found for service "far"']);
    await server.make('/api/v1/namespaces/default/endpoints', { metadata: { name: 'far' } });
    expect(await said(`${paths.service}:80/proxy/path`)).toEqual([503, 'no endpoints available for service "far"']);
    expect(await said(`/api/v1/namespaces/default/services/a:b:c/proxy`)).toEqual([400, 'invalid service request "a:b:c"']);
    expect(await said(`${paths.node}/proxy`)).toEqual([expect.any(Number), 'no preferred addresses found; known addresses: []']);
  });
});

it('a proxy leads to no address of this machine or its own network', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '169.254.169.254', '::1', 'fe80::1', '0.0.0.0', '224.0.0.1']) {
    expect(() => refuseOwnNetwork(address), address).toThrow('address not allowed');
  }
  for (const address of ['10.0.0.1', '192.0.2.1', '2001:db8::1', 'node.example']) expect(() => refuseOwnNetwork(address), address).not.toThrow();
});

describe('methods and media types of connections', () => {
  const pod = '/api/v1/namespaces/default/pods/web';

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '%s of a proxy is for the pod to judge, whatever is accepted or sent',
    async (method) => {
      const headers = { accept: 'text/html', 'content-type': 'text/odd' };
      for (const path of [`${pod}/proxy`, `${pod}/proxy/a/b`]) {
        const { code, json } = await server.ask(method, path, undefined, { headers });
        expect([code, json.message]).toEqual([400, method === 'HEAD' ? undefined : 'address not allowed']);
      }
    },
  );

  it.each(['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('%s of a shell or a port is not allowed', async (method) => {
    for (const part of ['exec', 'attach', 'portforward']) expect((await server.ask(method, `${pod}/${part}`)).code).toBe(405);
  });

  it('a method that nobody knows is not allowed, and a log is negotiated', async () => {
    expect((await server.ask('PROPFIND', `${pod}/proxy`)).code).toBe(405);
    expect((await server.ask('GET', `${pod}/log?container=main`, undefined, { headers: { accept: 'text/html' } })).code).toBe(406);
  });
});

describe('a GET of a shell or a port', () => {
  let limited: ServerInTest;

  beforeAll(async () => {
    limited = await ServerInTest.start({ users: 'looker,looker,1\n' });
    const rules = [{ apiGroups: [''], resources: ['pods/exec', 'pods/attach', 'pods/portforward'], verbs: ['get'] }];
    await limited.make('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: 'looker' }, rules });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'looker' };
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'looker' }];
    await limited.make('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { metadata: { name: 'looker' }, roleRef, subjects });
  });

  afterAll(() => limited[Symbol.asyncDispose]());

  it.each(['exec', 'attach', 'portforward'])('needs the right to create pods/%s, and says nothing about the pod before', async (part) => {
    const path = `/api/v1/namespaces/default/pods/nope/${part}`;
    await vi.waitFor(async () => expect((await limited.ask('GET', path, undefined, { token: 'looker' })).json.message).not.toContain('cannot get'));
    const { code, json } = await limited.ask('GET', path, undefined, { token: 'looker' });
    expect([code, json]).toMatchObject([403, { message: 'pods "nope" is forbidden: ', reason: 'Forbidden', details: { name: 'nope', kind: 'pods' } }]);
    expect((await limited.ask('GET', path)).code).toBe(404);
  });
});

describe('a path with slashes too many', () => {
  it.each(['//api/v1/namespaces', '///api/v1/namespaces/default', '//apis/apps/v1/deployments', '//', '//api', '//version', '//healthz', '//metrics'])(
    '%s leads nowhere',
    async (path) => {
      expect(await server.ask('GET', path)).toMatchObject({ code: 404, text: '404 page not found\n' });
    },
  );

  it.each(['/api/v1//namespaces', '/api/v1/namespaces//default', '/api/v1/namespaces/default//pods', '/api//v1/namespaces', '/apis//apps/v1/deployments'])(
    '%s is not found',
    async (path) => {
      expect((await server.ask('GET', path)).code).toBe(404);
    },
  );

  it.each(['/api/v1/namespaces/', '/api/v1/namespaces//', '/api/v1/namespaces/default/', '/api/'])('%s ends with them and is served', async (path) => {
    expect((await server.ask('GET', path)).code).toBe(200);
  });
});
