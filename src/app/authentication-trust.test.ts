// The ConfigMap from which extension servers learn whom to believe. Put to a real kube-apiserver as well (REFERENCE_SERVER).
import { expect, test, vi } from 'vitest';
import { apiUnderTest, mergePatch } from '../../test/support/api-under-test.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const api = apiUnderTest();
/** The original mends an edit when it looks once a minute. */
const soon = { timeout: 75_000, interval: 20 };
const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const dataThere = async () => (await api.get(path)).body.data ?? {};

test('comes back when somebody deletes it', async () => {
  const { metadata, data } = (await api.get(path)).body;
  await api.ask('DELETE', path);
  await expect.poll(async () => (await api.get(path)).body.metadata?.uid ?? metadata.uid, soon).not.toBe(metadata.uid);
  expect(await dataThere()).toEqual(data);
});

test('gets back what somebody takes away, keeps authorities that somebody adds, and loses what it does not know', async () => {
  const before = await dataThere();
  const { cert } = new TestAuthority('theirs');
  await api.ask('PATCH', path, { data: { 'client-ca-file': cert, extra: 'x' } }, mergePatch);
  await expect.poll(dataThere, soon).toEqual({ ...before, 'client-ca-file': `${cert}${before['client-ca-file']}` });
});

test('stays as it is while it cannot be read, and is whole again after it was deleted', async () => {
  await api.ask('PATCH', path, { data: { 'client-ca-file': 'garbage' } }, mergePatch);
  const { uid } = (await api.get(path)).body.metadata;
  expect((await dataThere())['client-ca-file']).toBe('garbage');
  await api.ask('DELETE', path);
  await expect.poll(async () => (await dataThere())['client-ca-file'], soon).toContain('BEGIN CERTIFICATE');
  expect((await api.get(path)).body.metadata.uid).not.toBe(uid);
});
