import { afterAll, beforeAll, expect, test } from 'vitest';
import { detachedSignature } from '#controllers/bootstrap-tokens/bootstrap-signer-controller.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=bootstrapsigner,tokencleaner'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const secrets = '/api/v1/namespaces/kube-system/secrets';
const info = '/api/v1/namespaces/kube-public/configmaps';

async function token(id: string, more: object = {}): Promise<void> {
  const stringData = { 'token-id': id, 'token-secret': '0123456789abcdef', 'usage-bootstrap-signing': 'true', ...more };
  await server.make(secrets, { metadata: { name: `bootstrap-token-${id}` }, type: 'bootstrap.kubernetes.io/token', stringData });
}

async function dataOfInfo(): Promise<Readonly<Record<string, string>>> {
  return ((await server.ask('GET', `${info}/cluster-info`)).json as unknown as { data: Record<string, string> }).data;
}

test('cluster-info is signed by every token that may sign, and no longer by one that is gone', async () => {
  await server.make(info, { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'kind: Config', note: 'kept' } });
  await token('abcdef');
  await token('nosign', { 'usage-bootstrap-signing': 'false' });
  const signed = { kubeconfig: 'kind: Config', note: 'kept', 'jws-kubeconfig-abcdef': detachedSignature('kind: Config', 'abcdef', '0123456789abcdef') };
  await expect.poll(dataOfInfo, soon).toEqual(signed);
  await server.ask('DELETE', `${secrets}/bootstrap-token-abcdef`);
  await expect.poll(dataOfInfo, soon).toEqual({ kubeconfig: 'kind: Config', note: 'kept' });
});

test('the signature is the one of RFC 7515 with the content left out', () => {
  // What the original signs for this token: the header is {"alg":"HS256","kid":"joshua"}.
  expect(detachedSignature('Hello from the other side. I must have called a thousand times.', 'joshua', 'my voice is my passcode')).toBe(
    'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8',
  );
});

test('a token goes when it has expired', async () => {
  await token('oldone', { expiration: '2020-01-01T00:00:00Z' });
  await token('newone', { expiration: '2099-01-01T00:00:00Z' });
  await expect.poll(async () => (await server.ask('GET', `${secrets}/bootstrap-token-oldone`)).code, soon).toBe(404);
  expect((await server.ask('GET', `${secrets}/bootstrap-token-newone`)).code).toBe(200);
});
