// What a kubelet would warn of when the status of a pod changes. What goes well is told by the status alone: an Event for every container of
// thousands of pods would cost more than the pods.
import type { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import type { StoredPod } from '#nodes/pod/stored-pod.ts';

export interface Warning {
  readonly reason: string;
  readonly message: string;
}

export function warningsOf({ metadata: { name, namespace, uid }, status: before }: StoredPod, after: PodStatus): readonly Warning[] {
  const told = statusesOf(before);
  const containers = statusesOf(after).flatMap((status) => {
    const { waiting } = status.state;
    const old = told.find((other) => other.name === status.name);
    const isNews = waiting !== undefined && (old?.state.waiting?.reason !== waiting.reason || old?.restartCount !== status.restartCount);
    return isNews ? waitingWarnings(status, waiting.reason ?? '', waiting.message ?? '', `${name}_${namespace}(${uid})`) : [];
  });
  const isForced = after.phase === 'Failed' && before.phase !== 'Failed' && (after.reason === 'Evicted' || after.reason === 'DeadlineExceeded');
  return isForced ? [...containers, { reason: after.reason ?? '', message: after.message ?? '' }] : containers;
}

function statusesOf({ initContainerStatuses = [], containerStatuses = [] }: PodStatus): readonly ContainerStatus[] {
  return [...initContainerStatuses, ...containerStatuses];
}

function waitingWarnings({ name, image }: ContainerStatus, reason: string, message: string, pod: string): readonly Warning[] {
  if (reason === 'CrashLoopBackOff') return [{ reason: 'BackOff', message: `Back-off restarting failed container ${name} in pod ${pod}` }];
  if (reason === 'ErrImagePull') {
    return [
      { reason: 'Failed', message: `Failed to pull image ${JSON.stringify(image)}: ${message}` },
      { reason: 'Failed', message: 'Error: ErrImagePull' },
    ];
  }
  return reason === 'ImagePullBackOff' ? [{ reason: 'Failed', message: 'Error: ImagePullBackOff' }] : [];
}
