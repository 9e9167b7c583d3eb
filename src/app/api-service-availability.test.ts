import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const apis = '/apis/apiregistration.k8s.io/v1/apiservices';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start();
});
afterAll(() => server[Symbol.asyncDispose]());

async function reasonOf(name: string): Promise<string | undefined> {
  const { json } = await server.ask('GET', `${apis}/${name}`);
  const { conditions = [] } = json.status as unknown as { readonly conditions?: readonly { readonly reason: string }[] };
  return conditions[0]?.reason;
}

test('what is said about an API behind a service follows the service', async () => {
  const spec = {
    group: 'far.example',
    version: 'v1',
    groupPriorityMinimum: 10,
    versionPriority: 10,
    insecureSkipTLSVerify: true,
    service: { name: 'far', namespace: 'default' },
  };
  await server.make(apis, { metadata: { name: 'v1.far.example' }, spec });
  await expect.poll(() => reasonOf('v1.far.example')).toBe('ServiceNotFound');
  await server.make('/api/v1/namespaces/default/services', { metadata: { name: 'far' }, spec: { ports: [{ port: 443 }] } });
  await expect.poll(() => reasonOf('v1.far.example')).toBe('EndpointsNotFound');
  await server.ask('DELETE', '/api/v1/namespaces/default/services/far');
  await expect.poll(() => reasonOf('v1.far.example')).toBe('ServiceNotFound');
});

test('an API of our own is always available', async () => {
  await server.make(apis, {
    metadata: { name: 'v1.near.example' },
    spec: { group: 'near.example', version: 'v1', groupPriorityMinimum: 10, versionPriority: 10 },
  });
  expect(await reasonOf('v1.near.example')).toBe('Local');
});
