import { parseApiVersion } from '#api/names.ts';
import type { BuildController } from '#app/loops/registration.ts';
import { garbageCollector, type GarbageCollectorOptions } from '#controllers/garbage-collector/garbage-collector-controller.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export const buildGarbageCollector: BuildController = async ({ server: { reads }, loops, client }) => {
  // It follows every kind there is.
  await reads.catalog.settleInTurns();
  return garbageCollector({ ...loops, ...collectedKinds(reads.catalog), client, sources: reads.sources, clock: reads.clock });
};

/** Events own nothing and go by themselves: the original's collector ignores them too. */
export function collectedKinds(catalog: ResourceCatalog): Pick<GarbageCollectorOptions, 'collected' | 'onChange' | 'addressOf' | 'resourceOf'> {
  const served = ({ group, version, plural, namespaced, kind }: ResourceDefinition) => ({ group, version, resource: plural, namespaced, kind });
  return {
    collected: () =>
      catalog
        .hubs()
        .filter(({ plural, verbs }) => plural !== 'events' && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)))
        .map(({ group, plural, namespaced, kind }) => ({ group, resource: plural, namespaced, kind })),
    onChange: (listener) => catalog.onChange(listener),
    addressOf: ({ group, resource }) => {
      const [preferred] = catalog.versionsOf(group, resource);
      return preferred && served(preferred);
    },
    resourceOf: (apiVersion, kind) => {
      const named = parseApiVersion(apiVersion);
      const found = named && catalog.byKind(named.group, named.version, kind);
      return found && served(found);
    },
  };
}
