import { wholeSeconds } from '#api/whole-seconds.ts';
import type { StoredPod } from '#controllers/nodes/stored-kinds.ts';
import type { PodCondition } from '#kinds/core/v1/pod/pod-status.ts';

/** The mark of a pod that is about to be deleted through no fault of its own. Undefined: it has this very mark already. */
export function disruptionTarget({ metadata: { generation }, status }: StoredPod, reason: string, message: string, now: Date): PodCondition | undefined {
  const type = 'DisruptionTarget';
  const before = status.conditions?.find((condition) => condition.type === type);
  if (before?.status === 'True' && before.reason === reason && before.message === message) return undefined;
  const lastTransitionTime = before?.status === 'True' && before.lastTransitionTime ? before.lastTransitionTime : wholeSeconds(now);
  return { type, ...(generation !== undefined && { observedGeneration: generation }), status: 'True', reason, message, lastTransitionTime } as PodCondition;
}
