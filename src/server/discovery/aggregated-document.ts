// All of discovery in one document (apidiscovery.k8s.io/v2), which clients keep by its ETag.
import type {
  APIGroupDiscovery,
  APIGroupDiscoveryList,
  APIResourceDiscovery,
  APISubresourceDiscovery,
  APIVersionDiscovery,
} from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import { Turn } from '#base/next-turn.ts';
import type { ResourceCatalog, ServedGroup } from '#resource/catalog.ts';
import type { ResourceDefinition, SubresourceDefinition } from '#resource/definition.ts';
import { compareVersions } from '#resource/version-order.ts';
import type { RemoteVersion } from '#server/discovery/aggregated-groups.ts';

/** `/api` shows the core group alone, `/apis` all others. */
export type Part = 'api' | 'apis';

/** A group-version of another server stands in place of the one served here. */
export function aggregatedDiscovery(catalog: ResourceCatalog, part: Part, remote: readonly RemoteVersion[] = []): APIGroupDiscoveryList {
  const groups = new Map<string, Map<string, RemoteVersion>>();
  for (const version of [...localVersions(catalog, part), ...remote]) {
    if (!isIn(part, version.group)) continue;
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

/** Works out in turns what `aggregatedDiscovery` then puts together in one. */
export async function prepareAggregated(catalog: ResourceCatalog, part: Part): Promise<void> {
  const turn = new Turn();
  if (part === 'apis') await catalog.settleInTurns();
  for (const { name, versions } of groupsIn(catalog, part)) {
    for (const version of versions) {
      itemsOf(catalog.resourcesOf(name, version));
      await turn.next();
    }
  }
}

function isIn(part: Part, group: string): boolean {
  return (group === '') === (part === 'api');
}

function groupsIn(catalog: ResourceCatalog, part: Part): readonly ServedGroup[] {
  return catalog.groups().filter(({ name }) => isIn(part, name));
}

/** As they are from the start on: APIServices that somebody changes do not move them. */
function localVersions(catalog: ResourceCatalog, part: Part): RemoteVersion[] {
  return groupsIn(catalog, part).flatMap(({ name, versions }) =>
    versions.map((version) => {
      const priority = catalog.priorityOf(name, version);
      const discovery: APIVersionDiscovery = { version, resources: itemsOf(catalog.resourcesOf(name, version)), freshness: 'Current' };
      return { group: name, groupPriority: priority.group, versionPriority: priority.version, discovery };
    }),
  );
}

/** The catalog has the same list of a group-version until that changes: a change of one costs the others nothing. */
const knownItems = new WeakMap<readonly ResourceDefinition[], APIResourceDiscovery[]>();

function itemsOf(resources: readonly ResourceDefinition[]): APIResourceDiscovery[] {
  const known = knownItems.get(resources);
  if (known !== undefined) return known;
  const made = resources.map(resourceItem);
  knownItems.set(resources, made);
  return made;
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
