// Logs, shells and proxies of pods that run nowhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
