import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=namespace'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 50 };
const merge = { type: 'application/merge-patch+json' };

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}
interface Ending {
  readonly status: { readonly phase: string; readonly conditions?: readonly Condition[] };
}

async function made(namespace: string): Promise<string> {
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
  return `/api/v1/namespaces/${namespace}`;
}

async function codeOf(path: string): Promise<number> {
  return (await server.ask('GET', path)).code;
}

async function problemsOf(path: string): Promise<readonly string[]> {
  const { json } = await server.ask('GET', path);
  return ((json as unknown as Ending).status.conditions ?? []).filter(({ status }) => status === 'True').map(({ type, message }) => `${type}: ${message}`);
}

test('a namespace goes with everything in it, and nothing of another goes', async () => {
  const [path, other] = [await made('full'), await made('kept')];
  for (const place of [path, other]) for (let i = 0; i < 20; i++) await server.make(`${place}/configmaps`, { metadata: { name: `c${i}` } });
  await server.make(`${path}/secrets`, { metadata: { name: 's' } });
  await server.ask('DELETE', path);
  await expect.poll(() => codeOf(path), soon).toBe(404);
  expect((await server.ask('GET', '/api/v1/configmaps')).json.items.filter(({ metadata }) => 'namespace' in metadata && metadata.namespace === 'full')).toEqual(
    [],
  );
  expect((await server.ask('GET', `${other}/configmaps`)).json.items).toHaveLength(20);
});

test('what is held by finalizers is told, and the namespace goes as soon as it is released', async () => {
  const path = await made('held');
  for (const name of ['a', 'b']) await server.make(`${path}/configmaps`, { metadata: { name, finalizers: ['example.com/hold'] } });
  await server.ask('DELETE', path);
  await expect
    .poll(() => problemsOf(path), soon)
    .toEqual([
      'NamespaceContentRemaining: Some resources are remaining: configmaps. has 2 resource instances',
      'NamespaceFinalizersRemaining: Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances',
    ]);
  // Sooner than the eight seconds after which it is looked at again.
  const started = performance.now();
  for (const name of ['a', 'b']) await server.ask('PATCH', `${path}/configmaps/${name}`, { metadata: { finalizers: null } }, merge);
  await expect.poll(() => codeOf(path), soon).toBe(404);
  expect(performance.now() - started).toBeLessThan(7_000);
});

test('pods go first: nothing else is touched while one is there', async () => {
  const path = await made('ordered');
  await server.make(`${path}/pods`, { metadata: { name: 'p', finalizers: ['example.com/hold'] }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await server.make(`${path}/configmaps`, { metadata: { name: 'c' } });
  await server.ask('DELETE', path);
  await expect.poll(async () => ((await server.ask('GET', path)).json as unknown as Ending).status.conditions?.length, soon).toBe(5);
  // As in the original: pods that others wait for are not counted among what remains.
  expect(await problemsOf(path)).toEqual([]);
  expect(await codeOf(`${path}/configmaps/c`)).toBe(200);
  await server.ask('PATCH', `${path}/pods/p`, { metadata: { finalizers: null } }, merge);
  await expect.poll(() => codeOf(path), soon).toBe(404);
});

test('a server of other kinds that does not answer is named, and nothing is called gone before it does', async () => {
  await server.make('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.far.example.com' },
    spec: {
      group: 'far.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      service: { namespace: 'default', name: 'nowhere' },
      insecureSkipTLSVerify: true,
    },
  });
  const path = await made('unknown');
  await server.ask('DELETE', path);
  const said =
    'NamespaceDeletionDiscoveryFailure: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: far.example.com/v1: stale GroupVersion discovery: far.example.com/v1';
  await expect.poll(() => problemsOf(path), soon).toEqual([said]);
  await server.ask('DELETE', '/apis/apiregistration.k8s.io/v1/apiservices/v1.far.example.com');
  await expect.poll(() => codeOf(path), soon).toBe(404);
});
