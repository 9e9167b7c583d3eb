import type { ApiServices } from '#aggregation/api-services.ts';
import type { BuildController } from '#app/loops/registration.ts';
import type { RestClient } from '#client/rest-client.ts';
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
      const remote = await remoteContents(aggregation.apiServices, client);
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

interface DiscoveredResource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** What other servers serve: asked for through the aggregator. */
async function remoteContents(apiServices: ApiServices, client: RestClient): Promise<Contents> {
  const undiscovered = new Map(apiServices.failingGroupVersions());
  const resources: NamespacedResource[] = [];
  for (const [group, versions] of apiServices.allLocal ? [] : apiServices.groups()) {
    const version = versions.find((one) => apiServices.remote(group, one)?.available);
    if (version === undefined) continue;
    try {
      const found = await client.request<{ readonly resources?: readonly DiscoveredResource[] }>({ method: 'GET', path: `/apis/${group}/${version}` });
      const own = (found.resources ?? []).filter(({ name, namespaced }) => namespaced && !name.includes('/'));
      resources.push(...own.map(({ name, verbs }) => ({ group, version, resource: name, namespaced: true, verbs })));
    } catch (error) {
      undiscovered.set(`${group}/${version}`, error instanceof Error ? error.message : String(error));
    }
  }
  return { resources, undiscovered };
}
