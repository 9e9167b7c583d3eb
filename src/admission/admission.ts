// Admission: the last word before a write. Mutating plugins may change the object, validating ones may only refuse it.
// Plugins see the storage version of an object; webhooks convert for themselves.
import type { Lister, Writer } from '#api/lister.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { User } from '#api/user.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface AdmissionRequest {
  readonly operation: Operation;
  /** The requested version and its hub; a subresource's object may be of another kind (`objectKind`). */
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty for a create whose name is still to be generated. */
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** Mutating plugins change it in place. Undefined for DELETE; the options object for CONNECT. */
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as sent. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly now: Date;
  readonly gate: (name: string) => boolean;
  readonly lister: Lister;
  readonly writer: Writer;
  readonly warn: (text: string) => void;
  /** Leaves a note in the audit event. */
  readonly annotate: (key: string, value: string) => void;
  /** Creates and updates: hears once whether the write came about. A write that is tried again asks the plugins again. */
  readonly onOutcome?: ((listener: OutcomeListener) => void) | undefined;
}

/** It may have something to do about that: most often it has not. */
export type OutcomeListener = (committed: boolean) => Promise<void> | void;

/** What is known of a request before anybody looks at its object. */
export type Occasion = Pick<AdmissionRequest, 'operation' | 'definition' | 'subresource'>;

export interface AdmissionPlugin {
  readonly name: string;
  /** The requests that it looks at at all; asked once for each kind of request. Without it: every one. */
  readonly concerns?: (occasion: Occasion) => boolean;
  /** Throws an ApiError to refuse. */
  readonly mutate?: Phase;
  readonly validate?: Phase;
}

/** Whoever need not wait for anything returns nothing to wait for. */
type Phase = (request: AdmissionRequest) => Promise<void> | void;

interface Phases {
  readonly mutating: readonly Phase[];
  readonly validating: readonly Phase[];
}

/** All mutating phases run first, in plugin order, then all validating ones. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  /** By definition, then by operation and subresource. */
  readonly #phases = new WeakMap<ResourceDefinition, readonly Map<string, Phases>[]>();

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  mutate(request: AdmissionRequest): Promise<void> | void {
    return askAll(this.#phasesFor(request).mutating, request);
  }

  validate(request: AdmissionRequest): Promise<void> | void {
    return askAll(this.#phasesFor(request).validating, request);
  }

  #phasesFor(occasion: Occasion): Phases {
    const { definition, operation, subresource } = occasion;
    let known = this.#phases.get(definition);
    if (known === undefined) this.#phases.set(definition, (known = operations.map(() => new Map())));
    const bySubresource = known[operations.indexOf(operation)] as Map<string, Phases>;
    const phases = bySubresource.get(subresource) ?? this.#choose(occasion);
    bySubresource.set(subresource, phases);
    return phases;
  }

  #choose(occasion: Occasion): Phases {
    const concerned = this.#plugins.filter(({ concerns }) => concerns?.(occasion) ?? true);
    return { mutating: concerned.flatMap(({ mutate }) => mutate ?? []), validating: concerned.flatMap(({ validate }) => validate ?? []) };
  }
}

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function askAll(phases: readonly Phase[], request: AdmissionRequest, first = 0): Promise<void> | void {
  for (let index = first; index < phases.length; index++) {
    const pending = phases[index]?.(request);
    if (pending) return pending.then(() => askAll(phases, request, index + 1));
  }
}
