// The discovery documents of single groups and versions.
import { apiVersionOf } from '#api/names.ts';
import type { APIGroup, APIGroupList, APIResource, APIResourceList, APIVersions, GroupVersionForDiscovery } from '#kinds/meta/v1/discovery.ts';
import type { ResourceCatalog, ServedGroup } from '#resource/catalog.ts';
import type { ResourceDefinition, SubresourceDefinition } from '#resource/definition.ts';

/** `/api`. The documents of the core group carry no apiVersion: they are older than it. */
export function apiVersions(serverAddress: string): APIVersions {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] };
}

/** `/apis`: every group but the core one. */
export function apiGroupList(groups: readonly ServedGroup[]): APIGroupList {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

/** `/apis/<group>`. */
export function apiGroup(group: ServedGroup): APIGroup {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

/** `/api/v1` and `/apis/<group>/<version>`; undefined when the version is not served. */
export function apiResourceList(catalog: ResourceCatalog, group: string, version: string): APIResourceList | undefined {
  const definitions = catalog.resourcesOf(group, version);
  if (definitions.length === 0) return undefined;
  const resources = definitions.flatMap(resourceEntries);
  return { kind: 'APIResourceList', ...(group !== '' && { apiVersion: 'v1' }), groupVersion: apiVersionOf({ group, version }), resources };
}

function groupEntry({ name, versions, preferred }: ServedGroup): APIGroup {
  return { name, versions: versions.map((version) => versionEntry(name, version)), preferredVersion: versionEntry(name, preferred) };
}

function versionEntry(group: string, version: string): GroupVersionForDiscovery {
  return { groupVersion: apiVersionOf({ group, version }), version };
}

function resourceEntries(definition: ResourceDefinition): APIResource[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, storage, subresources } = definition;
  const entry: APIResource = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(storage !== undefined && { storageVersionHash: storage.hash }),
  };
  const parts = subresources.map((subresource) => subresourceEntry(definition, subresource));
  // A router lists its paths by name.
  return [entry, ...(definition.refusals === 'router' ? parts.sort((a, b) => (a.name < b.name ? -1 : 1)) : parts)];
}

function subresourceEntry({ plural, namespaced }: ResourceDefinition, { name, kind, group, version, verbs }: SubresourceDefinition): APIResource {
  return {
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    ...(group !== undefined && { group }),
    ...(version !== undefined && { version }),
    kind,
    verbs: [...verbs],
  };
}
