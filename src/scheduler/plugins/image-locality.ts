import { maxScore, type Plugin } from '#scheduler/framework.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { StoredPod } from '#scheduler/cluster/pod-facts.ts';

const mebibyte = 1024 * 1024;
const smallest = 23 * mebibyte;
const largestPerContainer = 1000 * mebibyte;

/** Nodes that have a pod's images are better, the larger these are and the more nodes have them: an image that one node has attracts less. */
export function imageLocality(): Plugin {
  return {
    name: 'ImageLocality',
    weight: 1,
    isLocal: true,
    score: ({ pod }, _, { nodes }) => {
      const images = imagesOf(pod);
      const containers = (pod.spec.containers?.length ?? 0) + (pod.spec.initContainers?.length ?? 0);
      return { score: (node) => scoreOf(present(node, images, nodes.length), containers) };
    },
    hints: [],
  };
}

function imagesOf({ spec: { containers = [], initContainers = [], volumes = [] } }: StoredPod): readonly string[] {
  const ofContainers = [...initContainers, ...containers].map(({ image = '' }) => image);
  const ofVolumes = volumes.flatMap(({ image }) => (image === undefined ? [] : [image.reference ?? '']));
  return [...ofContainers, ...ofVolumes].map(withTag);
}

function withTag(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}

/** Bytes that need not be fetched, in proportion to how widespread they are. */
function present({ images }: NodeInfo, wanted: readonly string[], allNodes: number): number {
  let sum = 0;
  for (const image of wanted) {
    const state = images.get(image);
    if (state !== undefined) sum += Math.trunc(state.size * (state.nodes.size / allNodes));
  }
  return sum;
}

function scoreOf(bytes: number, containers: number): number {
  const largest = largestPerContainer * containers;
  const bounded = Math.min(Math.max(bytes, smallest), largest);
  return Math.trunc((maxScore * (bounded - smallest)) / (largest - smallest));
}
