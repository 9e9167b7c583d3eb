// One resource in one version: names, scope, verbs, schema, columns and strategy.
// Built-in kinds declare theirs beside their tables; a CRD's version becomes the same thing.
import type { Column, RowCondition } from '#resource/column.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { StoredForm } from '#api/stored-form.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { jsonForm } from '#resource/json-form.ts';
import type { Strategy } from '#resource/strategy.ts';
import type { StructSchema } from '#schema/build.ts';
import { type Defaults, noDefaults } from '#schema/defaults.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  /** Group and version of the kind where they are not the parent's. */
  readonly group?: string;
  readonly version?: string;
  readonly featureGate?: string;
  /** The methods by which it connects a client with somebody else; then its answer is not negotiated and its body not read first. */
  readonly connects?: readonly string[];
  /** The original cannot show it as a Table. */
  readonly tables?: false;
  /** It is a Scale: where in the object of this version its numbers stand. */
  readonly scale?: ScalePaths;
}

/** How a PATCH may be sent. */
export type PatchFormat = 'json' | 'merge' | 'strategic' | 'apply';

/** Names of fields from the root on. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  /** What holds the selector: its text, or a label selector. Custom kinds may have none. */
  readonly selector?: readonly string[];
  /** The number is judged with the whole object, not by the rules of a Scale. */
  readonly judgedInParent?: true;
}

export interface StorageDefinition {
  /** Group of the stored form where it is not the resource's own (events.k8s.io is stored as core). */
  readonly group?: string;
  /** The version that is stored: the hub around which the others convert. */
  readonly version: string;
  /** Below the store's root: `pods`, `services/specs`. */
  readonly prefix: string;
  /** storageVersionHash of discovery. */
  readonly hash: string;
}

export interface Lifecycle {
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: string;
  /** Told to every client of this version, whatever the release. */
  readonly warning?: string;
}

/** To and from the hub version. Both return a new object (parts may be shared); a promise only where a webhook converts. */
export interface Conversion {
  readonly toHub: (object: never) => MaybePromise<unknown>;
  readonly fromHub: (hub: never) => MaybePromise<unknown>;
  /** Many at once, in their order, for conversions that have to be waited for: lists and watches ask in batches. */
  readonly allFromHub?: (hubs: readonly never[]) => MaybePromise<readonly unknown[]>;
  /** Writers own what they sent, not what the version of the request shows of it once it is stored. */
  readonly ownedAsSent?: boolean;
}

export interface ResourceOptions<T> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly schema: StructSchema;
  /** Functions that fill in what constants of the schema cannot say. */
  readonly defaults?: Defaults;
  readonly list?: StructSchema;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Kind of lists; default: the kind with `List` behind it. */
  readonly listKind?: string;
  /** Default: all eight. */
  readonly verbs?: readonly string[];
  /** Default: all four. */
  readonly patchFormats?: readonly PatchFormat[];
  /**
   * Who refuses what cannot be served, and in which words. Upstream's router knows the paths of built-in resources; requests for custom ones all
   * come to one handler. Default: router.
   */
  readonly refusals?: 'router' | 'handler';
  /** Objects have a protobuf form, which clients may ask for. Default: true; custom resources have none. */
  readonly protobuf?: boolean;
  /** A patch may make another kind of the object; validation refuses that. Default: false. */
  readonly kindIsValidated?: boolean;
  /** Why nothing new is created, while the kind goes away. */
  readonly createRefusal?: () => string | undefined;
  /** Absent for resources that are computed, not stored (reviews, bindings). */
  readonly storage?: StorageDefinition;
  readonly subresources?: readonly SubresourceDefinition[];
  /** Served without being asked for. Default: true. */
  readonly enabled?: boolean;
  readonly featureGate?: string;
  readonly lifecycle?: Lifecycle;
  /** Another text whenever anything about a custom kind is another; built-in kinds have none. */
  readonly stamp?: string;
  /** How objects lie in the store, where that is not the JSON that is served. Only on the hub version. */
  readonly form?: StoredForm;
  /** Only for versions that are not the hub. */
  readonly conversion?: Conversion;
  /** Which of the strategy's `selectableFields` this version offers; default: all of them. */
  readonly selectableFields?: readonly string[];
  /** Field selectors that this version spells differently from the strategy's `selectableFields`: theirs by ours. */
  readonly selectorNames?: Readonly<Record<string, string>>;
  /** What an object shows in which nobody has set anything, beside its zero fields: the original keeps it in a form of its own, with zeros of its own. */
  readonly blank?: Readonly<Record<string, object>>;
  /** Annotations that stand for a field of the original's own form: who asks for metadata alone does not see them. Only on the hub version. */
  readonly fieldAnnotations?: readonly string[];
  /** Only on the hub version. */
  readonly strategy?: Strategy<T>;
  /** Table columns, all of them, in order; default: those of the hub version, or Name and Created At. They read objects of the version that has them. */
  readonly columns?: readonly Column<T>[];
  /** Undefined: nothing to say. Only on the hub version. */
  readonly rowCondition?: (object: T) => RowCondition | undefined;
}

type Completed = 'shortNames' | 'categories' | 'verbs' | 'patchFormats' | 'refusals' | 'protobuf' | 'kindIsValidated' | 'subresources' | 'enabled';

export interface ResourceDefinition extends Required<Pick<ResourceOptions<unknown>, Completed>> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly schema: StructSchema;
  readonly defaults: Defaults;
  readonly list: StructSchema | undefined;
  readonly createRefusal?: () => string | undefined;
  readonly storage: StorageDefinition | undefined;
  readonly form: StoredForm;
  readonly featureGate: string | undefined;
  readonly lifecycle: Lifecycle;
  readonly stamp?: string;
  readonly conversion: Conversion | undefined;
  readonly selectableFields?: readonly string[];
  readonly selectorNames: Readonly<Record<string, string>> | undefined;
  readonly blank?: Readonly<Record<string, object>>;
  readonly fieldAnnotations?: readonly string[];
  readonly strategy: Strategy;
  readonly columns: readonly Column[] | undefined;
  readonly rowCondition: ((object: KubernetesObject) => RowCondition | undefined) | undefined;
}

/** Where workloads have their numbers. */
export const workloadScale: ScalePaths = { specReplicas: ['spec', 'replicas'], statusReplicas: ['status', 'replicas'], selector: ['spec', 'selector'] };

const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const allPatchFormats: readonly PatchFormat[] = ['json', 'merge', 'strategic', 'apply'];

export function defineResource<T>(options: ResourceOptions<T>): ResourceDefinition {
  return {
    ...options,
    defaults: options.defaults ?? noDefaults,
    list: options.list,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    verbs: options.verbs ?? allVerbs,
    patchFormats: options.patchFormats ?? allPatchFormats,
    refusals: options.refusals ?? 'router',
    protobuf: options.protobuf ?? true,
    kindIsValidated: options.kindIsValidated ?? false,
    storage: options.storage,
    form: options.form ?? jsonForm(options),
    subresources: options.subresources ?? [],
    enabled: options.enabled ?? true,
    featureGate: options.featureGate,
    lifecycle: options.lifecycle ?? {},
    conversion: options.conversion,
    selectorNames: options.selectorNames,
    // Generic code sees every kind as a KubernetesObject; the schema guarantees the shape.
    strategy: (options.strategy ?? {}) as unknown as Strategy,
    columns: options.columns as unknown as readonly Column[] | undefined,
    rowCondition: options.rowCondition as ResourceDefinition['rowCondition'],
  };
}
