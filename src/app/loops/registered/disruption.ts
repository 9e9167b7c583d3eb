import { parseApiVersion } from '#api/names.ts';
import type { BuildController } from '#app/loops/registration.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import { together } from '#controllers/controller.ts';
import { disruptionController } from '#controllers/disruption/disruption-controller.ts';
import { staleDisruptions } from '#controllers/disruption/stale-disruption-controller.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';

export const buildDisruptionController: BuildController = ({ server: { reads }, loops, client }) => {
  const parts = { ...loops, client, sources: reads.sources, clock: reads.clock };
  return together(disruptionController({ ...parts, scalable: (apiVersion, kind) => scalable(reads.catalog, apiVersion, kind) }), staleDisruptions(parts));
};

function scalable(catalog: ResourceCatalog, apiVersion: string, kind: string): ResourceAddress | undefined {
  const named = parseApiVersion(apiVersion);
  const found = named && catalog.byKind(named.group, named.version, kind);
  if (found === undefined || !found.subresources.some(({ name }) => name === 'scale')) return undefined;
  return { group: found.group, version: found.version, resource: found.plural, namespaced: found.namespaced };
}
