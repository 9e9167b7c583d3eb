import { normalizeToLargest, type Plugin, rejecter } from '#scheduler/framework.ts';
import { namesIn, type NodeName, preferredNodes } from '#controllers/nodes/node-selection.ts';
import type { StoredNode } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { nodeHint } from '#scheduler/queue/hints.ts';

const name = 'NodeAffinity';
const reject = rejecter(name);
const mismatch = reject.final("node(s) didn't match Pod's node affinity/selector");
const conflict = reject.final('pod affinity terms conflict');

/** A pod's nodeSelector and affinity to nodes; preferred terms score by their weights. */
export function nodeAffinity(): Plugin {
  return {
    name,
    weight: 2,
    isLocal: true,
    filter: (pod) => {
      const { affinity, nodeSelector } = pod.pod.spec;
      const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
      if (required === undefined && nodeSelector === undefined) return undefined;
      const onlyNodes = required && namesIn(required);
      if (onlyNodes?.size === 0) return conflict;
      return { check: (node) => (pod.suits(node) ? undefined : mismatch), ...(onlyNodes && { onlyNodes }) };
    },
    score: ({ pod }) => {
      const terms = pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
      return terms && { score: preferredNodes(terms), normalize: (scores) => normalizeToLargest(scores) };
    },
    hints: [nodeHint(['Add', 'UpdateLabel'], (pod, { before, after }) => suitsNode(pod, after) && (before === undefined || !suitsNode(pod, before)))],
  };
}

function suitsNode(pod: PodFacts, node: StoredNode | undefined): boolean {
  return node !== undefined && pod.suits(named(node));
}

export function named({ metadata: { name: nodeName = '', labels = {} } }: StoredNode): NodeName {
  return { name: nodeName, labels };
}
