// Whether a node still gives signs of life: it changes the heartbeat of its Ready condition, or renews its lease. Clocks of nodes are not
// trusted: what counts is when *we* saw a sign change.
import { wholeSeconds } from '#api/whole-seconds.ts';
import { conditionOf, type StoredNode } from '#controllers/nodes/stored-kinds.ts';
import type { NodeCondition } from '#kinds/core/v1/node/node.ts';

export interface NodeHealth {
  /** When the last sign was seen, in milliseconds. */
  readonly seenAt: number;
  /** Of the Ready condition that was seen last; undefined: there was none. */
  readonly heartbeat: string | undefined;
  readonly renewTime: string | undefined;
}

export interface GracePeriods {
  readonly graceMs: number;
  /** For nodes that never told a status. */
  readonly startupGraceMs: number;
}

export interface HealthVerdict {
  readonly health: NodeHealth;
  /** What the node last said about itself; never undefined, as in the original. */
  readonly observed: Pick<NodeCondition, 'status'>;
  /** What holds now; undefined: the node is new and has said nothing. */
  readonly current: Pick<NodeCondition, 'status'> | undefined;
  /** To be written: the node has fallen silent. */
  readonly conditions?: readonly NodeCondition[];
}

/** The network is judged on the side of the control plane. */
const silenced = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

export function judgeHealth(
  node: StoredNode,
  known: NodeHealth | undefined,
  renewTime: string | undefined,
  now: number,
  { graceMs, startupGraceMs }: GracePeriods,
): HealthVerdict {
  const ready = conditionOf(node, 'Ready');
  const health = withSigns(node, ready, known, renewTime, now);
  const observed = ready ?? { status: 'Unknown' };
  const isSilent = now > health.seenAt + (ready === undefined ? startupGraceMs : graceMs);
  if (!isSilent) return { health, observed, current: ready };
  const conditions = silentConditions(node, wholeSeconds(new Date(now)));
  return { health, observed, current: { status: 'Unknown' }, ...(ready?.status !== 'Unknown' && { conditions }) };
}

function withSigns(node: StoredNode, ready: NodeCondition | undefined, known: NodeHealth | undefined, renewTime: string | undefined, now: number): NodeHealth {
  const heartbeat = ready === undefined ? undefined : (ready.lastHeartbeatTime ?? '');
  const first = ready === undefined ? Date.parse(node.metadata.creationTimestamp ?? '') : now;
  const isRenewed = renewTime !== undefined && (known?.renewTime === undefined || known.renewTime < renewTime);
  const isChanged = known !== undefined && known.heartbeat !== heartbeat;
  const seenAt = isRenewed || isChanged ? now : (known?.seenAt ?? first);
  return { seenAt, heartbeat, renewTime: isRenewed ? renewTime : known?.renewTime };
}

function silentConditions(node: StoredNode, now: string): readonly NodeCondition[] {
  const before = node.status?.conditions ?? [];
  const known = before.map((condition) => (silenced.includes(condition.type) && condition.status !== 'Unknown' ? fallenSilent(condition, now) : condition));
  const missing = silenced.filter((type) => !before.some((condition) => condition.type === type));
  return [...known, ...missing.map((type) => neverTold(type, node.metadata.creationTimestamp, now))];
}

function fallenSilent(condition: NodeCondition, now: string): NodeCondition {
  return { ...condition, status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.', lastTransitionTime: now };
}

function neverTold(type: string, created: string | undefined, now: string): NodeCondition {
  const message = 'Kubelet never posted node status.';
  return { type, status: 'Unknown', reason: 'NodeStatusNeverUpdated', message, lastHeartbeatTime: created, lastTransitionTime: now } as NodeCondition;
}
