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

export type OutcomeListener = (committed: boolean) => Promise<void>;

export interface AdmissionPlugin {
  readonly name: string;
  /** Throws an ApiError to refuse. */
  readonly mutate?: (request: AdmissionRequest) => Promise<void> | void;
  readonly validate?: (request: AdmissionRequest) => Promise<void> | void;
}

type Phase = NonNullable<AdmissionPlugin['mutate']>;

/** All mutating phases run first, in plugin order, then all validating ones. Nobody waits when no plugin does, which is the usual case. */
export class AdmissionChain {
  readonly #mutating: readonly Phase[];
  readonly #validating: readonly Phase[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#mutating = plugins.flatMap(({ mutate }) => mutate ?? []);
    this.#validating = plugins.flatMap(({ validate }) => validate ?? []);
  }

  mutate(request: AdmissionRequest): Promise<void> | undefined {
    return askFrom(0, this.#mutating, request);
  }

  validate(request: AdmissionRequest): Promise<void> | undefined {
    return askFrom(0, this.#validating, request);
  }
}

function askFrom(first: number, phases: readonly Phase[], request: AdmissionRequest): Promise<void> | undefined {
  for (let index = first; index < phases.length; index++) {
    const pending = phases[index]?.(request);
    if (pending) return pending.then(() => askFrom(index + 1, phases, request));
  }
  return undefined;
}
