// The columns of pods: what `kubectl get pods` shows.
import type { ContainerState, ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import { isSidecar } from '#kinds/core/v1/pod/pod-containers.ts';
import { ageOf } from '#kinds/rules/age.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import type { Column, RowCondition } from '#resource/column.ts';
import { firstBy } from '#kinds/rules/first-by.ts';

export const podColumns: readonly Column<Pod>[] = [
  nameColumn(),
  { name: 'Ready', type: 'string', read: (pod) => readyCell(pod) },
  { name: 'Status', type: 'string', read: (pod) => summaryOf(pod).status },
  { name: 'Restarts', type: 'string', read: (pod, context) => restartsCell(summaryOf(pod), context) },
  ageColumn(),
  { name: 'IP', type: 'string', priority: 1, read: ({ status }) => status.podIPs?.[0]?.ip || '<none>' },
  { name: 'Node', type: 'string', priority: 1, read: ({ spec }) => spec.nodeName || '<none>' },
  { name: 'Nominated Node', type: 'string', priority: 1, read: ({ status }) => status.nominatedNodeName || '<none>' },
  { name: 'Readiness Gates', type: 'string', priority: 1, read: readinessGatesCell },
];

interface Summary {
  status: string;
  ready: number;
  restarts: number;
  /** When a container last ended before it was started again. */
  lastRestart: string | undefined;
}

function readyCell(pod: Pod): string {
  const total = (pod.spec.containers?.length ?? 0) + (pod.spec.initContainers?.filter(isSidecar).length ?? 0);
  return `${summaryOf(pod).ready}/${total}`;
}

function restartsCell({ restarts, lastRestart }: Summary, context: Parameters<typeof ageOf>[1]): string {
  if (restarts === 0 || lastRestart === undefined) return `${restarts}`;
  return `${restarts} (${ageOf(lastRestart, context)} ago)`;
}

function readinessGatesCell({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const conditions = firstBy(status.conditions, ({ type }) => type);
  const passed = gates.filter(({ conditionType }) => conditions.get(conditionType)?.status === 'True');
  return `${passed.length}/${gates.length}`;
}

function summaryOf(pod: Pod): Summary {
  const { status } = pod;
  const summary: Summary = { status: status.reason || (status.phase ?? ''), ready: 0, restarts: 0, lastRestart: undefined };
  if (status.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated')) summary.status = 'SchedulingGated';
  const sidecars = summarizeInitContainers(pod, summary);
  const initialized = status.conditions?.some(({ type, status: value }) => type === 'Initialized' && value === 'True') ?? false;
  if (!sidecars.initializing || initialized) {
    summary.restarts = sidecars.restarts;
    summary.lastRestart = sidecars.lastRestart;
    summarizeContainers(pod, summary);
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') summary.status = 'Unknown';
    else if (status.phase !== 'Succeeded' && status.phase !== 'Failed') summary.status = 'Terminating';
  }
  return summary;
}

interface Sidecars {
  initializing: boolean;
  restarts: number;
  lastRestart: string | undefined;
}

function summarizeInitContainers({ spec, status }: Pod, summary: Summary): Sidecars {
  const sidecars: Sidecars = { initializing: false, restarts: 0, lastRestart: undefined };
  const restartable = new Set(spec.initContainers?.filter(isSidecar).map(({ name }) => name));
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(container, summary);
    if (restartable.has(container.name)) countRestarts(container, sidecars);
    if (container.state.terminated?.exitCode === 0) continue;
    if (restartable.has(container.name) && container.started === true) {
      if (container.ready) summary.ready++;
      continue;
    }
    summary.status = initStatus(container.state, index, spec.initContainers?.length ?? 0);
    sidecars.initializing = true;
    break;
  }
  return sidecars;
}

function initStatus({ terminated, waiting }: ContainerState, index: number, total: number): string {
  if (terminated !== undefined) return `Init:${terminated.reason || exitText(terminated)}`;
  if (waiting?.reason && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`;
  return `Init:${index}/${total}`;
}

function exitText({ signal, exitCode }: { readonly signal?: number | undefined; readonly exitCode: number }): string {
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function countRestarts({ restartCount, lastState }: ContainerStatus, sum: { restarts: number; lastRestart: string | undefined }): void {
  sum.restarts += restartCount;
  const ended = lastState.terminated?.finishedAt;
  if (ended !== undefined && (sum.lastRestart === undefined || Date.parse(ended) > Date.parse(sum.lastRestart))) sum.lastRestart = ended;
}

/** From last to first: the first container has the last word. */
function summarizeContainers({ status }: Pod, summary: Summary): void {
  let running = false;
  let failure = '';
  for (const container of (status.containerStatuses ?? []).toReversed()) {
    countRestarts(container, summary);
    const { waiting, terminated } = container.state;
    if (waiting?.reason) summary.status = waiting.reason;
    else if (terminated !== undefined) {
      summary.status = terminated.reason || exitText(terminated);
      if (terminated.exitCode !== 0) failure = summary.status;
    } else if (container.ready && container.state.running !== undefined) {
      running = true;
      summary.ready++;
    }
  }
  if (summary.status !== 'Completed') return;
  const ready = status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  if (running && ready) summary.status = 'Running';
  else if (failure !== '') summary.status = failure;
  else if (running) summary.status = 'NotReady';
}

/** A pod that has run is shown as such, so that clients can leave it out. */
export function podRowCondition({ status }: Pod): RowCondition | undefined {
  if (status.phase === 'Succeeded') return { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' };
  if (status.phase === 'Failed') return { type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' };
  return undefined;
}
