import { type Plugin, rejecter } from '#scheduler/framework.ts';
import { tolerates } from '#scheduler/cluster/taints.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { nodeHint, podHint } from '#scheduler/queue/hints.ts';

const name = 'NodeUnschedulable';
const cordoned = rejecter(name).final('node(s) were unschedulable');
const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Nodes that were cordoned take pods that tolerate the taint of that name. */
export function nodeUnschedulable(): Plugin {
  return {
    name,
    isLocal: true,
    filter: (pod) => ({ check: (node) => (node.node?.spec?.unschedulable === true && !toleratesCordon(pod) ? cordoned : undefined) }),
    hints: [
      nodeHint(
        ['Add', 'UpdateTaint'],
        (_, { before, after }) => (before === undefined || before.spec?.unschedulable === true) && after?.spec?.unschedulable !== true,
      ),
      podHint(['UpdateToleration'], (pod, { after }) => after?.uid === pod.uid && toleratesCordon(after)),
    ],
  };
}

function toleratesCordon({ tolerations }: PodFacts): boolean {
  return tolerates(tolerations, taint);
}
