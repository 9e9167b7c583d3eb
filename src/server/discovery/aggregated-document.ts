// All of discovery in one document (apidiscovery.k8s.io/v2), which clients keep by its ETag.
import type {
  APIGroupDiscovery,
  APIGroupDiscoveryList,
  APIResourceDiscovery,
  APISubresourceDiscovery,
  APIVersionDiscovery,
} from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition, SubresourceDefinition } from '#resource/definition.ts';
import { compareVersions } from '#resource/version-order.ts';
import type { RemoteVersion } from '#server/discovery/aggregated-groups.ts';

/** `/api` shows the core group alone, `/apis` all others. A group-version of another server stands in place of the one served here. */
export function aggregatedDiscovery(catalog: ResourceCatalog, part: 'api' | 'apis', remote: readonly RemoteVersion[] = []): APIGroupDiscoveryList {
  const groups = new Map<string, Map<string, RemoteVersion>>();
  for (const version of [...localVersions(catalog), ...remote]) {
    if ((version.group === '') !== (part === 'api')) continue;
    const versions = groups.get(version.group) ?? new Map<string, RemoteVersion>();
    groups.set(version.group, versions.set(version.discovery.version, version));
  }
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups.values()]
      .map((versions) => [...versions.values()])
      .sort(compareGroups)
      .map(groupItem),
  };
}

/** As they are from the start on: APIServices that somebody changes do not move them. */
function localVersions(catalog: ResourceCatalog): RemoteVersion[] {
  return catalog.groups().flatMap(({ name, versions }) =>
    versions.map((version) => {
      const priority = catalog.priorityOf(name, version);
      const discovery: APIVersionDiscovery = { version, resources: catalog.resourcesOf(name, version).map(resourceItem), freshness: 'Current' };
      return { group: name, groupPriority: priority.group, versionPriority: priority.version, discovery };
    }),
  );
}

/** A group stands where the highest of its versions puts it; by name among equals. */
function compareGroups(a: readonly RemoteVersion[], b: readonly RemoteVersion[]): number {
  const highest = (versions: readonly RemoteVersion[]) => Math.max(...versions.map(({ groupPriority }) => groupPriority));
  return highest(b) - highest(a) || ((a[0]?.group ?? '') < (b[0]?.group ?? '') ? -1 : 1);
}

function groupItem(versions: readonly RemoteVersion[]): APIGroupDiscovery {
  const name = versions[0]?.group ?? '';
  const inOrder = versions.toSorted((a, b) => b.versionPriority - a.versionPriority || compareVersions(b.discovery.version, a.discovery.version));
  return { metadata: name === '' ? {} : { name }, versions: inOrder.map(({ discovery }) => discovery) };
}

function resourceItem({ plural, kind, namespaced, singular, verbs, shortNames, categories, subresources }: ResourceDefinition): APIResourceDiscovery {
  return {
    resource: plural,
    responseKind: { group: '', version: '', kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(subresources.length > 0 && { subresources: subresources.map(subresourceItem).sort((a, b) => (a.subresource < b.subresource ? -1 : 1)) }),
  };
}

function subresourceItem({ name, kind, group = '', version = '', verbs }: SubresourceDefinition): APISubresourceDiscovery {
  return { subresource: name, responseKind: { group, version, kind }, verbs: [...verbs] };
}
