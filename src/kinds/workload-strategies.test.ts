// What the strategies of controllers have in common, and what each does on its own.
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { daemonsets } from '#kinds/apps/v1/daemon-set-resource.ts';
import { deployments } from '#kinds/apps/v1/deployment-resource.ts';
import { replicasets } from '#kinds/apps/v1/replica-set-resource.ts';
import { statefulsets } from '#kinds/apps/v1/stateful-set-resource.ts';
import { cronjobs } from '#kinds/batch/v1/cron-job-resource.ts';
import { jobs } from '#kinds/batch/v1/job-resource.ts';
import { replicationcontrollers } from '#kinds/core/v1/replication-controller-resource.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { clone } from '#schema/clone.ts';
import { changed, contextWith, prepared } from '../../test/support/rule-cases.ts';

const template = { metadata: { labels: { app: 'web' } }, spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x:1' }] } };
const selecting = { selector: { matchLabels: { app: 'web' } }, template };
const context = contextWith();

const workloads: readonly (readonly [ResourceDefinition, object])[] = [
  [deployments, selecting],
  [replicasets, selecting],
  [statefulsets, { ...selecting, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] }],
  [daemonsets, selecting],
  [replicationcontrollers, { template }],
  [jobs, { template }],
  [cronjobs, { schedule: '@daily', jobTemplate: { spec: { template } } }],
];

function created(definition: ResourceDefinition, spec: object, rest: object = {}): KubernetesObject & { spec: Record<string, unknown>; status: object } {
  return prepared(definition, { metadata: { name: 'one' }, spec, ...rest }, context) as never;
}

function updated(definition: ResourceDefinition, old: KubernetesObject, changes: Record<string, unknown>, subresource?: string): KubernetesObject {
  const object = changed(clone(old), changes);
  const strategy = subresource === undefined ? definition.strategy : definition.strategy.subresources?.[subresource];
  strategy?.prepareForUpdate?.(object, old, context);
  return object;
}

describe.each(workloads.map(([definition, spec]) => ({ kind: definition.kind, definition, spec })))('$kind', ({ definition, spec }) => {
  test('starts at generation 1 without the status that was sent', () => {
    const object = created(definition, spec, { status: { replicas: 5, succeeded: 5, numberReady: 5, lastScheduleTime: '2030-01-02T03:04:05Z' } });
    expect(object.metadata.generation).toBe(1);
    expect(Object.values(object.status).filter((value) => value !== 0)).toEqual([]);
  });

  test('counts generations of the spec, not of labels', () => {
    const old = created(definition, spec);
    expect(updated(definition, old, { 'metadata.labels': { a: 'b' } }).metadata.generation).toBe(1);
    expect(updated(definition, old, { 'spec.minReadySeconds': 7 }).metadata.generation).toBe(2);
  });

  test('keeps its status in updates, and its spec in updates of the status', () => {
    const old = created(definition, spec);
    const { status } = old;
    expect(updated(definition, old, { status: { replicas: 9 } })['status']).toEqual(status);
    const changedStatus = updated(definition, old, { 'spec.minReadySeconds': 7, status: { replicas: 9 } }, 'status');
    expect(changedStatus['spec']).toEqual(old.spec);
    expect(changedStatus['status']).toEqual({ replicas: 9 });
  });

  test('has a cell for every column', () => {
    const object = created(definition, spec);
    const cells = definition.columns?.map(({ read }) => read(object, { now: context.now })) ?? [];
    expect(cells[0]).toBe('one');
    expect(cells.filter((cell) => cell === undefined)).toEqual([]);
  });
});

describe('a deployment', () => {
  test('is filled in', () => {
    expect(created(deployments, selecting).spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    });
  });

  test('counts generations of annotations too', () => {
    const old = created(deployments, selecting);
    expect(updated(deployments, old, { 'metadata.annotations': { a: 'b' } }).metadata.generation).toBe(2);
  });

  test('keeps its labels in updates of the status', () => {
    const old = created(deployments, selecting, { metadata: { name: 'one', labels: { a: 'b' } } });
    expect(updated(deployments, old, { 'metadata.labels': {} }, 'status').metadata.labels).toEqual({ a: 'b' });
  });
});

test('a stateful set is filled in, its claims too', () => {
  const { spec } = created(statefulsets, { ...selecting, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] });
  expect(spec).toMatchObject({
    podManagementPolicy: 'OrderedReady',
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    volumeClaimTemplates: [{ kind: 'PersistentVolumeClaim', apiVersion: 'v1', spec: { volumeMode: 'Filesystem' }, status: { phase: 'Pending' } }],
  });
});

test('a stateful set has maxUnavailable only behind its gate', () => {
  const body = { metadata: { name: 'one' }, spec: { ...selecting, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } } } };
  const rollingUpdate = (gates: Record<string, string>) =>
    (prepared(statefulsets, body, contextWith(gates))['spec'] as { updateStrategy: { rollingUpdate: object } }).updateStrategy.rollingUpdate;
  expect(rollingUpdate({})).toEqual({ partition: 0 });
  expect(rollingUpdate({ MaxUnavailableStatefulSet: 'true' })).toEqual({ partition: 0, maxUnavailable: 2 });
});

test('a daemon set counts generations of its template in an annotation', () => {
  const key = 'deprecated.daemonset.template.generation';
  const old = created(daemonsets, selecting);
  expect(old.metadata.annotations).toEqual({ [key]: '1' });
  expect(updated(daemonsets, old, { 'metadata.annotations': {} }).metadata.annotations).toEqual({ [key]: '1' });
  expect(updated(daemonsets, old, { 'spec.template.spec.hostNetwork': true }).metadata.annotations).toEqual({ [key]: '2' });
});

test('a replication controller takes selector and labels from its template', () => {
  const { metadata, spec } = created(replicationcontrollers, { template });
  expect([metadata.labels, spec['selector'], spec['replicas']]).toEqual([{ app: 'web' }, { app: 'web' }, 1]);
});

describe('a job', () => {
  const uid = '0e2b7f0c-6b8c-4f5c-9f57-2b1f0a6d3c11';
  const generated = { 'controller-uid': uid, 'batch.kubernetes.io/controller-uid': uid, 'job-name': 'one', 'batch.kubernetes.io/job-name': 'one' };

  test('is tied to its pods by labels that the server makes', () => {
    const { metadata, spec } = created(jobs, { template });
    expect(spec['selector']).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
    expect(spec['template']).toMatchObject({ metadata: { labels: { app: 'web', ...generated } } });
    expect(metadata.labels).toEqual({ app: 'web', ...generated });
  });

  test('leaves labels of its own alone', () => {
    expect(created(jobs, { template }, { metadata: { name: 'one', labels: { mine: 'x' } } }).metadata.labels).toEqual({ mine: 'x' });
  });

  test('makes no labels when the selector is manual', () => {
    const { spec } = created(jobs, { ...selecting, manualSelector: true });
    expect(spec['template']).toMatchObject({ metadata: { labels: { app: 'web' } } });
    expect(spec['selector']).toEqual({ matchLabels: { app: 'web' } });
  });

  test.each([
    [{}, { completions: 1, parallelism: 1, backoffLimit: 6, podReplacementPolicy: 'TerminatingOrFailed' }],
    [{ completions: 3 }, { completions: 3, parallelism: 1 }],
    [{ backoffLimitPerIndex: 1 }, { backoffLimit: 2147483647 }],
    [{ podFailurePolicy: { rules: [] } }, { podReplacementPolicy: 'Failed' }],
  ])('with %j is filled in with %j', (given, filled) => {
    expect(created(jobs, { ...given, template }).spec).toMatchObject(filled);
  });

  test('has no number of completions when only its parallelism is given', () => {
    expect(created(jobs, { parallelism: 2, template }).spec['completions']).toBeUndefined();
  });
});

test('a cron job is filled in, its job is not', () => {
  const { spec } = created(cronjobs, { schedule: '@daily', jobTemplate: { spec: { template } } });
  expect(spec).toMatchObject({ concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  expect(spec['jobTemplate']).not.toHaveProperty('spec.backoffLimit');
});
