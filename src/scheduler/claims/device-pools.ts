// The devices that a node can reach: those of complete pools, of the newest generation that was published.
import { type NodeName, nodeSelectorTest } from '#controllers/nodes/node-selection.ts';
import type { StoredSlice } from '#scheduler/claims/claim-world.ts';
import type { NodeSelector } from '#kinds/core/v1/node-selector.ts';
import type { CounterSet, Device } from '#kinds/resource/v1/resource-slice.ts';

export interface PoolDevice {
  readonly device: Device;
  readonly slice: StoredSlice;
}

export interface Pool {
  readonly driver: string;
  readonly name: string;
  /** Not all slices are there: none of its devices can be given away. */
  readonly isIncomplete: boolean;
  readonly isInvalid: boolean;
  readonly devices: readonly PoolDevice[];
  /** All devices of the pool, also those of other nodes: they share the counters. */
  readonly all: readonly Device[];
  readonly counterSets: readonly CounterSet[];
}

export function poolsOn(node: NodeName, slices: readonly StoredSlice[]): readonly Pool[] {
  const byPool = new Map<string, StoredSlice[]>();
  for (const slice of slices) {
    const id = `${slice.spec?.driver}/${slice.spec?.pool?.name}`;
    byPool.set(id, [...(byPool.get(id) ?? []), slice]);
  }
  return [...byPool.values()].flatMap((all) => poolOn(node, all) ?? []);
}

/** Undefined: nothing of it is for the node. */
function poolOn(node: NodeName, slices: readonly StoredSlice[]): Pool | undefined {
  const newest = Math.max(...slices.map(({ spec }) => Number(spec?.pool?.generation ?? 0)));
  const current = slices.filter(({ spec }) => Number(spec?.pool?.generation ?? 0) === newest);
  const devices = current.flatMap((slice) => devicesFor(node, slice));
  const counterSets = current.flatMap(({ spec }) => spec?.sharedCounters ?? []);
  if (devices.length === 0 && counterSets.length === 0) return undefined;
  const { driver = '', pool } = current[0]?.spec ?? {};
  const all = current.flatMap(({ spec }) => spec?.devices ?? []);
  const isUnique = new Set(devices.map(({ device }) => device.name)).size === devices.length;
  return {
    driver,
    name: pool?.name ?? '',
    isIncomplete: current.length !== Number(pool?.resourceSliceCount ?? 0),
    isInvalid: !isUnique || !all.every((device) => hasCounters(device, counterSets)),
    devices,
    all,
    counterSets,
  };
}

function devicesFor(node: NodeName, slice: StoredSlice): readonly PoolDevice[] {
  const { devices = [], perDeviceNodeSelection } = slice.spec ?? {};
  const reached = perDeviceNodeSelection === true ? devices.filter((device) => isFor(device, node)) : isFor(slice.spec ?? {}, node) ? devices : [];
  return reached.map((device) => ({ device, slice }));
}

interface Reach {
  readonly nodeName?: string | undefined;
  readonly allNodes?: boolean | undefined;
  readonly nodeSelector?: NodeSelector | undefined;
}

function isFor({ nodeName, allNodes, nodeSelector }: Reach, node: NodeName): boolean {
  if (nodeName) return nodeName === node.name;
  return allNodes === true || (nodeSelector !== undefined && nodeSelectorTest(nodeSelector)(node));
}

function hasCounters({ consumesCounters = [] }: Device, sets: readonly CounterSet[]): boolean {
  return consumesCounters.every(({ counterSet, counters = {} }) => {
    const found = sets.find(({ name }) => name === counterSet);
    return found !== undefined && Object.keys(counters).every((counter) => Object.hasOwn(found.counters ?? {}, counter));
  });
}

/** Where an allocation can be used: the node of a device, or what its slices require together. */
export function reachOf(devices: readonly PoolDevice[]): NodeSelector | undefined {
  const matchFields: NonNullable<NodeSelector['nodeSelectorTerms']>[number]['matchFields'] = [];
  const matchExpressions: typeof matchFields = [];
  for (const { device, slice } of devices) {
    const { nodeName, nodeSelector }: Reach = slice.spec?.perDeviceNodeSelection === true ? device : (slice.spec ?? {});
    if (nodeName !== undefined) return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }] };
    const [term] = nodeSelector?.nodeSelectorTerms ?? [];
    addNew(matchFields, term?.matchFields ?? []);
    addNew(matchExpressions, term?.matchExpressions ?? []);
  }
  if (matchFields.length === 0 && matchExpressions.length === 0) return undefined;
  return { nodeSelectorTerms: [{ ...(matchFields.length > 0 && { matchFields }), ...(matchExpressions.length > 0 && { matchExpressions }) }] };
}

function addNew<T>(to: T[], from: readonly T[]): void {
  for (const one of from) if (!to.some((other) => JSON.stringify(other) === JSON.stringify(one))) to.push(one);
}
