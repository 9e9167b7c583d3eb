// The life of one container that nobody runs: created, running, ended, started again after a pause that grows. Everything that has to be known
// stands in its status, so that a simulation that begins anew goes on where the last one ended.
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ContainerState, ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { ExactTimes } from '#nodes/pod/exact-times.ts';
import type { ContainerPlan } from '#nodes/pod/pod-plan.ts';
import { type Restarts, pauseBeforeRestartMs } from '#nodes/pod/restart-policy.ts';

export interface ContainerScene {
  readonly container: Container;
  readonly plan: ContainerPlan;
  readonly restarts: Restarts;
  readonly podUid: string;
  /** As messages name it: `name_namespace(uid)`. */
  readonly podTitle: string;
  readonly times: ExactTimes;
  /** Milliseconds. */
  readonly now: number;
}

export interface Lived {
  readonly status: ContainerStatus;
  /** When it will change by itself. */
  readonly nextAt?: number;
}

interface Change {
  readonly at: number;
  readonly to: () => ContainerStatus;
}

/** A container that may run: brought to what it is now. */
export function lived(before: ContainerStatus | undefined, scene: ContainerScene): Lived {
  let status = withResources(before ?? waitingContainer(scene.container, 'ContainerCreating'), scene);
  for (;;) {
    const change = nextChange(status, scene);
    if (change === undefined) return { status };
    if (change.at > scene.now) return { status, nextAt: change.at };
    status = change.to();
  }
}

export function waitingContainer(container: Container, reason: string): ContainerStatus {
  const image = container.image ?? '';
  return { name: container.name, state: { waiting: { reason } }, lastState: {}, ready: false, restartCount: 0, image, imageID: '', started: false };
}

export function isDone({ state }: ContainerStatus, { restarts }: { readonly restarts: Restarts }): boolean {
  return state.terminated !== undefined && !restarts(state.terminated.exitCode);
}

/** Ended from outside: its pod goes, or has nothing left to do. */
export function stopped(status: ContainerStatus, exitCode: number, times: ExactTimes, now: number): ContainerStatus {
  if (status.state.terminated !== undefined) return status;
  const { running } = status.state;
  if (running === undefined) return { ...status, state: { terminated: neverRan() }, ready: false, started: false };
  const ended = endedState(status, { exitCode, startedAt: running.startedAt, finishedAt: times.note(`end ${status.name}`, now) });
  return { ...status, state: ended, ready: false, started: false };
}

/** As kubelets tell of containers that a pod had no time to start. */
function neverRan(): NonNullable<ContainerState['terminated']> {
  const message = 'The container could not be located when the pod was terminated';
  return { exitCode: 137, reason: 'ContainerStatusUnknown', message } as NonNullable<ContainerState['terminated']>;
}

function nextChange(status: ContainerStatus, scene: ContainerScene): Change | undefined {
  if (status.state.running !== undefined) return changeOfRunning(status, status.state.running.startedAt ?? '', scene);
  if (status.state.terminated !== undefined) return changeOfEnded(status, scene);
  return changeOfWaiting(status, scene);
}

function changeOfRunning(status: ContainerStatus, startedAt: string, { plan, times, now }: ContainerScene): Change | undefined {
  const since = times.at(`start ${status.name}`, startedAt);
  const mayEnd = status.restartCount < plan.exits;
  const changes: Change[] = [
    ...(status.started === true ? [] : [{ at: since + plan.startedAfterMs, to: () => ({ ...status, started: true }) }]),
    ...(status.ready ? [] : [{ at: since + Math.max(plan.readyAfterMs, plan.startedAfterMs), to: () => ({ ...status, started: true, ready: true }) }]),
    ...(mayEnd && plan.runsMs < Number.POSITIVE_INFINITY ? [{ at: since + plan.runsMs, to: end }] : []),
  ];
  return changes.toSorted((a, b) => a.at - b.at)[0];

  function end(): ContainerStatus {
    const finishedAt = times.note(`end ${status.name}`, now);
    return { ...status, state: endedState(status, { exitCode: plan.exitCode, startedAt, finishedAt }), ready: false, started: false };
  }
}

interface Ending {
  readonly exitCode: number;
  readonly startedAt: string | undefined;
  readonly finishedAt: string;
}

function endedState({ containerID }: ContainerStatus, { exitCode, startedAt, finishedAt }: Ending): ContainerState {
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return { terminated: { exitCode, reason, startedAt, finishedAt, containerID } as NonNullable<ContainerState['terminated']> };
}

/** The first restart comes at once, as with kubelets. */
function changeOfEnded(status: ContainerStatus, scene: ContainerScene): Change | undefined {
  const ended = status.state.terminated;
  if (ended === undefined || !scene.restarts(ended.exitCode)) return undefined;
  const pauseMs = pauseBeforeRestartMs(status.restartCount, ended);
  if (pauseMs === 0) return { at: scene.now, to: () => started({ ...status, lastState: status.state }, status.restartCount + 1, scene) };
  const message = `back-off ${goDuration(pauseMs)} restarting failed container=${status.name} pod=${scene.podTitle}`;
  return { at: scene.now, to: () => ({ ...status, state: { waiting: { reason: 'CrashLoopBackOff', message } }, lastState: status.state }) };
}

function changeOfWaiting(status: ContainerStatus, scene: ContainerScene): Change | undefined {
  const { plan, times, now, container } = scene;
  if (plan.pullFails) return changeOfPulling(status, scene);
  const last = status.lastState.terminated;
  if (last === undefined) return { at: now, to: () => started(status, 0, scene) };
  const ended = times.at(`end ${container.name}`, last.finishedAt ?? '');
  return { at: ended + pauseBeforeRestartMs(status.restartCount, last), to: () => started(status, status.restartCount + 1, scene) };
}

/** First the error, then the pause before the next attempt, which fails as well. */
function changeOfPulling(status: ContainerStatus, { container, times, now }: ContainerScene): Change | undefined {
  const image = JSON.stringify(container.image ?? '');
  const { reason } = status.state.waiting ?? {};
  if (reason === 'ImagePullBackOff') return undefined;
  const waiting = (why: string, message: string) => ({ ...status, state: { waiting: { reason: why, message } } });
  if (reason === 'ErrImagePull') {
    const failedAt = times.noted(`pull ${status.name}`) ?? 0;
    return { at: failedAt + pullPauseMs, to: () => waiting('ImagePullBackOff', `Back-off pulling image ${image}: ErrImagePull: ${pullProblem(image)}`) };
  }
  const fail = () => {
    times.note(`pull ${status.name}`, now);
    return waiting('ErrImagePull', pullProblem(image));
  };
  return { at: now, to: fail };
}

const pullPauseMs = 1_000;

function pullProblem(image: string): string {
  return `failed to pull and unpack image ${image}: the annotation nodes.binnacle.dev/image-pull says so`;
}

function started(status: ContainerStatus, restartCount: number, { container, plan, times, podUid, now }: ContainerScene): ContainerStatus {
  const isStarted = plan.startedAfterMs === 0;
  return {
    ...status,
    state: { running: { startedAt: times.note(`start ${container.name}`, now) } },
    started: isStarted,
    ready: isStarted && plan.readyAfterMs === 0,
    restartCount,
    imageID: `simulated://${container.image ?? ''}`,
    containerID: `simulated://${podUid}/${container.name}/${restartCount}`,
  };
}

/** Resources follow the spec at once: a pod that is resized has them. */
function withResources(status: ContainerStatus, { container: { resources } }: ContainerScene): ContainerStatus {
  if (resources === undefined || Object.keys(resources).length === 0) return status;
  return { ...status, resources, ...(resources.requests && { allocatedResources: resources.requests }) } as ContainerStatus;
}

function goDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
