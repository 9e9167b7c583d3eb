// What follows from the conditions of a node alone: taints that keep new pods away, and labels in their old spelling.
import { sameTaint, type TaintFacts } from '#api/taints.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import type { StoredNode } from '#controllers/nodes/stored-kinds.ts';
import { swapTaints } from '#controllers/nodes/write-taints.ts';

const unschedulable = 'node.kubernetes.io/unschedulable';

/** By condition and its status. */
const keys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: 'node.kubernetes.io/not-ready', Unknown: 'node.kubernetes.io/unreachable' },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
};
const ownKeys = new Set([unschedulable, ...Object.values(keys).flatMap((byStatus) => Object.values(byStatus))]);

export async function keepSchedulingTaints(client: RestClient, node: StoredNode, now: Date): Promise<void> {
  const wanted = schedulingTaints(node);
  const stale = (node.spec?.taints ?? []).filter((taint) => isOwn(taint) && !wanted.some((one) => sameTaint(one, taint)));
  await swapTaints(client, node, wanted, stale, now);
}

export function schedulingTaints({ spec, status }: StoredNode): readonly TaintFacts[] {
  const fromConditions = (status?.conditions ?? []).flatMap(({ type, status: is }) => {
    const key = keys[type]?.[is];
    return key === undefined ? [] : [noSchedule(key)];
  });
  return spec?.unschedulable ? [...fromConditions, noSchedule(unschedulable)] : fromConditions;
}

function noSchedule(key: string): TaintFacts {
  return { key, effect: 'NoSchedule' };
}

function isOwn({ key, effect }: TaintFacts): boolean {
  return effect === 'NoSchedule' && ownKeys.has(key);
}

/** The old spelling follows the new one. */
const spellings = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

export async function keepOldLabels(client: RestClient, { metadata: { name = '', labels = {} } }: StoredNode): Promise<void> {
  const changed = spellings.filter(([now, old]) => labels[now] !== undefined && labels[old] !== labels[now]);
  if (changed.length === 0) return;
  const patch = { metadata: { labels: Object.fromEntries(changed.map(([now, old]) => [old, labels[now]])) } };
  await client.patch(kinds.nodes, { namespace: '', name }, patchTypes.strategic, patch);
}
