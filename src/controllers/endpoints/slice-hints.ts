// Hints tell the proxies of nodes which endpoints are theirs. Slices that are written anyway get theirs, slices that are right but for their
// hints are written too. Which hints: those of `trafficDistribution` here, those of the topology mode in topology-hints.ts.
import type { StoredSlice } from '#controllers/endpoints/endpoint-slices.ts';
import type { AddressType, StoredService } from '#controllers/endpoints/pod-endpoint.ts';
import type { Endpoint } from '#kinds/discovery/v1/endpoint-slice.ts';

/** All slices of a Service and one address family that stay. */
export interface SlicesToHint {
  readonly create: readonly StoredSlice[];
  readonly update: readonly StoredSlice[];
  readonly unchanged: readonly StoredSlice[];
}

export type HintedSlices = Pick<SlicesToHint, 'create' | 'update'>;

export type Hinting = (addressType: AddressType, slices: SlicesToHint) => HintedSlices;

interface Preference {
  /** The same node, where that is possible. */
  readonly node: boolean;
}

const preferences: Readonly<Record<string, Preference | undefined>> = {
  PreferClose: { node: false },
  PreferSameZone: { node: false },
  PreferSameNode: { node: true },
};

export function knownDistribution({ spec }: StoredService): string | undefined {
  const distribution = spec?.trafficDistribution ?? '';
  return preferences[distribution] && distribution;
}

/** With the hints of `trafficDistribution`; without a known one, with none. */
export function hintTraffic({ spec }: StoredService, slices: SlicesToHint): HintedSlices {
  const preference = preferences[spec?.trafficDistribution ?? ''];
  if (preference === undefined) return withoutHints(slices);
  const hinted = (slice: StoredSlice) => withEndpoints(slice, (endpoint) => (isReadyEndpoint(endpoint) ? withPreferred(endpoint, preference) : endpoint));
  const isWrong = (endpoint: Endpoint) => isReadyEndpoint(endpoint) && !hasPreferred(endpoint, preference);
  const late = slices.unchanged.filter(({ endpoints }) => endpoints?.some(isWrong));
  return { create: slices.create.map(hinted), update: [...slices.update, ...late].map(hinted) };
}

export function withoutHints({ create, update, unchanged }: SlicesToHint): HintedSlices {
  const bare = (slice: StoredSlice) => withEndpoints(slice, withoutHint);
  const late = unchanged.filter(({ endpoints }) => endpoints?.some(({ hints }) => hints !== undefined));
  return { create: create.map(bare), update: [...update, ...late].map(bare) };
}

export function isReadyEndpoint({ conditions }: Endpoint): boolean {
  return conditions?.ready === true;
}

export function withEndpoints(slice: StoredSlice, change: (endpoint: Endpoint) => Endpoint): StoredSlice {
  return { ...slice, endpoints: (slice.endpoints ?? []).map(change) };
}

function withoutHint(endpoint: Endpoint): Endpoint {
  if (endpoint.hints === undefined) return endpoint;
  const { hints: _, ...bare } = endpoint;
  return bare;
}

function withPreferred(endpoint: Endpoint, { node }: Preference): Endpoint {
  const forZones = endpoint.zone ? [{ name: endpoint.zone }] : undefined;
  const forNodes = endpoint.nodeName && node ? [{ name: endpoint.nodeName }] : undefined;
  if (!forZones && !forNodes) return withoutHint(endpoint);
  return { ...endpoint, hints: { ...(forZones && { forZones }), ...(forNodes && { forNodes }) } };
}

function hasPreferred({ zone, nodeName, hints }: Endpoint, { node }: Preference): boolean {
  return namesOnly(hints?.forZones, zone) && namesOnly(hints?.forNodes, node ? nodeName : undefined);
}

function namesOnly(named: readonly { readonly name: string }[] = [], wanted: string | undefined): boolean {
  return wanted ? named.length === 1 && named[0]?.name === wanted : named.length === 0;
}
