// Which taints of a node keep a pod away.
import { type TaintFacts, toleratesTaint, type TolerationFacts } from '#api/taints.ts';

export function tolerates(tolerations: readonly TolerationFacts[], taint: TaintFacts): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, taint));
}

/** The first taint that keeps a pod away; taints that only advise against the node do not. Devices have such taints too. */
export function untolerated<T extends TaintFacts>(taints: readonly T[], tolerations: readonly TolerationFacts[]): T | undefined {
  return taints.find((taint) => keepsAway(taint) && !tolerates(tolerations, taint));
}

function keepsAway({ effect }: TaintFacts): boolean {
  return effect === 'NoSchedule' || effect === 'NoExecute';
}
