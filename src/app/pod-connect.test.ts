// Logs, shells and proxies of pods that run nowhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
