import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { type Pod } from '#kinds/core/v1/pod/pod.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { podStrategy } from '#kinds/core/v1/pod/pod-strategy.ts';
import { clone } from '#schema/clone.ts';
import { changed, contextWith, prepared } from '../../../../../test/support/rule-cases.ts';

const base = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'x:1' }] } };
const context = contextWith();

function created(changes: Record<string, unknown> = {}, gates: Record<string, string> = {}): Pod {
  return prepared(pods, changed(base, changes), contextWith(gates)) as unknown as Pod;
}

function updated(old: Pod, change: (pod: Pod) => void, subresource?: string): Pod {
  const pod = clone(old as unknown as KubernetesObject) as unknown as Pod;
  change(pod);
  const strategy = subresource === undefined ? podStrategy : podStrategy.subresources?.[subresource];
  strategy?.prepareForUpdate?.(pod, old, context);
  return pod;
}

describe('creating a pod', () => {
  test('starts at generation 1 and forgets the status that was sent', () => {
    const pod = created({ status: { phase: 'Running', message: 'hi' } });
    expect(pod.metadata.generation).toBe(1);
    expect(pod.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  test.each([
    ['BestEffort', {}],
    ['Burstable', { 'spec.containers.0.resources': { requests: { cpu: '1' } } }],
    ['Burstable', { 'spec.containers.0.resources': { limits: { cpu: '1' } } }],
    ['Guaranteed', { 'spec.containers.0.resources': { limits: { cpu: '1', memory: '1Gi' } } }],
    ['Burstable', { 'spec.containers.0.resources': { limits: { cpu: '1', memory: '1Gi' } }, 'spec.containers.1': { name: 'b', image: 'x' } }],
    ['Burstable', { 'spec.containers.0.resources': resources('1', '2') }],
    ['Guaranteed', { 'spec.containers.0.resources': resources('1', '2'), 'spec.containers.1': { name: 'b', image: 'x', resources: resources('2', '1') } }],
    ['Burstable', { 'spec.containers.0.resources': resources('1', '2'), 'spec.containers.1': { name: 'b', image: 'x', resources: resources('3', '1') } }],
    ['Guaranteed', { 'spec.containers.0.resources': resources('1000m', '1') }],
    ['Guaranteed', { 'spec.resources': { limits: { cpu: '1', memory: '1Gi' } } }],
  ])('works out the class of service: %s', (qosClass, changes) => {
    expect(created(changes).status.qosClass).toBe(qosClass);
  });

  test('says that a gated pod is not scheduled', () => {
    const { status } = created({ 'spec.schedulingGates': [{ name: 'a' }] });
    expect(status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', lastTransitionTime: '2030-01-02T03:04:05Z' }]);
  });

  test('asks in selectors for the values of its own labels', () => {
    const pod = created({
      'spec.topologySpreadConstraints': [
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, matchLabelKeys: ['app', 'no'] },
      ],
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution': [{ topologyKey: 'z', labelSelector: {}, mismatchLabelKeys: ['app'] }],
    });
    const { topologySpreadConstraints: [spread] = [], affinity } = pod.spec;
    expect(spread?.labelSelector?.matchExpressions).toEqual([{ key: 'app', operator: 'In', values: ['web'] }]);
    const [term] = affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    expect(term?.labelSelector?.matchExpressions).toEqual([{ key: 'app', operator: 'NotIn', values: ['web'] }]);
  });

  test('turns an AppArmor annotation into the field', () => {
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/main': 'localhost/p' };
    const pod = created({ 'metadata.annotations': annotations });
    expect(pod.spec.containers?.[0]?.securityContext?.appArmorProfile).toEqual({ type: 'Localhost', localhostProfile: 'p' });
  });

  test('drops what is behind a gate that is off', () => {
    const changes = {
      'spec.containers.0.lifecycle': { stopSignal: 'SIGTERM' },
      'spec.volumes': [{ name: 'a', projected: { sources: [{ clusterTrustBundle: { name: 'b', path: 'p' } }] } }],
      'spec.schedulingGroup': { podGroupName: 'g' },
    };
    const off = created(changes).spec;
    expect([off.containers?.[0]?.lifecycle, off.volumes?.[0]?.projected?.sources, off.schedulingGroup]).toEqual([undefined, [{}], undefined]);
    const on = created(changes, { ContainerStopSignals: 'true', ClusterTrustBundleProjection: 'true', GenericWorkload: 'true' }).spec;
    expect(on.containers?.[0]?.lifecycle).toEqual({ stopSignal: 'SIGTERM' });
    expect(on.volumes?.[0]?.projected?.sources).toEqual([{ clusterTrustBundle: { name: 'b', path: 'p' } }]);
    expect(on.schedulingGroup).toEqual({ podGroupName: 'g' });
  });
});

describe('updating a pod', () => {
  test('keeps the status and counts the generation when the spec changes', () => {
    const old = created();
    const same = updated(old, (pod) => {
      pod.metadata.labels = { app: 'other' };
      pod.status = { phase: 'Failed' };
    });
    expect([same.metadata.generation, same.status]).toEqual([1, old.status]);
    const other = updated(old, (pod) => {
      pod.spec.containers = [{ name: 'main', image: 'x:2', resources: {} }];
    });
    expect(other.metadata.generation).toBe(2);
  });

  test('through status leaves the spec and the owners', () => {
    const old = created();
    old.status.conditions = [{ type: 'Ready', status: 'True', observedGeneration: 1 }];
    const pod = updated(
      old,
      (changing) => {
        changing.spec.nodeName = 'n';
        changing.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }];
        changing.status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] };
      },
      'status',
    );
    expect(pod.spec).toEqual(old.spec);
    expect(pod.metadata.ownerReferences).toBeUndefined();
    expect(pod.status).toEqual({ phase: 'Running', qosClass: 'BestEffort', conditions: [{ type: 'Ready', status: 'False', observedGeneration: 1 }] });
  });

  test('through ephemeralcontainers adds those and nothing else', () => {
    const pod = updated(
      created(),
      (changing) => {
        changing.metadata.labels = {};
        changing.spec.nodeName = 'n';
        changing.spec.ephemeralContainers = [{ name: 'debug', image: 'd:1', resources: {} }];
      },
      'ephemeralcontainers',
    );
    expect(pod.metadata).toMatchObject({ generation: 2, labels: { app: 'web' } });
    expect(pod.spec.nodeName).toBeUndefined();
    expect(pod.spec.ephemeralContainers).toHaveLength(1);
  });

  test('through resize changes resources and nothing else', () => {
    const pod = updated(
      created({ 'spec.containers.0.resources': { requests: { cpu: '1' } } }),
      (changing) => {
        changing.spec.containers = [{ name: 'main', image: 'other', resources: { requests: { cpu: '2' } } }];
      },
      'resize',
    );
    expect(pod.spec.containers).toMatchObject([{ image: 'x:1', resources: { requests: { cpu: '2' } } }]);
    expect(pod.metadata.generation).toBe(2);
  });
});

describe('the grace period of a deletion', () => {
  const onNode = { 'spec.nodeName': 'n' };
  test.each([
    ['is none for a pod without a node', {}, undefined, 0],
    ['is that of the pod', onNode, undefined, 30],
    ['is what was asked for', onNode, 5, 5],
    ['is a second when it is negative', onNode, -1, 1],
  ] as const)('%s', (_what, changes, asked, seconds) => {
    expect(podStrategy.gracePeriod?.(created(changes), asked)).toBe(seconds);
  });

  test('is none for a pod that has ended', () => {
    const pod = created(onNode);
    pod.status.phase = 'Succeeded';
    expect(podStrategy.gracePeriod?.(pod, 10)).toBe(0);
  });
});

function resources(requested: string, limit: string): object {
  return { requests: { cpu: requested, memory: '1Gi' }, limits: { cpu: limit, memory: '1Gi' } };
}
