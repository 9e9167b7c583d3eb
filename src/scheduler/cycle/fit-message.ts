// Why a pod fits nowhere, as FailedScheduling and the condition PodScheduled say it.
import type { Rejection } from '#scheduler/framework.ts';

export interface FitReasons {
  readonly ofAll?: Rejection | undefined;
  readonly byNode: ReadonlyMap<string, Rejection>;
  readonly ofOthers?: Rejection | undefined;
}

/** `after` is what the attempt to make room says. */
export function fitMessage(allNodes: number, { ofAll, byNode, ofOthers }: FitReasons, after = ''): string {
  const head = `0/${allNodes} nodes are available:`;
  const reasons = ofAll === undefined ? histogram(allNodes, byNode, ofOthers).join(', ') : ofAll.reasons.join(', ');
  return [head, ...(reasons === '' ? [] : [`${reasons}.`]), ...(after === '' ? [] : [after])].join(' ');
}

/** `2 Insufficient cpu`, sorted as text. */
function histogram(allNodes: number, byNode: ReadonlyMap<string, Rejection>, ofOthers: Rejection | undefined): readonly string[] {
  const counts = new Map<string, number>();
  const add = (reason: string, by: number) => counts.set(reason, (counts.get(reason) ?? 0) + by);
  for (const { reasons } of byNode.values()) for (const reason of reasons) add(reason, 1);
  const others = allNodes - byNode.size;
  if (others > 0) for (const reason of ofOthers?.reasons ?? []) add(reason, others);
  return [...counts].map(([reason, count]) => `${count} ${reason}`).sort(byBytes);
}

/** As Go sorts strings; reasons are ASCII. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
