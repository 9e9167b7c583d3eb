import { describe, expect, test } from 'vitest';
import type { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import { ExactTimes } from '#nodes/pod/exact-times.ts';
import { podStep } from '#nodes/pod/pod-life.ts';
import type { StoredPod } from '#nodes/pod/stored-pod.ts';

interface PodParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

/** A pod whose status follows its steps, from one time at which something happens to the next. */
class PodInTest {
  #pod: StoredPod;
  readonly #times = new ExactTimes();
  #now = 0;
  #addresses = 0;
  isGone = false;

  constructor({ annotations = {}, spec = {} }: PodParts = {}) {
    const named = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`nodes.binnacle.dev/${name}`, value]));
    this.#pod = {
      metadata: { name: 'p', namespace: 'ns', uid: 'u', generation: 1, annotations: named },
      spec: { restartPolicy: 'Always', containers: [{ name: 'main', image: 'nginx' }], ...spec },
      status: { phase: 'Pending' },
    } as unknown as StoredPod;
    this.look();
  }

  /** Returns when something would happen next. */
  look(): number | undefined {
    const step = podStep(this.#pod, { hostIP: '172.30.0.1', podIP: () => `10.128.0.${++this.#addresses}`, times: this.#times, now: this.#now });
    if (step.status) this.#pod = { ...this.#pod, status: step.status };
    this.isGone = step.isGone === true;
    return step.againAt;
  }

  /** Everything that happens within this time. */
  pass(milliseconds: number): this {
    const end = this.#now + milliseconds;
    for (let next = this.look(); next !== undefined && next <= end; next = this.look()) this.#now = Math.max(next, this.#now);
    this.#now = end;
    this.look();
    return this;
  }

  delete(graceSeconds: number): this {
    const deletionTimestamp = new Date(this.#now + graceSeconds * 1_000).toISOString();
    this.#pod = { ...this.#pod, metadata: { ...this.#pod.metadata, deletionTimestamp, deletionGracePeriodSeconds: graceSeconds } };
    this.look();
    return this;
  }

  setCondition(type: string, status: string): this {
    this.#pod = { ...this.#pod, status: { ...this.status, conditions: [...(this.status.conditions ?? []), { type, status }] } as PodStatus };
    this.look();
    return this;
  }

  get status(): PodStatus {
    return this.#pod.status;
  }

  condition(type: string) {
    return this.status.conditions?.find((condition) => condition.type === type);
  }

  /** What each container does: `main=running`, `setup=Completed`. */
  get containers(): string {
    const all = [...(this.status.initContainerStatuses ?? []), ...(this.status.containerStatuses ?? [])];
    return all.map(({ name, state }) => `${name}=${state.running ? 'running' : (state.waiting?.reason ?? state.terminated?.reason)}`).join(' ');
  }

  get summary(): string {
    return `${this.status.phase} ${this.containers} ready=${this.condition('Ready')?.status}`;
  }
}

const init = (...names: readonly string[]) => names.map((name) => ({ name, image: 'busybox' }));
const sidecar = { name: 'proxy', image: 'envoy', restartPolicy: 'Always' };

test('a plain pod is Running and Ready with one step, with everything a kubelet tells', () => {
  const pod = new PodInTest();
  expect(pod.summary).toBe('Running main=running ready=True');
  expect(pod.status).toMatchObject({
    observedGeneration: 1,
    hostIP: '172.30.0.1',
    podIP: '10.128.0.1',
    podIPs: [{ ip: '10.128.0.1' }],
    startTime: '1970-01-01T00:00:00Z',
    containerStatuses: [
      { name: 'main', ready: true, started: true, restartCount: 0, image: 'nginx', state: { running: { startedAt: '1970-01-01T00:00:00Z' } } },
    ],
  });
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
  expect(pod.status.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual(types.map((type) => `${type}=True`));
  expect(pod.look()).toBeUndefined();
});

test('a pod of the network of its host has the address of the host', () => {
  expect(new PodInTest({ spec: { hostNetwork: true } }).status.podIP).toBe('172.30.0.1');
});

test('images take as long as the annotation says', () => {
  const pod = new PodInTest({ annotations: { 'start-after': '300ms' } });
  expect(pod.summary).toBe('Pending main=ContainerCreating ready=False');
  expect(pod.status.podIP).toBeUndefined();
  expect(pod.condition('Ready')).toMatchObject({ reason: 'ContainersNotReady', message: 'containers with unready status: [main]' });
  expect(pod.pass(299).summary).toBe('Pending main=ContainerCreating ready=False');
  expect(pod.pass(1).summary).toBe('Running main=running ready=True');
});

test('containers are ready when their probes would have begun to succeed, or when the annotation says', () => {
  const containers = [{ name: 'main', image: 'i', startupProbe: { initialDelaySeconds: 1 }, readinessProbe: { initialDelaySeconds: 2 } }];
  const probed = new PodInTest({ spec: { containers } });
  expect(probed.status.containerStatuses?.[0]).toMatchObject({ started: false, ready: false });
  expect(probed.pass(1_000).status.containerStatuses?.[0]).toMatchObject({ started: true, ready: false });
  expect(probed.pass(1_000).summary).toBe('Running main=running ready=True');
  const told = new PodInTest({ annotations: { 'ready-after': '5s' } });
  expect(told.pass(4_999).summary).toBe('Running main=running ready=False');
  expect(told.pass(1).summary).toBe('Running main=running ready=True');
});

test('init containers run in order, and the others after them', () => {
  const pod = new PodInTest({ spec: { initContainers: init('one', 'two') }, annotations: { 'exit-after': 'one=1s,two=2s' } });
  expect(pod.summary).toBe('Pending one=running two=PodInitializing main=PodInitializing ready=False');
  expect(pod.condition('Initialized')).toMatchObject({
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: 'containers with incomplete status: [one two]',
  });
  expect(pod.pass(1_000).summary).toBe('Pending one=Completed two=running main=PodInitializing ready=False');
  expect(pod.pass(2_000).summary).toBe('Running one=Completed two=Completed main=running ready=True');
  expect(pod.condition('Initialized')?.status).toBe('True');
});

describe('sidecars', () => {
  test('start in their place, run beside the others and count for readiness', () => {
    const pod = new PodInTest({ spec: { initContainers: [sidecar, ...init('setup')] }, annotations: { 'ready-after': 'proxy=2s' } });
    expect(pod.summary).toBe('Pending proxy=running setup=running main=PodInitializing ready=False');
    expect(pod.pass(500).summary).toBe('Running proxy=running setup=Completed main=running ready=False');
    expect(pod.pass(1_500).summary).toBe('Running proxy=running setup=Completed main=running ready=True');
  });

  test('end when a pod has done its work, and do not keep it from being over', () => {
    const pod = new PodInTest({ spec: { restartPolicy: 'Never', initContainers: [sidecar] } });
    expect(pod.summary).toBe('Running proxy=running main=running ready=True');
    expect(pod.pass(1_000).summary).toBe('Succeeded proxy=Completed main=Completed ready=False');
  });
});

test('readiness gates hold a pod back until somebody sets their condition', () => {
  const pod = new PodInTest({ spec: { readinessGates: [{ conditionType: 'example.com/in' }] } });
  expect(pod.condition('ContainersReady')?.status).toBe('True');
  expect(pod.condition('Ready')).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady' });
  expect(pod.condition('Ready')?.message).toBe('corresponding condition of pod readiness gate "example.com/in" does not exist.');
  expect(pod.setCondition('example.com/in', 'True').summary).toBe('Running main=running ready=True');
});

describe('pods that end', () => {
  test('succeed after a second where they are not restarted always', () => {
    for (const restartPolicy of ['Never', 'OnFailure']) {
      const pod = new PodInTest({ spec: { restartPolicy } });
      expect(pod.pass(999).status.phase).toBe('Running');
      expect(pod.pass(1).status.phase).toBe('Succeeded');
      expect(pod.condition('Ready')).toMatchObject({ status: 'False', reason: 'PodCompleted' });
    }
  });

  test('fail with the code of the annotation', () => {
    const pod = new PodInTest({ spec: { restartPolicy: 'Never' }, annotations: { 'exit-after': '200ms', 'exit-code': '3' } }).pass(200);
    expect(pod.summary).toBe('Failed main=Error ready=False');
    expect(pod.status.containerStatuses?.[0]?.state.terminated?.exitCode).toBe(3);
  });

  test('fail with an init container that fails and is not restarted', () => {
    const pod = new PodInTest({ spec: { restartPolicy: 'Never', initContainers: init('setup') }, annotations: { 'exit-code': 'setup=1' } });
    expect(pod.pass(500).summary).toBe('Failed setup=Error main=PodInitializing ready=False');
  });

  test('are over when their deadline passes', () => {
    const pod = new PodInTest({ spec: { activeDeadlineSeconds: 5 } });
    expect(pod.pass(5_000).status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });

  test('are evicted when the annotation says that the node runs out of memory', () => {
    const pod = new PodInTest({ annotations: { 'evict-after': '3s' } });
    expect(pod.pass(3_000).status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
    expect(pod.condition('DisruptionTarget')).toMatchObject({ status: 'True', reason: 'TerminationByKubelet' });
  });
});

describe('restarts', () => {
  test('the first comes at once, the others after pauses that double up to five minutes', () => {
    const pod = new PodInTest({ annotations: { 'exit-after': '1s', 'exit-code': '1' } });
    expect(pod.pass(1_000).summary).toBe('Running main=running ready=True');
    expect(pod.status.containerStatuses?.[0]).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 1, reason: 'Error' } } });
    expect(pod.pass(1_000).summary).toBe('Running main=CrashLoopBackOff ready=False');
    expect(pod.status.containerStatuses?.[0]?.state.waiting?.message).toBe('back-off 10s restarting failed container=main pod=p_ns(u)');
    expect(pod.pass(9_999).containers).toBe('main=CrashLoopBackOff');
    expect(pod.pass(1).containers).toBe('main=running');
    expect(pod.pass(1_000 + 19_999).containers).toBe('main=CrashLoopBackOff');
    expect(pod.pass(1).status.containerStatuses?.[0]?.restartCount).toBe(3);
    pod.pass(20 * 60_000);
    expect(pod.status.containerStatuses?.[0]?.state.waiting?.message ?? 'back-off 5m0s').toContain('back-off 5m0s');
  });

  test('end when the container has ended as often as the annotation says', () => {
    const pod = new PodInTest({ annotations: { 'exit-after': '1s', 'exit-code': '1', exits: '2' } });
    pod.pass(60_000);
    expect(pod.summary).toBe('Running main=running ready=True');
    expect(pod.status.containerStatuses?.[0]?.restartCount).toBe(2);
  });

  test('a container that has succeeded is not restarted on failure', () => {
    const pod = new PodInTest({ spec: { restartPolicy: 'OnFailure' }, annotations: { 'exit-code': '1', exits: '1' } });
    pod.pass(1_000);
    expect(pod.status.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(pod.status.phase).toBe('Running');
  });

  test('rules of a container come before policies', () => {
    const rules = [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }];
    const containers = [{ name: 'main', image: 'i', restartPolicy: 'Never', restartPolicyRules: rules }];
    const annotations = { 'exit-after': '1s', exits: '1' };
    const restarted = new PodInTest({ spec: { restartPolicy: 'Never', containers }, annotations: { ...annotations, 'exit-code': '42' } }).pass(1_000);
    expect(restarted.status.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(new PodInTest({ spec: { restartPolicy: 'Never', containers }, annotations: { ...annotations, 'exit-code': '1' } }).pass(1_000).status.phase).toBe(
      'Failed',
    );
  });
});

test('an image that cannot be pulled keeps its container waiting', () => {
  const pod = new PodInTest({ annotations: { 'image-pull': 'fails' } });
  expect(pod.summary).toBe('Pending main=ErrImagePull ready=False');
  expect(pod.pass(1_000).summary).toBe('Pending main=ImagePullBackOff ready=False');
  expect(pod.look()).toBeUndefined();
});

describe('a pod that is deleted', () => {
  test('ends at once, tells so, and is gone then', () => {
    const pod = new PodInTest().delete(30);
    expect(pod.isGone).toBe(false);
    expect(pod.summary).toBe('Failed main=Error ready=False');
    expect(pod.status.containerStatuses?.[0]?.state.terminated?.exitCode).toBe(143);
    pod.look();
    expect(pod.isGone).toBe(true);
  });

  test('takes as long as the annotation says, but not longer than its grace period', () => {
    const slow = new PodInTest({ annotations: { 'stop-after': '5s' } }).delete(30);
    expect(slow.pass(4_000).containers).toBe('main=running');
    expect(slow.pass(1_000).containers).toBe('main=Error');
    const stubborn = new PodInTest({ annotations: { 'stop-after': '1h' } }).delete(30).pass(30_000);
    expect(stubborn.status.containerStatuses?.[0]?.state.terminated?.exitCode).toBe(137);
  });

  test('that had no time to start says so', () => {
    const pod = new PodInTest({ annotations: { 'start-after': '1m' } }).delete(1);
    expect(pod.summary).toBe('Failed main=ContainerStatusUnknown ready=False');
  });

  test('is not asked for again when finalizers hold it', () => {
    const pod = new PodInTest({ spec: { restartPolicy: 'Never' } }).pass(1_000).delete(0);
    expect(pod.isGone).toBe(false);
  });
});

test('a simulation that begins anew goes on where the last one ended', () => {
  const before = new PodInTest({ spec: { restartPolicy: 'Never' }, annotations: { 'exit-after': '10s' } }).pass(4_000);
  const pod = {
    metadata: { name: 'p', annotations: { 'nodes.binnacle.dev/exit-after': '10s' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'nginx' }] },
    status: before.status,
  };
  const scene = { hostIP: '172.30.0.1', podIP: () => '', times: new ExactTimes() };
  expect(podStep(pod as unknown as StoredPod, { ...scene, now: 5_000 }).againAt).toBe(10_000);
  expect(podStep(pod as unknown as StoredPod, { ...scene, now: 10_000 }).status?.phase).toBe('Succeeded');
});
