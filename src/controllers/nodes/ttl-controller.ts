// Tells kubelets by an annotation how long they may keep Secrets and ConfigMaps: the larger the cluster, the longer.
import { type Sources, splitKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import type { StoredNode } from '#controllers/nodes/stored-kinds.ts';

export interface TtlOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
}

const annotation = 'node.alpha.kubernetes.io/ttl';

/** They overlap, so that a cluster whose size goes up and down between two steps does not change its mind with it. */
const steps = [
  { min: 0, max: 100, seconds: 0 },
  { min: 90, max: 500, seconds: 15 },
  { min: 450, max: 1_000, seconds: 30 },
  { min: 900, max: 2_000, seconds: 60 },
  { min: 1_800, max: Number.POSITIVE_INFINITY, seconds: 300 },
] as const;

export function ttlController(options: TtlOptions): Controller {
  const { client, sources } = options;
  const nodes = sources.of<StoredNode>(kinds.nodes);
  let step = 0;
  const reconcile = async (key: string) => {
    const { name } = splitKey(key);
    step = nextStep(step, nodes.list().length);
    const node = nodes.get('', name)?.object;
    const seconds = String(steps[step]?.seconds ?? 0);
    if (node === undefined || node.metadata.annotations?.[annotation] === seconds) return;
    await unlessGone(client.patch(kinds.nodes, { namespace: '', name }, patchTypes.strategic, { metadata: { annotations: { [annotation]: seconds } } }));
  };
  return controller({ ...options, name: 'ttlcontroller', sources: [keysOf(nodes)], reconcile, workers: 5, retry: { firstMs: 5, maxMs: 1_000_000 } });
}

export function nextStep(step: number, nodes: number): number {
  if (nodes > (steps[step]?.max ?? 0)) return nextStep(step + 1, nodes);
  return nodes < (steps[step]?.min ?? 0) ? nextStep(step - 1, nodes) : step;
}
