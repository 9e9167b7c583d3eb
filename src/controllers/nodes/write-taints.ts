import { sameTaint, type TaintFacts } from '#api/taints.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import type { Taint } from '#kinds/core/v1/node/node.ts';
import type { StoredNode } from '#controllers/nodes/stored-kinds.ts';

/** One patch of the node as it was seen: refused with 409 when the node was changed meanwhile. */
export async function swapTaints(client: RestClient, node: StoredNode, add: readonly TaintFacts[], remove: readonly TaintFacts[], now: Date): Promise<boolean> {
  const before = node.spec?.taints ?? [];
  const missing = add.filter((taint) => !before.some((known) => sameTaint(known, taint)));
  const kept = before.filter((known) => !remove.some((taint) => sameTaint(known, taint)));
  if (missing.length === 0 && kept.length === before.length) return false;
  const timeAdded = wholeSeconds(now);
  const taints: readonly Taint[] = [...kept, ...missing.map(({ key, effect }) => ({ key, effect, timeAdded }) as Taint)];
  const { name = '', resourceVersion } = node.metadata;
  const patch = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } };
  await client.patch(kinds.nodes, { namespace: '', name }, patchTypes.strategic, patch);
  return true;
}
