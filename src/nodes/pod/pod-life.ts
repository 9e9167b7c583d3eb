// What becomes of a pod on a node where nothing runs. A pure step: the pod as it is stored and the time go in, the status it should have now
// and the time of the next step come out.
import { isDeepStrictEqual } from 'node:util';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { PodCondition, PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import { isDone, lived, stopped, waitingContainer } from '#nodes/pod/container-life.ts';
import type { ExactTimes } from '#nodes/pod/exact-times.ts';
import { podConditions } from '#nodes/pod/pod-conditions.ts';
import { type Actor, isPastInit, phaseOf } from '#nodes/pod/pod-phase.ts';
import { type ContainerRole, type PodPlan, podPlan } from '#nodes/pod/pod-plan.ts';
import { restartsOf } from '#nodes/pod/restart-policy.ts';
import type { StoredPod } from '#nodes/pod/stored-pod.ts';

export interface PodScene {
  readonly hostIP: string;
  /** Hands out an address of the node; asked once for a pod. */
  readonly podIP: () => string;
  readonly times: ExactTimes;
  /** Milliseconds. */
  readonly now: number;
}

export interface PodStep {
  /** Undefined: what is stored is right. */
  readonly status?: PodStatus;
  /** When to look again although nothing changed. */
  readonly againAt?: number;
  /** The pod is to be deleted for good. */
  readonly isGone?: boolean;
}

export function podStep(pod: StoredPod, scene: PodScene): PodStep {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const isOver = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
  if (isOver) return deletionTimestamp !== undefined && deletionGracePeriodSeconds !== 0 ? { isGone: true } : {};
  const plan = podPlan(pod);
  const startTime = pod.status.startTime || scene.times.note('pod', scene.now);
  const since = scene.times.at('pod', startTime);
  if (deletionTimestamp !== undefined) return ending(pod, plan, startTime, scene);
  const forced = forcedEnd(pod, plan, since, scene.now);
  if (forced?.at !== undefined && forced.at <= scene.now) {
    const actors = actorsOf(pod, plan, since, scene).actors.map((actor) => stoppedActor(actor, 137, scene));
    return { status: withOutcome(statusOf(pod, actors, startTime, scene, 'Failed'), forced, scene.now) };
  }
  const { actors, nextAt } = actorsOf(pod, plan, since, scene);
  const status = statusOf(pod, actors, startTime, scene);
  const againAt = earliest(nextAt, forced?.at);
  // Most steps are to another phase, and to compare all of a status is a good part of what a step takes.
  const isChanged = status.phase !== pod.status.phase || !isDeepStrictEqual(status, pod.status);
  return { ...(isChanged && { status }), ...(againAt !== undefined && { againAt }) };
}

interface ForcedEnd {
  readonly at: number;
  readonly reason: string;
  readonly message: string;
  readonly condition?: Pick<PodCondition, 'type' | 'reason'>;
}

function forcedEnd({ spec }: StoredPod, { evictAfterMs }: PodPlan, since: number, now: number): ForcedEnd | undefined {
  const deadline = spec.activeDeadlineSeconds;
  const ends: ForcedEnd[] = [];
  if (deadline !== undefined) {
    ends.push({ at: since + deadline * 1_000, reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' });
  }
  if (evictAfterMs < Number.POSITIVE_INFINITY) {
    const condition = { type: 'DisruptionTarget', reason: 'TerminationByKubelet' };
    ends.push({ at: since + evictAfterMs, reason: 'Evicted', message: 'The node was low on resource: memory.', condition });
  }
  return ends.filter(({ at }) => at <= now)[0] ?? ends.toSorted((a, b) => a.at - b.at)[0];
}

function withOutcome(status: PodStatus, { reason, message, condition }: ForcedEnd, now: number): PodStatus {
  const mark = condition && { ...condition, status: 'True', message, lastTransitionTime: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z') };
  const conditions = mark ? [...(status.conditions ?? []).filter(({ type }) => type !== mark.type), mark] : status.conditions;
  return { ...status, reason, message, conditions } as PodStatus;
}

/** Containers end, the status says so, and only then the pod goes. */
function ending(pod: StoredPod, plan: PodPlan, startTime: string, scene: PodScene): PodStep {
  const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1_000;
  const asked = Date.parse(pod.metadata.deletionTimestamp ?? '') - graceMs;
  const endsAt = asked + Math.min(plan.stopAfterMs, graceMs);
  if (plan.stopAfterMs > 0 && scene.now < endsAt) return { againAt: endsAt };
  const exitCode = plan.stopAfterMs > graceMs ? 137 : 143;
  const actors = allContainers(pod).map(({ container, role, before }) =>
    stoppedActor(actorFor(pod, plan, container, role, before ?? waitingContainer(container, 'ContainerCreating'), scene), exitCode, scene),
  );
  return { status: statusOf(pod, actors, startTime, scene, phaseOf(actors, true)) };
}

function stoppedActor(actor: Actor, exitCode: number, { times, now }: PodScene): Actor {
  return { ...actor, status: stopped(actor.status, exitCode, times, now) };
}

interface Cast {
  readonly actors: readonly Actor[];
  readonly nextAt: number | undefined;
}

/** Init containers one after the other, sidecars as soon as it is their turn, the others when all of these let them. */
function actorsOf(pod: StoredPod, plan: PodPlan, since: number, scene: PodScene): Cast {
  const startsAt = since + plan.startAfterMs;
  const hasInit = (pod.spec.initContainers?.length ?? 0) > 0;
  const mainHasRun = (pod.status.containerStatuses ?? []).some(({ state, lastState }) => state.waiting === undefined || lastState.terminated !== undefined);
  let nextAt: number | undefined = startsAt > scene.now ? startsAt : undefined;
  let isBlocked = startsAt > scene.now;
  const actors: Actor[] = [];
  for (const { container, role, before } of allContainers(pod)) {
    const waiting = () => before ?? waitingContainer(container, hasInit ? 'PodInitializing' : 'ContainerCreating');
    const actor = actorFor(pod, plan, container, role, waiting(), scene);
    // Once a container has run, what came before it is not repeated.
    if ((isBlocked && !(mainHasRun && role !== 'main')) || (role === 'init' && mainHasRun)) actors.push(actor);
    else {
      const now = lived(before, actor.scene);
      nextAt = earliest(nextAt, now.nextAt);
      actors.push({ ...actor, status: now.status });
      if (!mainHasRun && !isPastInit({ role, status: now.status })) isBlocked = true;
    }
  }
  const main = actors.filter(({ role }) => role === 'main');
  const allDone = main.every(({ status, scene: of }) => isDone(status, of));
  // Sidecars have nothing left to accompany.
  const ended = allDone ? actors.map((actor) => (actor.role === 'sidecar' ? stoppedActor(actor, 0, scene) : actor)) : actors;
  return { actors: ended, nextAt };
}

interface Part {
  readonly container: Container;
  readonly role: ContainerRole;
  readonly before: ContainerStatus | undefined;
}

function allContainers({ spec, status }: StoredPod): readonly Part[] {
  const part = (statuses: readonly ContainerStatus[] = []) => {
    return (container: Container, role: ContainerRole): Part => ({ container, role, before: statuses.find(({ name }) => name === container.name) });
  };
  const init = part(status.initContainerStatuses);
  const main = part(status.containerStatuses);
  const ephemeral = part(status.ephemeralContainerStatuses);
  return [
    ...(spec.initContainers ?? []).map((container) => init(container, container.restartPolicy === 'Always' ? 'sidecar' : 'init')),
    ...(spec.containers ?? []).map((container) => main(container, 'main')),
    ...((spec.ephemeralContainers ?? []) as readonly Container[]).map((container) => ephemeral(container, 'ephemeral')),
  ];
}

function actorFor(pod: StoredPod, plan: PodPlan, container: Container, role: ContainerRole, status: ContainerStatus, { times, now }: PodScene): Actor {
  const { name, namespace, uid = '' } = pod.metadata;
  const restarts = restartsOf(container, role, pod.spec.restartPolicy);
  return { role, status, scene: { container, plan: plan.of(container, role), restarts, podUid: uid, podTitle: `${name}_${namespace}(${uid})`, times, now } };
}

function statusOf(pod: StoredPod, actors: readonly Actor[], startTime: string, scene: PodScene, phase = phaseOf(actors, false)): PodStatus {
  const of = (...roles: readonly ContainerRole[]) => actors.filter(({ role }) => roles.includes(role)).map(({ status }) => status);
  const [init, main, ephemeral] = [of('init', 'sidecar'), of('main'), of('ephemeral')];
  const { generation } = pod.metadata;
  const { hostIP } = scene;
  const hasStarted = actors.some(({ status }) => status.containerID !== undefined);
  const podIP = pod.status.podIP || (hasStarted ? (pod.spec.hostNetwork ? hostIP : scene.podIP()) : undefined);
  return {
    ...pod.status,
    ...(generation !== undefined && { observedGeneration: generation }),
    phase,
    conditions: podConditions(pod, actors, phase, scene.now),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP !== undefined && { podIP, podIPs: [{ ip: podIP }] }),
    startTime,
    ...(init.length > 0 && { initContainerStatuses: init }),
    containerStatuses: main,
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
  } as PodStatus;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
