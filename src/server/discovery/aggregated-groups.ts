// A port: what APIServices say about groups, and what other servers say about theirs. Without one, discovery shows what is served here.
import type { APIVersionDiscovery } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { ResourceCatalog, ServedGroup } from '#resource/catalog.ts';
import { isCustom } from '#server/openapi/custom-operations.ts';

/** A group-version that another server serves, with the priorities of its APIService. */
export interface RemoteVersion {
  readonly group: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  readonly discovery: APIVersionDiscovery;
}

export interface AggregatedGroups {
  /** Grows with every change of what the other two tell. */
  readonly revision: number;
  /** Every group but the core one that has an APIService, by name, in the order of their priorities; undefined before APIServices are known. */
  groups(): ReadonlyMap<string, ServedGroup> | undefined;
  remoteVersions(): readonly RemoteVersion[];
}

export const nothingAggregated: AggregatedGroups = { revision: 0, groups: () => undefined, remoteVersions: () => [] };

/** The aggregator's own group has no APIService and comes first. */
const ownGroup = 'apiregistration.k8s.io';

/** The groups of `/apis`: those of APIServices, whether their servers can be reached or not, and custom ones whose APIService is not there yet. */
export function listedGroups(catalog: ResourceCatalog, aggregated: AggregatedGroups): readonly ServedGroup[] {
  const named = catalog.groups().filter(({ name }) => name !== '');
  const registered = aggregated.groups();
  if (registered === undefined) return named;
  const own = named.filter(({ name }) => name === ownGroup);
  return [...own, ...registered.values(), ...named.filter((group) => !registered.has(group.name) && isCustomGroup(catalog, group))];
}

/** As `/apis/<group>` shows it; undefined when nobody serves the group. */
export function listedGroup(catalog: ResourceCatalog, aggregated: AggregatedGroups, name: string): ServedGroup | undefined {
  return name === '' ? undefined : (aggregated.groups()?.get(name) ?? catalog.group(name));
}

function isCustomGroup(catalog: ResourceCatalog, { name, versions }: ServedGroup): boolean {
  return versions.every((version) => catalog.resourcesOf(name, version).every(isCustom));
}
