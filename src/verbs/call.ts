// One request for a resource, after routing and authorization: what a verb works on. Knows nothing of HTTP.
import type { AdmissionChain } from '#admission/admission.ts';
import type { Asker } from '#api/asker.ts';
import type { Lister, Writer } from '#api/lister.ts';
import type { GroupResource } from '#api/names.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import type { CacheSet } from '#cache/cache-set.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { ServicePool } from '#resource/service-pool.ts';
import type { StrategyContext } from '#resource/strategy.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Store } from '#store/store.ts';

/** What the verbs stand on; built once in app/. */
export interface World {
  readonly store: Store;
  /** The one that the objects of a resource lie in. */
  readonly storeOf: (resource: Pick<ResourceDefinition, 'group' | 'plural'>) => Store;
  readonly caches: CacheSet;
  readonly catalog: ResourceCatalog;
  readonly admission: AdmissionChain;
  readonly clock: Clock;
  readonly gate: (name: string) => boolean;
  readonly lister: Lister;
  readonly writer: Writer;
  readonly services?: ServicePool | undefined;
  readonly eventTtlSeconds?: number | undefined;
  readonly components?: (() => Promise<readonly KubernetesObject[]>) | undefined;
  readonly allowPrivileged?: boolean | undefined;
  /** How many objects of a collection are deleted at a time; 1 unless said. */
  readonly deleteCollectionWorkers?: number | undefined;
  /** May this user do that too? For checks inside a verb (apply that creates needs `create`). */
  readonly authorize: (user: User, attributes: AccessAttributes) => Promise<void>;
  /** The same as an answer, for a verb with a refusal of its own. */
  readonly accessOf: (user: User, attributes: AccessAttributes) => Promise<{ readonly allowed: boolean; readonly reason: string }>;
}

export interface AccessAttributes {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Call {
  readonly world: World;
  /** In the version the client asked for. */
  readonly definition: ResourceDefinition;
  /** In the stored version. */
  readonly hub: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  readonly query: URLSearchParams;
  /** What stands behind a subresource in the path, from its slash on; '' where nothing does. */
  readonly pathBehind: string;
  /** Up to the first slash of the User-Agent: the default field manager. */
  readonly userAgent: string;
  readonly asker: Asker;
  readonly warn: (text: string) => void;
  readonly annotate: (key: string, value: string, level?: 'Request') => void;
  /** What the body was understood as, defaults and all; it goes on changing after that. */
  readonly received?: (object: object, schema: StructSchema) => void;
}

export function resourceOf({ definition }: Pick<Call, 'definition'>): GroupResource {
  return { group: definition.group, resource: definition.plural };
}

export function strategyContext({ world, user, definition, warn }: Call, dryRun: boolean): StrategyContext {
  const { gate, lister, writer, services, eventTtlSeconds, allowPrivileged, components } = world;
  const apiVersion = apiVersionOf(definition);
  return { user, now: world.clock.now(), dryRun, warn, gate, lister, writer, apiVersion, services, eventTtlSeconds, allowPrivileged, components };
}
