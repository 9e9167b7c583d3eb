// What docs/metrics.md promises of controllers is counted once they have something to do.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const root = resolve(import.meta.dirname, '../..');
const core = '/api/v1/namespaces/default';
const merge = { type: 'application/merge-patch+json' };

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=*'] });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Those of others are looked at by the tests of their controllers. */
const shownHere = /^(endpoint_slice|ephemeral_volume|resourceclaim|retroactive_storageclass|root_ca_cert|ttl_after_finished)_/;

function promised(): readonly string[] {
  const [, section = ''] = readFileSync(join(root, 'docs/metrics.md'), 'utf8').split('\n## Of controllers\n');
  return [...section.matchAll(/^- `(\S+)`$/gm)].map(([, name]) => name ?? '');
}

test('every promised metric is shown', async () => {
  await server.make(`${core}/services`, {
    metadata: { name: 'near' },
    spec: { selector: { app: 'a' }, ports: [{ port: 80 }], trafficDistribution: 'PreferClose' },
  });
  await server.make(`${core}/services`, { metadata: { name: 'hand' }, spec: { ports: [{ port: 80 }] } });
  await server.make(`${core}/endpoints`, { metadata: { name: 'hand' }, subsets: [{ addresses: [{ ip: '10.3.0.1' }], ports: [{ port: 80 }] }] });
  await finishedJob('ended');
  await makeClaims();
  const names = promised().filter((name) => shownHere.test(name));
  expect(names.length).toBeGreaterThan(10);
  await expect
    .poll(
      async () => {
        const { text } = await server.ask('GET', '/metrics');
        return names.filter((name) => !text.includes(`# TYPE ${name} `));
      },
      { timeout: 20_000, interval: 100 },
    )
    .toEqual([]);
});

/** A claim that the default class comes too late for, one of an ephemeral volume and one for devices. */
async function makeClaims(): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await server.make(`${core}/persistentvolumeclaims`, { metadata: { name: 'early' }, spec });
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  await server.make('/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'late', annotations }, provisioner: 'example.com/disks' });
  const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpus.example.com' } }] };
  await server.make('/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates', { metadata: { name: 'gpus' }, spec: { spec: { devices } } });
  const volumes = [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }];
  const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'gpus' }];
  await server.make(`${core}/pods`, { metadata: { name: 'user' }, spec: { containers: [{ name: 'c', image: 'i' }], volumes, resourceClaims } });
}

async function finishedJob(name: string): Promise<void> {
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const now = new Date().toISOString();
  await server.make(jobs, { metadata: { name }, spec: { template, suspend: true, ttlSecondsAfterFinished: 0 } });
  const conditions = ['FailureTarget', 'Failed'].map((type) => ({ type, status: 'True', lastTransitionTime: now, lastProbeTime: now }));
  await server.ask('PATCH', `${jobs}/${name}/status`, { status: { startTime: now, conditions } }, merge);
}
