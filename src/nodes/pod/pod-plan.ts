// What is to become of a pod on a node where nothing runs: annotations of the pod say it, defaults say the rest.
//   nodes.binnacle.dev/start-after   how long images are pulled and the sandbox is made (default: 0s)
//   nodes.binnacle.dev/ready-after   how long a container runs before it is ready (default: initialDelaySeconds of its readiness probe)
//   nodes.binnacle.dev/exit-after    how long a container runs (default: for ever; 1s where the pod is not restarted always; 500ms for init containers)
//   nodes.binnacle.dev/exit-code     with which code it ends (default: 0)
//   nodes.binnacle.dev/exits         how many times it ends before it runs for ever (default: always)
//   nodes.binnacle.dev/image-pull    `fails`: its image cannot be pulled
//   nodes.binnacle.dev/stop-after    how long a container takes to end when its pod is deleted (default: 0s; not longer than the grace period)
//   nodes.binnacle.dev/evict-after   when the node runs out of memory and evicts the pod (default: never)
//   nodes.binnacle.dev/life          `stages`: leave the pod to Stages (see nodes/stages)
// A value is for all containers that are no init containers, or for those it names: `exit-code: main=1,setup=2`.
import { parseGoDuration } from '#api/go-duration.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { StoredPod } from '#nodes/pod/stored-pod.ts';

const prefix = 'nodes.binnacle.dev/';

export interface PodPlan {
  readonly startAfterMs: number;
  readonly stopAfterMs: number;
  /** Infinity: never. */
  readonly evictAfterMs: number;
  of(container: Container, role: ContainerRole): ContainerPlan;
}

export type ContainerRole = 'init' | 'sidecar' | 'main' | 'ephemeral';

export interface ContainerPlan {
  readonly pullFails: boolean;
  /** Infinity: for ever. */
  readonly runsMs: number;
  readonly exitCode: number;
  /** Infinity: it ends every time. */
  readonly exits: number;
  readonly startedAfterMs: number;
  readonly readyAfterMs: number;
}

const defaultJobMs = 1_000;
const defaultInitMs = 500;

export function podPlan({ metadata: { annotations = {} }, spec }: StoredPod): PodPlan {
  const textOf = (name: string) => annotations[`${prefix}${name}`] ?? '';
  const durationOf = (name: string, otherwise: number) => parseGoDuration(textOf(name)) ?? otherwise;
  const valueFor = (name: string, container: Container, role: ContainerRole) => valueOf(textOf(name), container.name, role);
  return {
    startAfterMs: durationOf('start-after', 0),
    stopAfterMs: durationOf('stop-after', 0),
    evictAfterMs: durationOf('evict-after', Number.POSITIVE_INFINITY),
    of: (container, role) => ({
      pullFails: valueFor('image-pull', container, role) === 'fails',
      runsMs: parseGoDuration(valueFor('exit-after', container, role)) ?? defaultRunMs(role, spec.restartPolicy),
      exitCode: wholeNumber(valueFor('exit-code', container, role)) ?? 0,
      exits: wholeNumber(valueFor('exits', container, role)) ?? Number.POSITIVE_INFINITY,
      startedAfterMs: (container.startupProbe?.initialDelaySeconds ?? 0) * 1_000,
      readyAfterMs: parseGoDuration(valueFor('ready-after', container, role)) ?? (container.readinessProbe?.initialDelaySeconds ?? 0) * 1_000,
    }),
  };
}

/** Its life is none of the node's business: Stages play it. */
export function isLeftToStages({ metadata: { annotations } }: StoredPod): boolean {
  return annotations?.[`${prefix}life`] === 'stages';
}

function defaultRunMs(role: ContainerRole, restartPolicy: string | undefined): number {
  if (role === 'init') return defaultInitMs;
  if (role !== 'main' || restartPolicy === undefined || restartPolicy === 'Always') return Number.POSITIVE_INFINITY;
  return defaultJobMs;
}

/** `value`, or `name=value,…`. */
function valueOf(text: string, container: string, role: ContainerRole): string {
  if (text === '') return '';
  if (!text.includes('=')) return role === 'main' ? text : '';
  const own = text.split(',').find((part) => part.slice(0, part.indexOf('=')).trim() === container);
  return own === undefined ? '' : own.slice(own.indexOf('=') + 1).trim();
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
