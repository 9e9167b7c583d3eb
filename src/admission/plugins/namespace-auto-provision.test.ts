import { expect, test } from 'vitest';
import { apiUnderTest } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest('--disable-admission-plugins=ServiceAccount', '--enable-admission-plugins=NamespaceAutoProvision');

let serial = 0;
const unheardOf = () => `unheard-of-${Date.now()}-${serial++}`;
const exists = async (name: string) => (await api.get(`/api/v1/namespaces/${name}`)).code === 200;

test('the namespace of the first object comes into being', async () => {
  const name = unheardOf();
  await api.make(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'c' } });
  expect(await exists(name)).toBe(true);
});

test('of many first objects each finds the namespace', async () => {
  const name = unheardOf();
  const codes = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => (await api.ask('POST', `/api/v1/namespaces/${name}/configmaps`, { metadata: { name: `c${i}` } })).code),
  );
  expect(new Set(codes)).toEqual(new Set([201]));
});

test('a rehearsal makes no namespace, and fails without one', async () => {
  const name = unheardOf();
  const { code, body } = await api.ask('POST', `/api/v1/namespaces/${name}/configmaps?dryRun=All`, { metadata: { name: 'c' } });
  expect([code, body.message]).toEqual([404, `namespaces "${name}" not found`]);
  expect(await exists(name)).toBe(false);
});

test('a name that no namespace can have is refused', async () => {
  const { code, body } = await api.ask('POST', '/api/v1/namespaces/No_Namespace/configmaps', { metadata: { name: 'c' } });
  expect(code).toBe(403);
  expect(body.message).toContain('configmaps "c" is forbidden: Namespace "No_Namespace" is invalid: metadata.name');
  expect(await exists('No_Namespace')).toBe(false);
});
