import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { QueueMetrics } from '#client/queue-metrics.ts';
import { secretsOfPodSpec } from '#auth/authorization/node-edges.ts';
import { tokenCleaner } from '#controllers/service-accounts/token-cleaner.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import { parseJwt } from '#auth/authentication/jwt.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
let now = new Date('2026-01-01T00:00:00Z');
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=serviceaccount-token,serviceaccount'], clock: { now: () => now } });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 50 };
const path = '/api/v1/namespaces/default';
const type = 'kubernetes.io/service-account-token';

interface Filled {
  readonly metadata: { readonly uid: string; readonly annotations: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly secrets?: readonly { readonly name: string }[];
}

async function read(at: string): Promise<Filled | undefined> {
  const { code, json } = await server.ask('GET', at);
  return code === 404 ? undefined : (json as unknown as Filled);
}

/** The Secret once the controller has filled it. */
async function filled(name: string, account: string): Promise<Filled> {
  await server.make(`${path}/secrets`, { metadata: { name, annotations: { 'kubernetes.io/service-account.name': account } }, type });
  await expect.poll(async () => Object.keys((await read(`${path}/secrets/${name}`))?.data ?? {}).sort(), soon).toEqual(['ca.crt', 'namespace', 'token']);
  return (await read(`${path}/secrets/${name}`)) as Filled;
}

async function cleanUp(): Promise<void> {
  const { client, reads } = server.server.api;
  const secretsOfPod = (pod: KubernetesObject) => secretsOfPodSpec((pod as unknown as Pod).spec).filter((name) => name !== undefined);
  const parts = { log: silentLog, timers: systemTimers, metrics: new QueueMetrics(), client, sources: reads.sources, now: () => now, secretsOfPod };
  const [cleaner, stopped] = [tokenCleaner(parts), new AbortController()];
  const running = cleaner.run(stopped.signal);
  await cleaner.settled;
  stopped.abort();
  await running;
}

const text = (base64 = '') => Buffer.from(base64, 'base64').toString();

test('a Secret that asks for a token gets one that the server takes, with the authority and the namespace', async () => {
  await server.make(`${path}/serviceaccounts`, { metadata: { name: 'a' } });
  const { data, metadata } = await filled('a-token', 'a');
  const account = await read(`${path}/serviceaccounts/a`);
  expect(metadata.annotations['kubernetes.io/service-account.uid']).toBe(account?.metadata.uid);
  expect(text(data?.['namespace'])).toBe('default');
  expect(text(data?.['ca.crt'])).toContain('BEGIN CERTIFICATE');
  expect(parseJwt(text(data?.['token']))?.claims).toMatchObject({ iss: 'kubernetes/serviceaccount', sub: 'system:serviceaccount:default:a' });
  const review = await server.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: text(data?.['token']) } });
  expect(review.json.status).toMatchObject({ authenticated: true, user: { username: 'system:serviceaccount:default:a' } });
});

test('what somebody takes out of the Secret comes back', async () => {
  await server.make(`${path}/serviceaccounts`, { metadata: { name: 'b' } });
  await filled('b-token', 'b');
  await server.ask('PATCH', `${path}/secrets/b-token`, { data: { 'ca.crt': null, token: null } }, { type: 'application/merge-patch+json' });
  await expect.poll(async () => Object.keys((await read(`${path}/secrets/b-token`))?.data ?? {}).sort(), soon).toEqual(['ca.crt', 'namespace', 'token']);
});

test('it goes with its account, also one of an account that was never there', async () => {
  await server.make(`${path}/serviceaccounts`, { metadata: { name: 'c' } });
  await filled('c-token', 'c');
  await server.ask('DELETE', `${path}/serviceaccounts/c`);
  await expect.poll(() => read(`${path}/secrets/c-token`), soon).toBeUndefined();
  await server.make(`${path}/secrets`, { metadata: { name: 'nobody', annotations: { 'kubernetes.io/service-account.name': 'never' } }, type });
  await expect.poll(() => read(`${path}/secrets/nobody`), soon).toBeUndefined();
});

test('when it is deleted its account no longer names it', async () => {
  await server.make(`${path}/serviceaccounts`, { metadata: { name: 'd' }, secrets: [{ name: 'd-token' }, { name: 'other' }] });
  await filled('d-token', 'd');
  await server.ask('DELETE', `${path}/secrets/d-token`);
  await expect.poll(async () => (await read(`${path}/serviceaccounts/d`))?.secrets?.map(({ name }) => name), soon).toEqual(['other']);
});

test('a token that nobody used for a year is marked, a year later it is deleted; one that a pod mounts stays', async () => {
  const year = 367 * 24 * 3600_000;
  const tracking = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
  expect(((await read(tracking)) as Filled).data).toEqual({ since: '2026-01-01' });
  for (const name of ['idle', 'mounted']) {
    await server.make(`${path}/serviceaccounts`, { metadata: { name }, secrets: [{ name: `${name}-token` }] });
    await filled(`${name}-token`, name);
  }
  const volumes = [{ name: 'v', secret: { secretName: 'mounted-token' } }];
  await server.make(`${path}/pods`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }], volumes } });
  now = new Date(now.getTime() + year);
  await cleanUp();
  const labels = async (name: string) => ((await read(`${path}/secrets/${name}`)) as unknown as { metadata: { labels?: object } }).metadata.labels;
  expect(await labels('idle-token')).toEqual({ 'kubernetes.io/legacy-token-invalid-since': now.toISOString().slice(0, 10) });
  expect(await labels('mounted-token')).toBeUndefined();
  now = new Date(now.getTime() + year);
  await cleanUp();
  expect(await read(`${path}/secrets/idle-token`)).toBeUndefined();
  expect(await read(`${path}/secrets/mounted-token`)).toBeDefined();
});
