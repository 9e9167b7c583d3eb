// All of discovery in one document (apidiscovery.k8s.io/v2), which clients keep by its ETag.
import type { APIGroupDiscovery, APIGroupDiscoveryList, APIResourceDiscovery, APISubresourceDiscovery } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { ResourceCatalog, ServedGroup } from '#resource/catalog.ts';
import type { ResourceDefinition, SubresourceDefinition } from '#resource/definition.ts';

/** `/api` shows the core group alone, `/apis` all others. */
export function aggregatedDiscovery(catalog: ResourceCatalog, part: 'api' | 'apis'): APIGroupDiscoveryList {
  const groups = catalog.groups().filter(({ name }) => (name === '') === (part === 'api'));
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => groupItem(catalog, group)),
  };
}

function groupItem(catalog: ResourceCatalog, { name, versions }: ServedGroup): APIGroupDiscovery {
  return {
    metadata: name === '' ? {} : { name },
    versions: versions.map((version) => ({ version, resources: catalog.resourcesOf(name, version).map(resourceItem), freshness: 'Current' })),
  };
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
