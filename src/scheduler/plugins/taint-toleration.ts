import { normalizeToLargest, type Plugin, rejecter } from '#scheduler/framework.ts';
import { tolerates, untolerated } from '#scheduler/cluster/taints.ts';
import { nodeHint, podHint } from '#scheduler/queue/hints.ts';

const name = 'TaintToleration';
const tainted = rejecter(name).final('node(s) had untolerated taint(s)');

/** Taints keep pods away, or advise against a node (PreferNoSchedule): those without such taints score best. */
export function taintToleration(): Plugin {
  return {
    name,
    weight: 3,
    isLocal: true,
    filter: (pod) => ({ check: ({ taints }) => (untolerated(taints, pod.tolerations) === undefined ? undefined : tainted) }),
    score: ({ tolerations }) => {
      const advice = tolerations.filter(({ effect }) => !effect || effect === 'PreferNoSchedule');
      return {
        score: ({ taints }) => taints.reduce((count, taint) => (taint.effect === 'PreferNoSchedule' && !tolerates(advice, taint) ? count + 1 : count), 0),
        normalize: (scores) => normalizeToLargest(scores, true),
      };
    },
    hints: [
      nodeHint(['Add', 'UpdateTaint'], ({ tolerations }, { before, after }) => {
        const was = before === undefined || untolerated(before.spec?.taints ?? [], tolerations) !== undefined;
        return was && untolerated(after?.spec?.taints ?? [], tolerations) === undefined;
      }),
      podHint(['UpdateToleration'], (pod, { after }) => after?.uid === pod.uid),
    ],
  };
}
