// Fields behind feature gates: dropped while their gate is off, kept when it is on. What is expected was recorded from a real kube-apiserver.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const container = { name: 'c', image: 'i' };
const bundle = { name: 'v', projected: { sources: [{ clusterTrustBundle: { name: 'x', path: 'p' } }] } };
const pods = '/api/v1/namespaces/default/pods';

interface Gated {
  readonly gate: string;
  readonly path: string;
  readonly body: object;
  /** From the object to the gated field. */
  readonly field: string;
  readonly value: unknown;
}

const fields: readonly Gated[] = [
  {
    gate: 'ContainerStopSignals',
    path: pods,
    body: { spec: { os: { name: 'linux' }, containers: [{ ...container, lifecycle: { stopSignal: 'SIGUSR1' } }] } },
    field: 'spec.containers.0.lifecycle.stopSignal',
    value: 'SIGUSR1',
  },
  {
    gate: 'GenericWorkload',
    path: pods,
    body: { spec: { containers: [container], schedulingGroup: { podGroupName: 'g' } } },
    field: 'spec.schedulingGroup',
    value: { podGroupName: 'g' },
  },
  {
    gate: 'ClusterTrustBundleProjection',
    path: pods,
    body: { spec: { containers: [container], volumes: [bundle] } },
    field: 'spec.volumes.0.projected.sources.0.clusterTrustBundle',
    value: { name: 'x', path: 'p' },
  },
  {
    gate: 'MaxUnavailableStatefulSet',
    path: '/apis/apps/v1/namespaces/default/statefulsets',
    body: { spec: { selector: { matchLabels: { a: 'b' } }, template, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } } },
    field: 'spec.updateStrategy.rollingUpdate.maxUnavailable',
    value: 2,
  },
  {
    gate: 'CoordinatedLeaderElection',
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    body: { spec: { strategy: 'OldestEmulationVersion', holderIdentity: 'me' } },
    field: 'spec.strategy',
    value: 'OldestEmulationVersion',
  },
  {
    gate: 'VolumeLimitScaling',
    path: '/apis/storage.k8s.io/v1/csidrivers',
    body: { spec: { preventPodSchedulingIfMissing: true } },
    field: 'spec.preventPodSchedulingIfMissing',
    value: true,
  },
];

const gates = [...fields.map(({ gate }) => gate), 'ClusterTrustBundle'].map((gate) => `${gate}=true`).join(',');
const withoutAccounts = '--disable-admission-plugins=ServiceAccount';

let closed: ServerInTest;
let open: ServerInTest;
beforeAll(async () => {
  closed = await ServerInTest.start({ flags: [withoutAccounts] });
  open = await ServerInTest.start({ flags: [withoutAccounts, '--runtime-config=api/all=true', `--feature-gates=${gates}`] });
});
afterAll(async () => {
  await closed[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
});

test.each(fields)('$field is there only with $gate', async ({ gate, path, body, field, value }) => {
  const ask = async (server: ServerInTest) => {
    const { json, code } = await server.ask('POST', `${path}?dryRun=All`, { metadata: { name: gate.toLowerCase() }, ...body });
    expect([code, json.message]).toEqual([201, undefined]);
    return at(json, field.split('.'));
  };
  expect(await ask(closed)).toBeUndefined();
  expect(await ask(open)).toEqual(value);
});

function at(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined || typeof value !== 'object' || value === null) return first === undefined ? value : undefined;
  return at((value as Readonly<Record<string, unknown>>)[first], rest);
}
