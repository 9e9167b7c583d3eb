// Pod groups, the workloads they are made from, and the jobs that they hold together.
import { beforeAll, describe, expect, test } from 'vitest';
import { apiUnderTest, mergePatch } from '../../../test/support/api-under-test.ts';

const api = apiUnderTest(
  '--feature-gates=GenericWorkload=true,GangScheduling=true,WorkloadAwarePreemption=true',
  '--runtime-config=scheduling.k8s.io/v1alpha2=true',
);
const gang = { gang: { minCount: 2 } };
let namespace = '';
let groups = '';
let workloads = '';
let jobs = '';
let serial = 0;

beforeAll(async () => {
  namespace = await api.namespace();
  groups = `/apis/scheduling.k8s.io/v1alpha2/namespaces/${namespace}/podgroups`;
  workloads = `/apis/scheduling.k8s.io/v1alpha2/namespaces/${namespace}/workloads`;
  jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const podGroupTemplates = [{ name: 'workers', schedulingPolicy: gang }];
  await api.make(workloads, { metadata: { name: 'there' }, spec: { podGroupTemplates } });
  await api.make(workloads, { metadata: { name: 'going', finalizers: ['a.b/c'] }, spec: { podGroupTemplates } });
  await api.ask('DELETE', `${workloads}/going`);
});

const group = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: `g${serial++}`, ...metadata },
  spec: { schedulingPolicy: gang, ...spec },
});
const from = (workloadName: string, podGroupTemplateName = 'workers') => ({ podGroupTemplateRef: { workload: { workloadName, podGroupTemplateName } } });

describe('PodGroupProtection', () => {
  const finalizer = 'scheduling.k8s.io/podgroup-protection';

  test.each([
    [[], [finalizer]],
    [['a.b/c'], ['a.b/c', finalizer]],
    [[finalizer], [finalizer]],
  ])('of the finalizers %j of a new group come %j', async (finalizers, expected) => {
    expect((await api.make(groups, group({}, { finalizers }))).metadata.finalizers).toEqual(expected);
  });

  test('a finalizer that is taken away later stays away', async () => {
    const { metadata } = await api.make(groups, group());
    const { body } = await api.ask('PATCH', `${groups}/${metadata.name}`, { metadata: { finalizers: null } }, mergePatch);
    expect(body.metadata.finalizers).toBeUndefined();
  });
});

describe('PodGroupWorkloadExists', () => {
  test('a group of a template that is there, or of none, is made', async () => {
    expect((await api.ask('POST', groups, group(from('there')))).code).toBe(201);
    expect((await api.ask('POST', groups, group())).code).toBe(201);
  });

  test.each([
    [from('none'), 'Workload "none" not found'],
    [from('going'), 'Workload "going" is being deleted'],
    [from('there', 'none'), 'PodGroupTemplate "none" not found in Workload "there"'],
  ])('%j is refused', async (spec, why) => {
    const { code, body } = await api.ask('POST', groups, group(spec, { name: 'odd' }));
    expect([code, body.message]).toEqual([403, `podgroups.scheduling.k8s.io "odd" is forbidden: PodGroup rejected: ${why}`]);
  });
});

describe('Priority of pod groups', () => {
  test('a group gets the number of its class', async () => {
    const name = `class-${namespace}`;
    await api.make('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value: 5 });
    expect((await api.make(groups, group({ priorityClassName: name }))).spec).toMatchObject({ priority: 5, priorityClassName: name });
    expect((await api.make(groups, group())).spec).toMatchObject({ priority: 0 });
    const { code, body } = await api.ask('POST', groups, group({ priorityClassName: name, priority: 6 }, { name: 'odd' }));
    const why = 'priority set in the pod group (6) must match the priority computed (5) based on the priority class set in the spec';
    expect([code, body.message]).toEqual([403, `podgroups.scheduling.k8s.io "odd" is forbidden: ${why}`]);
  });
});

describe('JobValidation', () => {
  const template = (schedulingGroup?: object) => ({
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }], ...(schedulingGroup && { schedulingGroup }) },
  });
  const makeJob = (schedulingGroup?: object) =>
    api.make(jobs, { metadata: { name: `j${serial++}` }, spec: { parallelism: 2, completions: 4, template: template(schedulingGroup) } });
  const change = (name: string, spec: object) => api.ask('PATCH', `${jobs}/${name}`, { spec }, mergePatch);
  const refused = (job: string, name: string) =>
    `jobs.batch "${job}" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "${name}"`;

  test('a job that names a gang keeps its parallelism', async () => {
    const { metadata } = await api.make(groups, group());
    const job = (await makeJob({ podGroupName: metadata.name })).metadata.name;
    const { code, body } = await change(job, { parallelism: 3 });
    expect([code, body.message]).toEqual([403, refused(job, metadata.name)]);
    expect((await change(job, { backoffLimit: 9 })).code).toBe(200);
  });

  test('so does a job that controls one', async () => {
    const { metadata } = await makeJob();
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: metadata.name, uid: metadata.uid };
    await api.make(groups, group({ schedulingPolicy: { basic: {} } }, { ownerReferences: [{ ...owner, controller: true }] }));
    await api.make(groups, group({}, { ownerReferences: [owner] }));
    expect((await change(metadata.name, { parallelism: 3 })).code).toBe(200);
    const owned = await api.make(groups, group({}, { ownerReferences: [{ ...owner, controller: true }] }));
    const { code, body } = await change(metadata.name, { parallelism: 4 });
    expect([code, body.message]).toEqual([403, refused(metadata.name, owned.metadata.name)]);
  });

  test('a group that is no gang, or not there, does not matter', async () => {
    const { metadata } = await api.make(groups, group({ schedulingPolicy: { basic: {} } }));
    for (const podGroupName of [metadata.name, 'none']) {
      expect((await change((await makeJob({ podGroupName })).metadata.name, { parallelism: 3 })).code).toBe(200);
    }
  });
});
