// What everything else of a server stands on, built first: the stored objects, which resources there are, and how both are read and followed.
import type { Lister } from '#api/lister.ts';
import type { FollowedSource, Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import { CacheSet } from '#cache/cache-set.ts';
import { cacheSources } from '#cache/cache-source.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { Places } from '#store/places.ts';
import type { Store } from '#store/store.ts';
import { liveLister } from '#verbs/live-lister.ts';

export interface ReadParts {
  readonly places: Places;
  readonly catalog: ResourceCatalog;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly gate: (name: string) => boolean;
}

export interface Reads extends ReadParts {
  /** Where everything lies that has no other place. */
  readonly store: Store;
  readonly caches: CacheSet;
  readonly lister: Lister;
  readonly sources: Sources;
  /** Definitions of custom resources: the loop that serves them keeps what it must know of them. */
  readonly definitions: FollowedSource;
}

export function buildReads(parts: ReadParts): Reads {
  const { places, catalog, clock, timers, log } = parts;
  const { store } = places.main;
  const caches = new CacheSet({ store, placeOf: (resource) => places.of(resource), clock });
  const sources = cacheSources({
    caches,
    find: ({ group, resource }) => {
      const [served] = catalog.versionsOf(group, resource);
      return served && catalog.hubOf(served);
    },
    onChange: (listener) => catalog.onChange(listener),
    timers,
    log,
  });
  return { ...parts, store, caches, lister: liveLister(catalog, caches), sources, definitions: followedDefinitions(catalog, caches, sources) };
}

function followedDefinitions(catalog: ResourceCatalog, caches: CacheSet, sources: Sources): FollowedSource {
  const definitions = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
  const [served] = catalog.versionsOf(definitions.group, definitions.resource);
  return (served && caches.storedSource(catalog.hubOf(served))) ?? sources.of(definitions);
}
