import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let server: ServerInTest;

beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--disable-admission-plugins='] });
  await server.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' }, imagePullSecrets: [{ name: 'pull' }] });
  await server.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'silent' }, automountServiceAccountToken: false });
  const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  await server.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'strict', annotations }, secrets: [{ name: 'mine' }] });
});
afterAll(() => server[Symbol.asyncDispose]());

interface Spec {
  readonly serviceAccountName?: string;
  readonly imagePullSecrets?: object[];
  readonly volumes?: { name: string; projected: { sources: object[] } }[];
  readonly containers: { volumeMounts?: { mountPath: string }[] }[];
}

function create(name: string, spec: object, metadata: object = {}) {
  return server.ask('POST', '/api/v1/namespaces/default/pods', { metadata: { name, ...metadata }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
}

test('a pod runs as the default account, with its token and its pull secrets', async () => {
  const { spec } = (await create('plain', {})).json as unknown as { spec: Spec };
  expect(spec.serviceAccountName).toBe('default');
  expect(spec.imagePullSecrets).toEqual([{ name: 'pull' }]);
  expect(spec.volumes?.[0]?.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
  expect(spec.volumes?.[0]?.projected.sources).toHaveLength(3);
  expect(spec.containers[0]?.volumeMounts?.[0]?.mountPath).toBe('/var/run/secrets/kubernetes.io/serviceaccount');
});

test.each([
  ['the account does not want it', { serviceAccountName: 'silent' }],
  ['the pod does not want it', { automountServiceAccountToken: false }],
])('no token is mounted when %s', async (_, wish) => {
  const { spec } = (await create(`quiet-${'serviceAccountName' in wish}`, wish)).json as unknown as { spec: Spec };
  expect(spec.volumes).toBeUndefined();
});

test('an account must exist', async () => {
  const { code, json } = await create('lost', { serviceAccountName: 'nobody' });
  expect([code, json.message]).toEqual([403, 'pods "lost" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found']);
});

const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } };
test.each([
  [{ serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts'],
  [{ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, 'a mirror pod may not reference secrets'],
  [
    { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
    'a mirror pod may not use ServiceAccountToken volume projections',
  ],
])('a mirror pod with %j is refused', async (spec, why) => {
  expect((await create('mirror', spec, mirror)).json.message).toBe(`pods "mirror" is forbidden: ${why}`);
});

const env = (name: string) => ({ env: [{ name: 'E', valueFrom: { secretKeyRef: { name, key: 'k' } } }] });
test.each<[object, string]>([
  [{ volumes: [{ name: 'v', secret: { secretName: 'other' } }] }, 'volume with secret.secretName="other"'],
  [{ containers: [{ name: 'c', image: 'i', ...env('other') }] }, 'container c with envVar E referencing secret.secretName="other"'],
  [
    { initContainers: [{ name: 'd', image: 'i', envFrom: [{ secretRef: { name: 'other' } }] }] },
    'init container d with envFrom referencing secret.secretName="other"',
  ],
  [{ imagePullSecrets: [{ name: 'other' }] }, 'imagePullSecrets[0].name="other"'],
])('an account that limits its secrets refuses %j', async (spec, what) => {
  const { code, json } = await create('strict', { serviceAccountName: 'strict', ...spec });
  expect(code).toBe(403);
  expect(json.message).toContain(`${what} is not allowed because service account strict does not reference that`);
});

test.each([env('other'), { envFrom: [{ secretRef: { name: 'other' } }] }])('nor may an ephemeral container take it later: %j', async (how) => {
  const name = `later-${'env' in how ? 'env' : 'from'}`;
  expect((await create(name, { serviceAccountName: 'strict' })).code).toBe(201);
  const patch = { spec: { ephemeralContainers: [{ name: 'd', image: 'i', ...how }] } };
  const path = `/api/v1/namespaces/default/pods/${name}/ephemeralcontainers`;
  const { code, json } = await server.ask('PATCH', path, patch, { type: 'application/strategic-merge-patch+json' });
  // A plain error upstream: a bad request, not a refusal.
  expect([code, json.message]).toEqual([400, expect.stringContaining('does not reference that')]);
});

test('an account that limits its secrets allows its own', async () => {
  expect((await create('fine', { serviceAccountName: 'strict', containers: [{ name: 'c', image: 'i', ...env('mine') }] })).code).toBe(201);
});
