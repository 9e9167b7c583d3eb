// Which taints of a node a pod tolerates.
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import type { Taint } from '#kinds/core/v1/node/node.ts';

export function tolerates(tolerations: readonly Toleration[], taint: Pick<Taint, 'key' | 'value' | 'effect'>): boolean {
  return tolerations.some((toleration) => covers(toleration, taint));
}

/** The first taint that keeps a pod away; taints that only advise against the node do not. */
export function untolerated(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint | undefined {
  return taints.find((taint) => keepsAway(taint) && !tolerates(tolerations, taint));
}

function keepsAway({ effect }: Taint): boolean {
  return effect === 'NoSchedule' || effect === 'NoExecute';
}

/** `Lt` and `Gt` wait for the gate TaintTolerationComparisonOperators, which is off. */
function covers({ key = '', operator = '', value = '', effect = '' }: Toleration, taint: Pick<Taint, 'key' | 'value' | 'effect'>): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}
