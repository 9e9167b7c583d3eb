import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { parseOptions } from '#app/flags/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { silentLog } from '#base/log.ts';
import type { ResourceAddress } from '#client/rest-client.ts';

const core = (resource: string): ResourceAddress => ({ group: '', version: 'v1', resource, namespaced: true });
const quotas = core('resourcequotas');
const pods = core('pods');
const configMaps = core('configmaps');

let dir: string;
let server: RunningServer;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-quota-'));
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

async function start(...flags: string[]): Promise<void> {
  const argv = [
    `--data-dir=${dir}`,
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    '--controllers=resourcequota-controller',
    '--disable-admission-plugins=ServiceAccount',
    ...flags,
  ];
  server = await runServer(parseOptions(argv, { homeDir: '/nowhere' }), silentLog);
}

async function limit(hard: Record<string, string>): Promise<void> {
  await server.api.client.create(quotas, 'default', { kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } });
  await vi.waitFor(async () => expect(Object.keys(await used())).toEqual(Object.keys(hard).toSorted()), { timeout: 10_000 });
}

async function used(): Promise<Record<string, string>> {
  const { status } = (await server.api.client.get(quotas, 'default', 'q')) as { status?: { used?: Record<string, string> } };
  return status?.used ?? {};
}

function pod(name: string, cpu: string): KubernetesObject {
  return { kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] } };
}

function configMap(name: string): KubernetesObject {
  return { kind: 'ConfigMap', metadata: { name } };
}

/** How many got through; everybody else must have been refused for the quota. */
async function race(count: number, create: (index: number) => Promise<unknown>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: count }, (_, index) => create(index)));
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as ApiError] : []));
  for (const refusal of refusals) expect(refusal.message).toContain('exceeded quota: q');
  return count - refusals.length;
}

describe('64 concurrent creators never exceed', () => {
  test('a number of pods', async () => {
    await start('--memory');
    await limit({ pods: '10' });
    expect(await race(64, (index) => server.api.client.create(pods, 'default', pod(`p${index}`, '1')))).toBe(10);
    expect(await used()).toEqual({ pods: '10' });
  });

  test('an amount of cpu', async () => {
    await start('--memory');
    await limit({ 'requests.cpu': '2' });
    expect(await race(64, (index) => server.api.client.create(pods, 'default', pod(`p${index}`, '150m')))).toBe(13);
    expect(await used()).toEqual({ 'requests.cpu': '1950m' });
  });

  test('a count of any resource', async () => {
    await start('--memory');
    const { items } = await server.api.client.list(configMaps, 'default');
    await limit({ 'count/configmaps': String(items.length + 7) });
    expect(await race(64, (index) => server.api.client.create(configMaps, 'default', configMap(`c${index}`)))).toBe(7);
    expect((await server.api.client.list(configMaps, 'default')).items).toHaveLength(items.length + 7);
  });
});

test('a write that fails after it was charged is given back', async () => {
  await start('--memory');
  await limit({ pods: '10' });
  await server.api.client.create(pods, 'default', pod('a', '1'));
  await expect(server.api.client.create(pods, 'default', pod('a', '1'))).rejects.toThrow('already exists');
  expect(await used()).toEqual({ pods: '1' });
});

test('what goes away is free again', async () => {
  await start('--memory');
  await limit({ pods: '1' });
  await server.api.client.create(pods, 'default', pod('a', '1'));
  await server.api.client.delete(pods, 'default', 'a', { gracePeriodSeconds: 0 });
  await vi.waitFor(async () => expect(await used()).toEqual({ pods: '0' }), { timeout: 10_000 });
  await server.api.client.create(pods, 'default', pod('b', '1'));
});

test('limits that change are taken over, and keep what is used', async () => {
  await start('--memory');
  await limit({ pods: '1' });
  await server.api.client.create(pods, 'default', pod('a', '1'));
  await server.api.client.patch(quotas, { namespace: 'default', name: 'q' }, 'application/merge-patch+json', {
    spec: { hard: { pods: '2', 'requests.cpu': '5' } },
  });
  await vi.waitFor(async () => expect(await used()).toEqual({ pods: '1', 'requests.cpu': '1' }), { timeout: 10_000 });
});

test('what a crash left charged without an object is found at the next start', async () => {
  await start();
  await limit({ pods: '10' });
  await server.api.client.create(pods, 'default', pod('a', '1'));
  const quota = await server.api.client.get<KubernetesObject>(quotas, 'default', 'q');
  await server.api.client.update(quotas, { ...quota, status: { hard: { pods: '10' }, used: { pods: '8' } } }, 'status');
  await server.close();
  await start();
  await vi.waitFor(async () => expect(await used()).toEqual({ pods: '1' }), { timeout: 10_000 });
});
