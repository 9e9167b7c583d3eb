// Hints by `service.kubernetes.io/topology-mode: Auto`: endpoints are shared out among the zones as the CPUs of the nodes are. Slices keep the
// hints they have while these leave every zone what it needs. What was given is remembered, so that a change of nodes finds the Services
// whose endpoints no longer suffice for a zone.
import { type Source, sourceKey } from '#api/source.ts';
import { milliValue, parseQuantity } from '#base/quantity.ts';
import type { KeySource } from '#controllers/controller.ts';
import type { StoredSlice } from '#controllers/endpoints/endpoint-slices.ts';
import { type AddressType, type StoredNode, type StoredService, zoneLabel } from '#controllers/endpoints/pod-endpoint.ts';
import { type HintedSlices, isReadyEndpoint, type SlicesToHint, withEndpoints, withoutHints } from '#controllers/endpoints/slice-hints.ts';
import {
  add,
  type Allocation,
  allocationsOf,
  isOverloaded,
  type Moves,
  movesBetween,
  type ZoneCounts,
  type ZoneNode,
  type ZoneShares,
  zoneShares,
} from '#controllers/endpoints/zone-allocation.ts';

export interface HintEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'TopologyAwareHintsEnabled' | 'TopologyAwareHintsDisabled';
  readonly message: string;
}

type Tell = (event: HintEvent) => void;

/** `node-role.kubernetes.io/…`: what such nodes have is not for endpoints. */
const excludedLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** The older of the two annotations wins. */
export function wantsTopologyHints({ metadata }: StoredService): boolean {
  const mode = metadata.annotations?.['service.kubernetes.io/topology-aware-hints'] ?? metadata.annotations?.['service.kubernetes.io/topology-mode'];
  return mode === 'Auto' || mode === 'auto';
}

export class TopologyHints {
  /** Those that are ready and no control plane. */
  readonly #nodes = new Map<string, ZoneNode>();
  #shares: ZoneShares | undefined;
  /** How many hints each zone has, by Service and address family. */
  readonly #given = new Map<string, Map<AddressType, ZoneCounts>>();
  readonly #enabled = new Set<string>();

  /** Tells the Services that must be looked at after a change of nodes. */
  follow(nodes: Source<StoredNode>): KeySource {
    return (enqueue, signal) => {
      const tellOverloaded = () => {
        this.#shares = zoneShares(this.#nodes.values());
        for (const [service, byType] of this.#given) if ([...byType.values()].some((counts) => isOverloaded(counts, this.#shares))) enqueue(service);
      };
      const learn = (name: string, node: StoredNode | undefined) => {
        const [before, after] = [this.#nodes.get(name), node && zoneNodeOf(node)];
        if (before?.zone === after?.zone && before?.milliCpu === after?.milliCpu) return false;
        if (after) this.#nodes.set(name, after);
        else this.#nodes.delete(name);
        return true;
      };
      return nodes.follow(
        {
          begin: (all) => {
            this.#nodes.clear();
            for (const { name, object } of all) learn(name, object);
            tellOverloaded();
          },
          change: (type, { name, object }) => {
            if (learn(name, type === 'DELETED' ? undefined : object)) tellOverloaded();
          },
        },
        signal,
      );
    };
  }

  hint(service: StoredService, addressType: AddressType, slices: SlicesToHint, tell: Tell): HintedSlices {
    const all = [...slices.create, ...slices.update, ...slices.unchanged].flatMap(({ endpoints }) => (endpoints ?? []).filter(isReadyEndpoint));
    const allocations = allocationsOf(this.#shares, all.length);
    if (typeof allocations === 'string') return this.#disable(service, addressType, slices, tell, allocations);
    const counts = new Map<string, number>();
    const { kept, late } = judgeHints(slices.unchanged, allocations, counts);
    const changing = [...slices.create, ...slices.update, ...late];
    const endpoints = changing.flatMap((slice) => (slice.endpoints ?? []).filter(isReadyEndpoint));
    if (endpoints.some(({ zone }) => !zone)) {
      return this.#disable(service, addressType, { ...slices, update: [...slices.update, ...late], unchanged: kept }, tell, noZone);
    }
    for (const { zone = '' } of endpoints) add(counts, zone, 1);
    const hinted = redistributed(changing, movesBetween(allocations, counts), counts);
    this.#remember(service, addressType, counts, tell);
    return { create: hinted.slice(0, slices.create.length), update: hinted.slice(slices.create.length) };
  }

  /** The Service no longer asks for such hints. */
  forget(service: StoredService, addressType: AddressType, tell: Tell): void {
    const key = keyOf(service);
    if (this.#enabled.has(key)) tell(disabled('Topology Aware Hints has been disabled', addressType));
    this.#drop(key, addressType);
  }

  forgetService(key: string): void {
    this.#given.delete(key);
    this.#enabled.delete(key);
  }

  #remember(service: StoredService, addressType: AddressType, counts: ZoneCounts, tell: Tell): void {
    const key = keyOf(service);
    if (!this.#enabled.has(key))
      tell({ type: 'Normal', reason: 'TopologyAwareHintsEnabled', message: withType('Topology Aware Hints has been enabled', addressType) });
    this.#enabled.add(key);
    this.#given.set(key, (this.#given.get(key) ?? new Map<AddressType, ZoneCounts>()).set(addressType, counts));
  }

  #disable(service: StoredService, addressType: AddressType, slices: SlicesToHint, tell: Tell, why: string): HintedSlices {
    tell(disabled(why, addressType));
    this.#drop(keyOf(service), addressType);
    return withoutHints(slices);
  }

  #drop(key: string, addressType: AddressType): void {
    const byType = this.#given.get(key);
    byType?.delete(addressType);
    if (byType?.size === 0) this.#given.delete(key);
    this.#enabled.delete(key);
  }
}

const noZone = 'One or more endpoints do not have a zone specified';

function keyOf({ metadata: { namespace = '', name = '' } }: StoredService): string {
  return sourceKey({ namespace, name });
}

function disabled(message: string, addressType: AddressType): HintEvent {
  return { type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: withType(message, addressType) };
}

function withType(message: string, addressType: AddressType): string {
  return `${message}, addressType: ${addressType}`;
}

function zoneNodeOf({ metadata: { labels = {} }, status }: StoredNode): ZoneNode | undefined {
  const isReady = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
  if (!isReady || excludedLabels.some((label) => labels[label] !== undefined)) return undefined;
  return { zone: labels[zoneLabel] ?? '', milliCpu: Number(milliValue(parseQuantity(status?.allocatable?.['cpu'] ?? '0'))) };
}

/** `late`: slices whose hints are missing, name a zone that is gone, or give a zone more than leaves enough for the others. Adds up the hints of the rest. */
function judgeHints(slices: readonly StoredSlice[], allocations: ReadonlyMap<string, Allocation>, counts: Map<string, number>) {
  const [kept, late]: [StoredSlice[], StoredSlice[]] = [[], []];
  for (const slice of slices) {
    const zones = (slice.endpoints ?? []).filter(isReadyEndpoint).flatMap(({ hints }) => (hints?.forZones?.length ? hints.forZones : [{ name: '' }]));
    const own = new Map<string, number>();
    for (const { name } of zones) add(own, name, 1);
    const fits = [...own].every(([zone, count]) => count + (counts.get(zone) ?? 0) <= (allocations.get(zone)?.maximum ?? -1));
    (fits ? kept : late).push(slice);
    if (fits) for (const [zone, count] of own) add(counts, zone, count);
  }
  return { kept, late };
}

/** Every ready endpoint is hinted to its own zone, but for those that a zone gives to another. */
function redistributed(slices: readonly StoredSlice[], { giving, receiving }: Moves, counts: Map<string, number>): StoredSlice[] {
  return slices.map((slice) =>
    withEndpoints(slice, (endpoint) => {
      if (!isReadyEndpoint(endpoint)) return endpoint;
      const { zone = '' } = endpoint;
      const receiver = (giving.get(zone) ?? 0) > 0 ? [...receiving].find(([, open]) => open > 0)?.[0] : undefined;
      if (receiver === undefined) return { ...endpoint, hints: { forZones: [{ name: zone }] } };
      add(giving, zone, -1);
      add(receiving, receiver, -1);
      add(counts, zone, -1);
      add(counts, receiver, 1);
      return { ...endpoint, hints: { forZones: [{ name: receiver }] } };
    }),
  );
}
