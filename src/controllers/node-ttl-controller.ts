// Tells kubelets for how long they may keep what they have read of Secrets and ConfigMaps: the more nodes there are, the longer. An annotation
// of every node, changed only when the number of nodes leaves its step well behind.
import type { KubernetesObject } from '#api/object.ts';
import { mirror, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, type LoopParts, unlessGone } from '#controllers/controller.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';

export interface NodeTtlOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
}

const annotation = 'node.alpha.kubernetes.io/ttl';
const workers = 5;

/** From step to step the sizes overlap, so that one node more or less does not change all of them. */
const steps = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1_000, seconds: 30 },
  { from: 900, to: 2_000, seconds: 60 },
  { from: 1_800, to: Infinity, seconds: 300 },
] as const;

/** The step for so many nodes, coming from another. */
export function nextStep(step: number, nodes: number): number {
  let next = step;
  while (nodes > (steps[next]?.to ?? Infinity)) next += 1;
  while (nodes < (steps[next]?.from ?? 0)) next -= 1;
  return next;
}

export function secondsOfStep(step: number): number {
  return steps[step]?.seconds ?? 0;
}

export function nodeTtl(options: NodeTtlOptions): Controller {
  const { client, sources } = options;
  const nodes = sources.of<Node & KubernetesObject>(kinds.nodes);
  let step = 0;
  const reconcile = async (key: string) => {
    const { name } = splitKey(key);
    const node = nodes.get('', name)?.object;
    const wanted = String(secondsOfStep(step));
    if (node === undefined || node.metadata.annotations?.[annotation] === wanted) return;
    await unlessGone(client.patch(kinds.nodes, { namespace: '', name }, patchTypes.strategic, { metadata: { annotations: { [annotation]: wanted } } }));
  };
  const follow: Parameters<typeof controller>[0]['sources'][number] = (enqueue, signal) => {
    const known = new Set<string>();
    const count = () => (step = nextStep(step, known.size));
    const put = ({ metadata: { name = '' } }: KubernetesObject) => {
      known.add(name);
      count();
      enqueue(sourceKey({ namespace: '', name }));
    };
    const drop = (_: string, name: string) => {
      known.delete(name);
      count();
    };
    return nodes.follow(mirror({ put, drop }), signal);
  };
  return controller({ ...options, name: 'ttlcontroller', sources: [follow], reconcile, workers, retry: { firstMs: 5, maxMs: 1_000_000 } });
}
