import type { BuildController } from '#app/loops/registration.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import { namespaceDeletion } from '#controllers/namespace-deletion-controller.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

export const buildNamespaceController: BuildController = ({ server: { reads }, loops, client }) =>
  namespaceDeletion({ ...loops, client, sources: reads.sources, contents: () => namespacedContents(reads.catalog) });

function namespacedContents(catalog: ResourceCatalog): readonly ResourceAddress[] {
  return catalog
    .hubs()
    .filter(({ namespaced, verbs }) => namespaced && verbs.includes('list') && verbs.includes('delete'))
    .map(({ group, version, plural }) => ({ group, version, resource: plural, namespaced: true }));
}
