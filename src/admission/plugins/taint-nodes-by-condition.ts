// A new node takes no pods until somebody has seen it ready.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { only } from '#admission/request-subject.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';

const nodes = { group: '', resource: 'nodes' };
const notReady = 'node.kubernetes.io/not-ready';

export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  matches: only(['CREATE'], nodes),
  mutate({ object }) {
    const { spec } = object as unknown as Node;
    const taints = spec.taints ?? [];
    if (!taints.some(({ key, effect }) => key === notReady && effect === 'NoSchedule')) spec.taints = [...taints, { key: notReady, effect: 'NoSchedule' }];
  },
};
