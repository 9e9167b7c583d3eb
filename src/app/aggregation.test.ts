// A real extension server behind an APIService: found, asked in the caller's name, lost and found again.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiUnderTest } from '../../test/support/api-under-test.ts';
import { ExtensionServerInTest, untilAvailable, untilReason } from '../../test/support/extension-server.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const api = apiUnderTest();
let extension: ExtensionServerInTest;

beforeEach(async () => {
  extension = new ExtensionServerInTest();
  await extension.start();
});
afterEach(() => extension.stop());

test('requests reach it in the name of the caller, whatever the caller says about it', async () => {
  const { group, name } = await extension.register(api);
  await untilAvailable(api, { group, name });
  const got = await api.ask('GET', `/apis/${group}/v1/things?b=2&a=1`, undefined, { as: 'jane', groups: ['system:masters'] });
  expect([got.code, got.body]).toMatchObject([200, { kind: 'Answer' }]);
  // Whether it is available is asked all the time.
  const { url, headers } = extension.asked.findLast((asked) => asked.url?.includes('/things')) ?? {};
  expect([url, headers]).toMatchObject([`/apis/${group}/v1/things?a=1&b=2`, { 'x-remote-user': 'jane' }]);
  expect(headers).not.toHaveProperty('authorization');
  expect(headers).not.toHaveProperty('impersonate-user');
});

test('its group stands in discovery beside those served here', async () => {
  const { group, name } = await extension.register(api);
  await untilAvailable(api, { group, name });
  const { groups } = (await api.get('/apis')).body as unknown as { groups: { name: string }[] };
  expect(groups.map((each) => each.name)).toEqual(expect.arrayContaining(['apiregistration.k8s.io', 'apps', group]));
  expect((await api.get(`/apis/${group}`)).body).toMatchObject({ kind: 'APIGroup', preferredVersion: { version: 'v1' } });
  expect((await api.get('/apis/apps/v1')).body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
});

test('redirects are refused', async () => {
  const { group, name } = await extension.register(api);
  extension.answers.set(`/apis/${group}/v1/moved`, (_, response) => response.writeHead(302, { location: 'https://elsewhere.example' }).end());
  await untilAvailable(api, { group, name });
  const got = await api.get(`/apis/${group}/v1/moved`);
  expect([got.code, got.text, got.headers['location']]).toEqual([502, expect.stringContaining('not permitted'), undefined]);
});

test('a server that cannot be verified is not asked', async () => {
  const { group, name } = await extension.register(api, { caBundle: Buffer.from(new TestAuthority('others').cert).toString('base64') });
  expect(await untilReason(api, name, 'FailedDiscoveryCheck')).toContain('tls: failed to verify certificate');
  const reached = extension.asked.filter(({ url }) => url?.includes(group));
  expect([(await api.get(`/apis/${group}/v1`)).code, reached]).toEqual([503, []]);
});

test('one that dies is unavailable at once, and available again within a second of its return', async () => {
  const { group, name } = await extension.register(api);
  await untilAvailable(api, { group, name });
  await extension.stop();
  expect((await api.get(`/apis/${group}/v1`)).code).toBe(503);
  await untilReason(api, name, 'FailedDiscoveryCheck');
  expect((await api.get('/apis/apps/v1')).code).toBe(200);
  await extension.start();
  await untilAvailable(api, { group, name });
  expect((await api.get(`/apis/${group}/v1`)).code).toBe(200);
});

test('a bundle that holds no certificate is no way to a server', async () => {
  const { group } = await extension.register(api, { caBundle: Buffer.from('hello').toString('base64') });
  const [got, asked] = [await api.get(`/apis/${group}/v1`), extension.asked.filter(({ url }) => url?.includes(group))];
  expect([got.code, got.text, asked]).toEqual([503, 'service unavailable\n', []]);
});
