import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--feature-gates=DRAAdminAccess=true'] });
  await server.make('/api/v1/namespaces', { metadata: { name: 'plain' } });
  await server.make('/api/v1/namespaces', { metadata: { name: 'trusted', labels: { 'resource.kubernetes.io/admin-access': 'true' } } });
});
afterAll(() => server[Symbol.asyncDispose]());

const spec = (adminAccess: boolean) => ({
  devices: {
    requests: [
      { name: 'a', exactly: { deviceClassName: 'c' } },
      { name: 'b', exactly: { deviceClassName: 'c', adminAccess } },
    ],
  },
});
const claims = (namespace: string) => `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
const templates = (namespace: string) => `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaimtemplates`;
const why = 'admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace';

test('a claim for the access of an administrator needs the label on its namespace', async () => {
  const refused = await server.ask('POST', claims('plain'), { metadata: { name: 'x' }, spec: spec(true) });
  expect(refused.code).toBe(422);
  expect(refused.json.message).toBe(`ResourceClaim.resource.k8s.io "x" is invalid: spec.devices.requests[1].adminAccess: Forbidden: ${why}`);
  expect((await server.ask('POST', claims('trusted'), { metadata: { name: 'x' }, spec: spec(true) })).code).toBe(201);
});

test('a claim without it needs no label', async () => {
  expect((await server.ask('POST', claims('plain'), { metadata: { name: 'y' }, spec: spec(false) })).code).toBe(201);
});

test('a template of claims is judged like a claim', async () => {
  const refused = await server.ask('POST', templates('plain'), { metadata: { name: 't' }, spec: { spec: spec(true) } });
  expect(refused.json.message).toBe(`ResourceClaimTemplate.resource.k8s.io "t" is invalid: spec.devices.requests[1].adminAccess: Forbidden: ${why}`);
  expect((await server.ask('POST', templates('trusted'), { metadata: { name: 't' }, spec: { spec: spec(true) } })).code).toBe(201);
});

test('a dry run is refused like the real thing', async () => {
  expect((await server.ask('POST', `${claims('plain')}?dryRun=All`, { metadata: { name: 'z' }, spec: spec(true) })).code).toBe(422);
});
