// What the Job controller looks at in a pod, read once for each change of it.
import type { ControlledPods, PodView, StoredPod } from '#controllers/workloads/pod-view.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
export const failuresAnnotation = 'batch.kubernetes.io/job-index-failure-count';
export const ignoredFailuresAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

export interface JobPod {
  readonly view: PodView;
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly phase: string;
  readonly isDeleting: boolean;
  readonly isReady: boolean;
  /** Its end has not been counted in the Job's status. */
  readonly isTracked: boolean;
  /** Undefined: it has none, or not a number. */
  readonly index: number | undefined;
  /** Of pods before it with the same index: those that counted, and those that the failure policy ignored. */
  readonly failures: number;
  readonly ignoredFailures: number;
  /** Of all containers together, while it may still run. */
  readonly restarts: number;
  /** When it finished, as far as anything tells; in milliseconds since the epoch. */
  readonly finishedAt: number;
  readonly status: Pod['status'];
}

/** Reads each pod once for each change. */
export class JobPods {
  readonly #pods: ControlledPods;
  readonly #known = new WeakMap<PodView, JobPod>();

  constructor(pods: ControlledPods) {
    this.#pods = pods;
  }

  /** Undefined: it is gone. */
  of(view: PodView): JobPod | undefined {
    const known = this.#known.get(view);
    if (known !== undefined) return known;
    const object = this.#pods.object(view);
    if (object === undefined) return undefined;
    const pod = jobPodOf(view, object);
    this.#known.set(view, pod);
    return pod;
  }
}

export function jobPodOf(view: PodView, { metadata, spec, status }: StoredPod): JobPod {
  const annotations = metadata.annotations ?? {};
  const phase = status?.phase ?? '';
  return {
    view,
    uid: metadata.uid ?? '',
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    phase,
    isDeleting: metadata.deletionTimestamp !== undefined,
    isReady: status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
    isTracked: isTracked(metadata.finalizers),
    index: naturalNumber(annotations[indexAnnotation]),
    failures: count32(annotations[failuresAnnotation]),
    ignoredFailures: count32(annotations[ignoredFailuresAnnotation]),
    restarts: phase === 'Running' || phase === 'Pending' ? restartsOf(status) : 0,
    finishedAt: finishedAt({ metadata, spec, status } as StoredPod),
    status,
  };
}

export function isTracked(finalizers: readonly string[] | undefined): boolean {
  return finalizers?.includes(trackingFinalizer) === true;
}

export function isActive({ phase, isDeleting }: JobPod): boolean {
  return phase !== 'Succeeded' && phase !== 'Failed' && !isDeleting;
}

export function isTerminating({ phase, isDeleting }: JobPod): boolean {
  return phase !== 'Succeeded' && phase !== 'Failed' && isDeleting;
}

/** A pod that goes counts as failed at once, unless the Job replaces only those that have failed. */
export function hasFailed({ phase, isDeleting }: JobPod, job: StoredJob): boolean {
  if (phase === 'Failed') return true;
  return !replacesOnlyFailed(job) && isDeleting && phase !== 'Succeeded';
}

export function replacesOnlyFailed({ spec }: StoredJob): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

function naturalNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\+?[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function count32(text: string | undefined): number {
  const number = naturalNumber(text) ?? 0;
  return number < 2 ** 31 ? number : 0;
}

function restartsOf(status: Pod['status']): number {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.reduce((sum, { restartCount }) => sum + restartCount, 0);
}

/** When its last container ended; else since when it is not ready; else when it was told to go; else when it was made. */
function finishedAt({ metadata, spec, status }: StoredPod): number {
  const ended = lastEnd(spec, status);
  if (ended !== undefined) return ended;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds, creationTimestamp } = metadata as typeof metadata & { deletionGracePeriodSeconds?: number };
  if (deletionTimestamp !== undefined) return Date.parse(deletionTimestamp) - Number(deletionGracePeriodSeconds ?? 0) * 1000;
  return Date.parse(creationTimestamp ?? '');
}

/** Sidecars end after the others. Undefined: not all have ended. */
function lastEnd(spec: Pod['spec'], status: Pod['status']): number | undefined {
  const sidecars = new Set(spec?.initContainers?.flatMap(({ name, restartPolicy }) => (restartPolicy === 'Always' ? [name] : [])));
  const counted = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))];
  const ends = counted.map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  return ends.length === 0 || ends.some(Number.isNaN) ? undefined : Math.max(...ends);
}
