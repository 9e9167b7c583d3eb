// How many replicas a metric asks for. Pods that are not ready or of which nothing is known are taken so that they never make the change larger.
import type { PodMetric, PodMetrics } from '#controllers/pod-autoscaler/metrics-apis.ts';
import { milli } from '#controllers/pod-autoscaler/metrics-apis.ts';
import type { StoredPod } from '#controllers/workloads/pod-view.ts';

export interface Tolerance {
  readonly down: number;
  readonly up: number;
}

export interface Proposal {
  readonly replicas: number;
  /** What a pod uses on average, in thousandths. */
  readonly usage: number;
  /** In percent of what it requests. */
  readonly utilization?: number;
}

const largestReplicas = 2 ** 31 - 1;
/** For so long after its start a pod's use of CPU is that of its beginning. */
const cpuInitializationMs = 5 * 60_000;
const initialReadinessDelayMs = 30_000;

export function isWithin({ down, up }: Tolerance, ratio: number): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

export interface PodGroups {
  readonly ready: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  readonly ignored: readonly string[];
}

export function groupPods(pods: readonly StoredPod[], metrics: PodMetrics, resource: string, now: number): PodGroups {
  const groups = { ready: 0, unready: [] as string[], missing: [] as string[], ignored: [] as string[] };
  for (const pod of pods) {
    const name = pod.metadata.name ?? '';
    const metric = metrics.get(name);
    if (pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Failed') groups.ignored.push(name);
    else if (pod.status?.phase === 'Pending') groups.unready.push(name);
    else if (metric === undefined) groups.missing.push(name);
    else if (resource === 'cpu' && isUnready(pod, metric, now)) groups.unready.push(name);
    else groups.ready++;
  }
  return groups;
}

/** While it starts: not ready, or not measured for a whole window since it is. Later: not ready, and it never was. */
function isUnready({ status }: StoredPod, { at, windowMs }: PodMetric, now: number): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready === undefined || status?.startTime === undefined) return true;
  const started = Date.parse(status.startTime);
  const since = Date.parse(ready.lastTransitionTime ?? '');
  const isFalse = ready.status === 'False';
  return started + cpuInitializationMs > now ? isFalse || at < since + windowMs : isFalse && started + initialReadinessDelayMs > since;
}

export interface PodsAndMetrics {
  readonly pods: readonly StoredPod[];
  readonly metrics: PodMetrics;
  readonly resource: string;
  readonly current: number;
  readonly tolerance: Tolerance;
  readonly now: number;
}

/** By the percentage of what pods request. */
export function byUtilization(given: PodsAndMetrics, target: number, container: string): Proposal {
  const { metrics, groups } = counted(given);
  const requests = new Map(given.pods.map((pod) => [pod.metadata.name ?? '', requestOf(pod, container, given.resource)]));
  const measure = (of: PodMetrics) => utilizationOf(of, requests, target);
  const first = measure(metrics);
  const fallback = Math.max(100, target);
  const replicas = replicasFor(
    given,
    metrics,
    groups,
    first.ratio,
    (name) => Math.trunc(((requests.get(name) ?? 0) * fallback) / 100),
    (of) => measure(of).ratio,
  );
  return { replicas, usage: first.usage, utilization: first.utilization };
}

/** By an average value, in thousandths. */
export function byAverage(given: PodsAndMetrics, target: number): Proposal {
  const { metrics, groups } = counted(given);
  const usage = averageOf(metrics);
  const replicas = replicasFor(
    given,
    metrics,
    groups,
    usage / target,
    () => target,
    (of) => averageOf(of) / target,
  );
  return { replicas, usage };
}

function counted({ pods, metrics: all, resource, now }: PodsAndMetrics): { readonly metrics: PodMetrics; readonly groups: PodGroups } {
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  const groups = groupPods(pods, all, resource, now);
  const left = new Set([...groups.ignored, ...groups.unready]);
  const metrics = new Map([...all].filter(([name]) => !left.has(name)));
  if (metrics.size === 0) throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  return { metrics, groups };
}

/** `assumed`: what a pod without metrics is taken to use when the rest would be scaled down. */
function replicasFor(
  { current, tolerance }: PodsAndMetrics,
  metrics: PodMetrics,
  { ready, unready, missing }: PodGroups,
  ratio: number,
  assumed: (name: string) => number,
  ratioOf: (metrics: PodMetrics) => number,
): number {
  const growsWithUnready = unready.length > 0 && ratio > 1;
  if (!growsWithUnready && missing.length === 0) return isWithin(tolerance, ratio) ? current : Math.ceil(ratio * ready);
  const filled = new Map(metrics);
  const put = (name: string, value: number) => filled.set(name, { value, at: 0, windowMs: 0 });
  for (const name of missing) {
    if (ratio < 1) put(name, assumed(name));
    else if (ratio > 1) put(name, 0);
  }
  if (growsWithUnready) for (const name of unready) put(name, 0);
  const again = ratioOf(filled);
  const hasTurned = (ratio < 1 && again > 1) || (ratio > 1 && again < 1);
  if (isWithin(tolerance, again) || hasTurned) return current;
  const replicas = Math.ceil(again * filled.size);
  return (again < 1 && replicas > current) || (again > 1 && replicas < current) ? current : replicas;
}

function utilizationOf(metrics: PodMetrics, requests: ReadonlyMap<string, number>, target: number) {
  const known = [...metrics].filter(([name]) => requests.has(name));
  const used = known.reduce((sum, [, { value }]) => sum + value, 0);
  const requested = known.reduce((sum, [name]) => sum + (requests.get(name) ?? 0), 0);
  if (requested === 0) throw new Error('no metrics returned matched known pods');
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / target, utilization, usage: Math.trunc(used / known.length) };
}

function averageOf(metrics: PodMetrics): number {
  return Math.trunc([...metrics.values()].reduce((sum, { value }) => sum + value, 0) / metrics.size);
}

/** What the pod itself asks for counts before its containers, unless one of them is named. */
function requestOf({ metadata, spec }: StoredPod, container: string, resource: string): number {
  const ofPod = (spec as { resources?: { requests?: Record<string, string> } } | undefined)?.resources?.requests ?? {};
  if (container === '' && ofPod[resource] !== undefined) return milli(ofPod[resource]);
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always') ?? [];
  const all = [...(spec?.containers ?? []), ...sidecars].filter(({ name }) => container === '' || name === container);
  if (all.length === 0) throw new Error(`container ${container} not found in Pod ${metadata.name}`);
  return all.reduce((sum, { name, resources }) => {
    const request = resources?.requests?.[resource];
    if (request === undefined) throw new Error(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`);
    return sum + milli(request);
  }, 0);
}

/** For a metric of one object: in proportion to the pods that are ready. From zero the ratio itself counts. */
export function byRatio(current: number, ratio: number, tolerance: Tolerance, pods: readonly StoredPod[]): number {
  if (current === 0) return Math.ceil(ratio);
  if (isWithin(tolerance, ratio)) return current;
  if (pods.length === 0) throw new Error('unable to calculate ready pods: no pods returned by selector while calculating replica count');
  const ready = pods.filter(
    ({ status }) => status?.phase === 'Running' && status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );
  return Math.min(largestReplicas, Math.ceil(ratio * ready.length));
}

/** For a metric that is shared out among all replicas. */
export function byShare(replicas: number, total: number, target: number, tolerance: Tolerance): Proposal {
  const isEnough = isWithin(tolerance, total / (target * replicas));
  return { replicas: isEnough ? replicas : Math.min(largestReplicas, Math.ceil(total / target)), usage: Math.ceil(total / replicas) };
}
