import type { Plugin } from '#scheduler/framework.ts';
import { podHint } from '#scheduler/queue/hints.ts';

/** Pods with gates wait until the last one is taken away. */
export function schedulingGates(): Plugin {
  return {
    name: 'SchedulingGates',
    admits: ({ pod }) => (pod.spec.schedulingGates ?? []).length === 0,
    hints: [podHint(['UpdateGatesEliminated'], (pod, { after }) => after?.uid === pod.uid)],
  };
}
