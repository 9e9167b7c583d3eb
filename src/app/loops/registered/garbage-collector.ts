import { parseApiVersion } from '#api/names.ts';
import type { BuildController } from '#app/loops/registration.ts';
import { garbageCollector, type GarbageCollectorOptions } from '#controllers/garbage-collector/garbage-collector-controller.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export const buildGarbageCollector: BuildController = ({ server: { reads }, loops, client }) =>
  garbageCollector({ ...loops, ...collectedKinds(reads.catalog), client, sources: reads.sources });

/** Events own nothing and go by themselves: the original's collector ignores them too. */
function collectedKinds(catalog: ResourceCatalog): Pick<GarbageCollectorOptions, 'collected' | 'onChange' | 'resourceOf'> {
  const addressOf = ({ group, version, plural, namespaced }: ResourceDefinition) => ({ group, version, resource: plural, namespaced });
  return {
    collected: () =>
      catalog
        .hubs()
        .filter(({ plural, verbs }) => plural !== 'events' && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)))
        .map((hub) => addressOf(catalog.versionsOf(hub.group, hub.plural)[0] ?? hub)),
    onChange: (listener) => catalog.onChange(listener),
    resourceOf: (apiVersion, kind) => {
      const named = parseApiVersion(apiVersion);
      const found = named && catalog.byKind(named.group, named.version, kind);
      return found && addressOf(found);
    },
  };
}
