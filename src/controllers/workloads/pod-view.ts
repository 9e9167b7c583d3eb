// What controllers of workloads look at in a pod, read once for each change of it.
import type { KubernetesObject } from '#api/object.ts';
import type { SourceItem } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import { ControlledObjects, type ObjectView, objectViewOf, oncePerServer } from '#controllers/workloads/controlled-objects.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export type StoredPod = Pod & KubernetesObject;

export interface PodView extends ObjectView {
  readonly phase: string;
  readonly nodeName: string;
  /** The node that it has, or the only one that it may be given: pods of DaemonSets are made for a node. */
  readonly targetNode: string;
  /** In milliseconds since the epoch. */
  readonly created: number;
  /** Since when it is ready, in milliseconds since the epoch; NaN: nobody has said since when; undefined: it is not ready. */
  readonly readySince: number | undefined;
  /** `controller.kubernetes.io/pod-deletion-cost`: cheap ones go first. */
  readonly deletionCost: number;
  /** Of the container that was restarted most, and of the sidecar that was. */
  readonly restarts: number;
  readonly sidecarRestarts: number;
}

export type ControlledPods = ControlledObjects<StoredPod, PodView>;

/** One for each server, so that its pods are looked at once for all of its controllers. */
export const controlledPods = oncePerServer((sources): ControlledPods => new ControlledObjects(sources.of<StoredPod>(kinds.pods), podViewOf));

export function podViewOf(item: SourceItem<StoredPod>): PodView {
  const { metadata, spec, status } = item.object;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  const isReady = ready?.status === 'True';
  const sidecars = new Set(spec?.initContainers?.flatMap(({ name, restartPolicy }) => (restartPolicy === 'Always' ? [name] : [])));
  const { namespace, name, uid, revision, labels, controller, isDeleting } = objectViewOf(item);
  // One literal, and no spread: there is one for each pod of the server.
  return {
    namespace,
    name,
    uid,
    revision,
    labels,
    controller,
    isDeleting,
    phase: status?.phase ?? '',
    nodeName: spec?.nodeName ?? '',
    targetNode: spec?.nodeName || onlyNode(spec),
    created: Date.parse(metadata.creationTimestamp ?? ''),
    readySince: isReady ? Date.parse(ready?.lastTransitionTime ?? '') : undefined,
    deletionCost: deletionCostOf(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost']),
    restarts: mostRestarts(status?.containerStatuses ?? []),
    sidecarRestarts: mostRestarts(status?.initContainerStatuses?.filter(({ name }) => sidecars.has(name)) ?? []),
  };
}

function onlyNode(spec: StoredPod['spec']): string {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const names = terms.flatMap(({ matchFields = [] }) => matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In'));
  const values = names[0]?.values ?? [];
  return values.length === 1 ? (values[0] ?? '') : '';
}

/** What is no number of 32 bits, in the form that Go writes one, costs nothing. */
function deletionCostOf(text: string | undefined): number {
  if (text === undefined || !/^-?(0|[1-9][0-9]*)$/.test(text)) return 0;
  const cost = Number(text);
  return Math.abs(cost) < 2 ** 31 ? cost : 0;
}

function mostRestarts(statuses: readonly { readonly restartCount: number }[]): number {
  return statuses.reduce((most, { restartCount }) => Math.max(most, restartCount), 0);
}

export function isReady({ readySince }: PodView): boolean {
  return readySince !== undefined;
}

/** Ready, and for long enough. */
export function isAvailable({ readySince }: PodView, minReadySeconds: number, now: number): boolean {
  if (readySince === undefined) return false;
  return minReadySeconds === 0 || readySince + minReadySeconds * 1_000 <= now;
}

/** In how many milliseconds the next of these pods becomes available; undefined: none of them will by itself. */
export function nextAvailableMs(pods: Iterable<PodView>, minReadySeconds: number, now: number): number | undefined {
  let next: number | undefined;
  for (const { readySince } of pods) {
    const left = (readySince ?? Number.NaN) + minReadySeconds * 1_000 - now;
    if (left > 0 && (next === undefined || left < next)) next = left;
  }
  return next;
}

export function isFinished({ phase }: PodView): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Neither finished nor about to go: it counts as a replica. */
export function isActive(pod: PodView): boolean {
  return !isFinished(pod) && !pod.isDeleting;
}

export function isTerminating(pod: PodView): boolean {
  return !isFinished(pod) && pod.isDeleting;
}
