// A node on which nothing runs: it is played by `binnacle` itself. Everybody who shows such a node, or is asked for what a kubelet would have
// said about its pods, must be able to tell.
import type { KubernetesObject } from '#api/object.ts';

/** Its value tells people what it means. */
export const simulatedAnnotation = 'nodes.binnacle.dev/simulated';
export const simulatedText = 'played by Binnacle: nothing runs on this node';

export function isSimulatedNode({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[simulatedAnnotation] !== undefined;
}
