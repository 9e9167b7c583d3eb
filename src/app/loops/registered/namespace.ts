import type { Aggregation } from '#app/aggregation.ts';
import type { BuildController } from '#app/loops/registration.ts';
import type { Contents, NamespacedResource } from '#controllers/namespace/delete-contents.ts';
import { namespaceController } from '#controllers/namespace/namespace-controller.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

export const buildNamespaceController: BuildController = ({ server: { reads, aggregation }, loops, client }) =>
  namespaceController({
    ...loops,
    client,
    sources: reads.sources,
    now: () => reads.clock.now(),
    discover: async () => {
      await reads.catalog.settleInTurns();
      const remote = remoteContents(aggregation);
      return { resources: [...localContents(reads.catalog), ...remote.resources], undiscovered: remote.undiscovered };
    },
  });

/** Each in the version that discovery prefers. */
function localContents(catalog: ResourceCatalog): readonly NamespacedResource[] {
  return catalog
    .hubs()
    .filter(({ namespaced }) => namespaced)
    .map((hub) => catalog.versionsOf(hub.group, hub.plural)[0] ?? hub)
    .map(({ group, version, plural, verbs }) => ({ group, version, resource: plural, namespaced: true, verbs }));
}

/** What other servers have told of themselves, each resource in the first of its versions. */
function remoteContents({ apiServices, discovery, failingGroupVersions }: Aggregation): Contents {
  const found = new Map(discovery.versions().map((each) => [`${each.group}/${each.discovery.version}`, each.discovery]));
  const resources = new Map<string, NamespacedResource>();
  for (const { name: group, versions } of apiServices.groups()?.values() ?? []) {
    for (const version of versions) {
      for (const { resource, scope, verbs = [] } of found.get(`${group}/${version}`)?.resources ?? []) {
        const key = `${group}/${resource}`;
        if (scope === 'Namespaced' && !resources.has(key)) resources.set(key, { group, version, resource, namespaced: true, verbs });
      }
    }
  }
  return { resources: [...resources.values()], undiscovered: failingGroupVersions() };
}
