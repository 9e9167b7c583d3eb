// The phase of a pod, from what its containers do.
import type { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { ContainerScene } from '#nodes/pod/container-life.ts';
import type { ContainerRole } from '#nodes/pod/pod-plan.ts';

/** One container of a pod, with what it does now. */
export interface Actor {
  readonly role: ContainerRole;
  readonly scene: ContainerScene;
  readonly status: ContainerStatus;
}

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** `isEnding`: nothing is started again, whatever policies say. */
export function phaseOf(actors: readonly Actor[], isEnding: boolean): Phase {
  const init = actors.filter(({ role }) => role === 'init');
  const main = actors.filter(({ role }) => role === 'main');
  if (init.some((actor) => isFailedForGood(actor, isEnding))) return 'Failed';
  const hasBegun = main.some(({ status }) => hasRun(status));
  const isInitialized = hasBegun || actors.every((actor) => isPastInit(actor));
  if (!isInitialized || main.some(({ status }) => status.state.waiting !== undefined && status.lastState.terminated === undefined)) return 'Pending';
  const sidecarsRun = actors.some(({ role, status }) => role === 'sidecar' && status.state.running !== undefined);
  if (sidecarsRun || main.some(({ status }) => status.state.running !== undefined)) return 'Running';
  if (!isEnding && main.some(({ scene, status }) => scene.restarts(lastExitCode(status)))) return 'Running';
  return main.every(({ status }) => lastExitCode(status) === 0) ? 'Succeeded' : 'Failed';
}

function isFailedForGood({ scene, status }: Actor, isEnding: boolean): boolean {
  const code = lastExitCode(status);
  return hasEnded(status) && code !== 0 && (isEnding || !scene.restarts(code));
}

/** The next container in order may start. */
export function isPastInit({ role, status }: Pick<Actor, 'role' | 'status'>): boolean {
  if (role === 'init') return status.state.terminated?.exitCode === 0;
  return role !== 'sidecar' || status.started === true;
}

function hasRun(status: ContainerStatus): boolean {
  return status.state.running !== undefined || hasEnded(status);
}

function hasEnded({ state, lastState }: ContainerStatus): boolean {
  return state.terminated !== undefined || lastState.terminated !== undefined;
}

function lastExitCode({ state, lastState }: ContainerStatus): number {
  return (state.terminated ?? lastState.terminated)?.exitCode ?? 0;
}
