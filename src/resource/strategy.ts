// What makes a resource more than its schema: what writes reset, what is valid, what is returned.
// Every function works on the storage version of the kind (the hub); other versions are converted before and after.
import type { FieldErrors } from '#api/field-error.ts';
import type { Lister, Writer } from '#api/lister.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { User } from '#api/user.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { ServicePool } from '#resource/service-pool.ts';

/** What a strategy may know about the request and the world. */
export interface StrategyContext {
  readonly user: User;
  readonly now: Date;
  readonly dryRun: boolean;
  /** Told to the client whatever becomes of the request; `warnOnCreate` and `warnOnUpdate` speak only of what is valid. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Is this feature gate on? */
  readonly gate: (name: string) => boolean;
  readonly lister: Lister;
  readonly writer: Writer;
  /** `apiVersion` of the request, which may not be that of the hub. */
  readonly apiVersion: string;
  /** Where services get addresses and ports; without it they keep what they ask for. */
  readonly services?: ServicePool | undefined;
  /** The other parts of the control plane, as ComponentStatus objects. */
  readonly components?: (() => Promise<readonly KubernetesObject[]>) | undefined;
  /** How long events stay. */
  readonly eventTtlSeconds?: number | undefined;
  /** May containers be privileged? Only false forbids it. */
  readonly allowPrivileged?: boolean | undefined;
}

export interface Strategy<T = KubernetesObject> {
  /** Drops what clients may not set and computes what the server sets; metadata is already complete (name, uid, creationTimestamp). */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  /** A promise only where something has to be asked for (an authorizer in a rule). */
  readonly validate?: (object: T, errors: FieldErrors, context: StrategyContext) => MaybePromise<void>;
  readonly warnOnCreate?: (object: T, context: StrategyContext) => readonly string[];

  /** `old` is the stored object: read it, never change it. */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => MaybePromise<void>;
  readonly warnOnUpdate?: (object: T, old: T, context: StrategyContext) => readonly string[];

  /** The name of an object that gives only a generateName; default: some random characters more. */
  readonly nameFrom?: (prefix: string) => string;

  /** PUT of a missing object creates it. Default: false. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion is taken. Default: true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** DELETE answers the object even when it is gone. Default: false. */
  readonly returnsDeleted?: boolean;
  /** What a delete without policy does to dependents. Default: background. */
  readonly defaultPropagation?: 'background' | 'orphan' | 'unsupported';
  /** Told to clients whose delete orphans dependents only because they named no policy. */
  readonly orphansByDefaultWarning?: string;
  /** The grace period of a delete, in seconds; absent for kinds that know none. `asked` is gracePeriodSeconds of the request. */
  readonly gracePeriod?: (object: T, asked: number | undefined) => number;
  /** Something beside metadata.finalizers keeps a deleted object in the store: a namespace's spec.finalizers. */
  readonly isHeld?: (object: T) => boolean;
  /** Marks a deletion in the kind's own way (phase, condition, finalizer) instead of by grace period and generation. */
  readonly markDeleted?: (object: T, context: StrategyContext) => void;
  /** Objects go away by themselves after this many seconds. */
  readonly ttlSeconds?: (context: StrategyContext) => number;

  /** The objects of a resource that is not stored. */
  readonly compute?: (context: StrategyContext) => Promise<readonly T[]>;

  /** Field selectors beside metadata.name and metadata.namespace, with the text an object has for them. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** The selectable metadata fields; default: metadata.name and metadata.namespace. */
  readonly selectableMetadata?: readonly string[];
  /** The text of a 400 for an unknown field selector, where it is not the common one. */
  readonly unknownSelector?: (field: string) => string;

  /** Status and other subresources that are written like the object itself. */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy<T>>>;

  /** Work outside the object itself (allocation of addresses …): runs before prepare and validate; what is returned hears whether the write came about. */
  readonly beginCreate?: (object: T, context: StrategyContext) => Promise<OnOutcome>;
  readonly beginUpdate?: (object: T, old: T, context: StrategyContext) => Promise<OnOutcome>;
  /** Why an object of this name is never deleted by its name (a collection is not asked); undefined when it may be. */
  readonly whyNotDeletable?: (name: string) => string | undefined;
  /** After the object is gone from the store. */
  readonly afterDelete?: (object: T, context: StrategyContext) => Promise<void>;

  /** Paths (field names from the root) that server-side apply never lets a client own on this endpoint; default: `status` when there is a status subresource. */
  readonly resetFields?: readonly (readonly string[])[];
}

/** How a write through a subresource differs: `status`, `approval`, `finalize`, `ephemeralcontainers`, `resize` … */
export interface SubresourceStrategy<T = KubernetesObject> {
  /** Puts back from `old` everything this subresource may not change. */
  readonly prepareForUpdate: (object: T, old: T, context: StrategyContext) => void;
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => MaybePromise<void>;
  readonly warnOnUpdate?: (object: T, old: T, context: StrategyContext) => readonly string[];
  /** Default for `status`: everything but status and metadata. */
  readonly resetFields?: readonly (readonly string[])[];
}

/** Called once with the outcome of the write. */
export type OnOutcome = (committed: boolean) => MaybePromise<void>;
