// The conditions that a kubelet keeps, with its reasons and messages. Those of others stay as they are.
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { PodCondition } from '#kinds/core/v1/pod/pod-status.ts';
import { type Actor, isPastInit, type Phase } from '#nodes/pod/pod-phase.ts';
import type { StoredPod } from '#nodes/pod/stored-pod.ts';

type Verdict = Pick<PodCondition, 'status'> & Partial<Pick<PodCondition, 'reason' | 'message'>>;

export function podConditions(pod: StoredPod, actors: readonly Actor[], phase: Phase, now: number): PodCondition[] {
  const before = pod.status.conditions ?? [];
  const containersReady = containersVerdict(actors, phase);
  const verdicts: readonly (readonly [string, Verdict])[] = [
    ['PodReadyToStartContainers', { status: hasSandbox(actors, phase) ? 'True' : 'False' }],
    ['Initialized', initializedVerdict(actors, phase)],
    ['Ready', containersReady.status === 'True' ? gatesVerdict(pod) : containersReady],
    ['ContainersReady', containersReady],
    ['PodScheduled', { status: 'True' }],
  ];
  const own = verdicts.map(([type, verdict]) => withTime(type, verdict, pod, now));
  const others = before.filter(({ type }) => !verdicts.some(([known]) => known === type));
  return [...others, ...own];
}

function withTime(
  type: string,
  { status, reason, message }: Verdict,
  { metadata: { generation }, status: { conditions } }: StoredPod,
  now: number,
): PodCondition {
  const before = conditions?.find((condition) => condition.type === type);
  const lastTransitionTime = before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : wholeSeconds(new Date(now));
  return {
    type,
    ...(generation !== undefined && { observedGeneration: generation }),
    status,
    ...(before?.lastProbeTime && { lastProbeTime: before.lastProbeTime }),
    lastTransitionTime,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  } as PodCondition;
}

function hasSandbox(actors: readonly Actor[], phase: Phase): boolean {
  if (phase === 'Succeeded' || phase === 'Failed') return false;
  return actors.some(({ status: { state, lastState } }) => state.running !== undefined || state.terminated !== undefined || lastState.terminated !== undefined);
}

function containersVerdict(actors: readonly Actor[], phase: Phase): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const unready = namesOf(actors.filter(({ role, status }) => (role === 'sidecar' || role === 'main') && !status.ready));
  return unready.length === 0
    ? { status: 'True' }
    : { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` };
}

function initializedVerdict(actors: readonly Actor[], phase: Phase): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (actors.some(({ role, status }) => role === 'main' && (status.state.waiting === undefined || status.lastState.terminated !== undefined)))
    return { status: 'True' };
  const incomplete = namesOf(actors.filter((actor) => !isPastInit(actor)));
  if (incomplete.length === 0) return { status: 'True' };
  return { status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${incomplete.join(' ')}]` };
}

function gatesVerdict({ spec, status }: StoredPod): Verdict {
  const problems = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = status.conditions?.find(({ type }) => type === conditionType);
    const gate = JSON.stringify(conditionType);
    if (condition === undefined) return [`corresponding condition of pod readiness gate ${gate} does not exist.`];
    return condition.status === 'True' ? [] : [`the status of pod readiness gate ${gate} is not "True", but ${condition.status}`];
  });
  return problems.length === 0 ? { status: 'True' } : { status: 'False', reason: 'ReadinessGatesNotReady', message: problems.join(', ') };
}

function namesOf(actors: readonly Actor[]): readonly string[] {
  return actors.map(({ status }) => status.name);
}
