// Admission: the last word before a write. Mutating plugins may change the object, validating ones may only refuse it.
// Plugins see the storage version of an object; those that need another one convert it (`fromHub` with the request's catalog).
import type { Asker } from '#api/asker.ts';
import type { Lister, Writer } from '#api/lister.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { User } from '#api/user.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { OnOutcome } from '#resource/strategy.ts';
import type { StructSchema } from '#schema/build.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface AdmissionRequest {
  readonly operation: Operation;
  /** The resource in the version of the request. The object of a subresource may be of another kind (`kindOf` of request-subject.ts). */
  readonly definition: ResourceDefinition;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty for mutating plugins when the name is still to be generated, and for the deletion of a collection. */
  readonly name: string;
  readonly user: User;
  readonly dryRun: boolean;
  /** Mutating plugins change it in place or return another. Undefined for DELETE; the options object for CONNECT. */
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  /** Of objects that are not of the resource's own kind: Scale, Binding, PodExecOptions. */
  readonly schema?: StructSchema | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as sent. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly now: Date;
  readonly gate: (name: string) => boolean;
  readonly lister: Lister;
  readonly writer: Writer;
  /** Which versions there are, for plugins that must see the object in another one. */
  readonly catalog: ResourceCatalog;
  /** Says when the request is over: plugins that ask other servers stop then. */
  readonly asker: Asker;
  readonly reinvocation: Reinvocation;
  readonly warn: (text: string) => void;
  /** Leaves a note in the audit event; one of level `Request` only where the event shows what was sent. */
  readonly annotate: (key: string, value: string, level?: 'Request') => void;
  /** Validating phase of creates and updates: hears once whether the write came about. A write that is tried again asks the plugins again. */
  readonly onOutcome?: ((listener: OnOutcome) => void) | undefined;
}

/** A webhook or policy that changes the object after others have seen it may want them to look again: all mutating plugins are asked a second time. */
export interface Reinvocation {
  needed: boolean;
  isSecondPass: boolean;
  /** What plugins remember of the first pass, by their name. */
  notes?: Map<string, unknown>;
}

/** What is known of a request before anybody looks at its object. */
export type AdmissionScope = Pick<AdmissionRequest, 'operation' | 'definition' | 'subresource'>;

export interface AdmissionPlugin {
  readonly name: string;
  /** The requests that it looks at at all; asked once for each kind of request. Without it: every one, for plugins whose configuration changes. */
  readonly matches?: (scope: AdmissionScope) => boolean;
  /** Changes the object in place, or returns another; throws an ApiError to refuse. */
  readonly mutate?: MutatingPhase;
  /** Throws an ApiError to refuse. */
  readonly validate?: ValidatingPhase;
}

/** Plugins that need not wait for anything return no promise. */
type MutatingPhase = (request: AdmissionRequest) => MaybePromise<KubernetesObject | undefined | void>;
type ValidatingPhase = (request: AdmissionRequest) => MaybePromise<void>;

export type AdmissionStep = 'admit' | 'validate';

export type Took = (milliseconds: number, isRefused: boolean) => void;

/** For metrics and explanations. */
export interface AdmissionObserver {
  /** Monotonic milliseconds: one reading ends a plugin's time and begins the next one's. */
  readonly now: () => number;
  /** Hears how long one plugin took, each time that it is asked. Made once for each kind of request, so that a request pays for little but the time itself. */
  readonly plugin: (plugin: string, step: AdmissionStep, operation: Operation) => Took;
  /** The same for all plugins of a step together. */
  readonly step: (step: AdmissionStep, operation: Operation) => Took;
}

const ignored: Took = () => {};
const nobody: AdmissionObserver = { now: () => 0, plugin: () => ignored, step: () => ignored };

type Phase<T> = (request: AdmissionRequest) => MaybePromise<T>;

/** The plugins of one step that look at one kind of request. */
interface Step<T> {
  readonly phases: readonly Phase<T>[];
  readonly tookEach: readonly Took[];
  readonly tookAll: Took;
}

/** One run of a step: asks its plugins, and tells observers how long each of them took. */
class Run<T> {
  readonly phases: readonly Phase<T>[];
  readonly #step: Step<T>;
  readonly #now: () => number;
  readonly #began: number;
  #last: number;

  constructor(step: Step<T>, now: () => number) {
    this.phases = step.phases;
    this.#step = step;
    this.#now = now;
    this.#began = this.#last = now();
  }

  ask(index: number, request: AdmissionRequest): MaybePromise<T> {
    let answer: MaybePromise<T>;
    try {
      answer = (this.phases[index] as Phase<T>)(request);
    } catch (error) {
      throw this.#refused(index, error);
    }
    if (answer instanceof Promise) return this.#told(index, answer);
    this.#ended(index, false);
    return answer;
  }

  allPassed(): void {
    this.#step.tookAll(this.#last - this.#began, false);
  }

  async #told(index: number, pending: Promise<T>): Promise<T> {
    let answer: T;
    try {
      answer = await pending;
    } catch (error) {
      throw this.#refused(index, error);
    }
    this.#ended(index, false);
    return answer;
  }

  #refused(index: number, error: unknown): unknown {
    this.#ended(index, true);
    this.#step.tookAll(this.#last - this.#began, true);
    return error;
  }

  #ended(index: number, isRefused: boolean): void {
    const now = this.#now();
    (this.#step.tookEach[index] as Took)(now - this.#last, isRefused);
    this.#last = now;
  }
}

interface Steps {
  readonly mutating: Step<KubernetesObject | undefined | void>;
  readonly validating: Step<void>;
}

/** All mutating phases run first, in plugin order, then all validating ones. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #observer: AdmissionObserver;
  /** By definition, then by operation and subresource. */
  readonly #steps = new WeakMap<ResourceDefinition, readonly Map<string, Steps>[]>();

  constructor(plugins: readonly AdmissionPlugin[], observer: AdmissionObserver = nobody) {
    this.#plugins = plugins;
    this.#observer = observer;
  }

  /** The object to go on with. */
  mutate(request: AdmissionRequest): MaybePromise<KubernetesObject | undefined> {
    const { mutating } = this.#stepsFor(request);
    return mutateFrom(new Run(mutating, this.#observer.now), request, 0);
  }

  validate(request: AdmissionRequest): MaybePromise<void> {
    const { validating } = this.#stepsFor(request);
    return validateFrom(new Run(validating, this.#observer.now), request, 0);
  }

  #stepsFor(scope: AdmissionScope): Steps {
    const { definition, operation, subresource } = scope;
    let known = this.#steps.get(definition);
    if (known === undefined) this.#steps.set(definition, (known = operations.map(() => new Map())));
    const bySubresource = known[operations.indexOf(operation)] as Map<string, Steps>;
    let steps = bySubresource.get(subresource);
    if (steps === undefined) bySubresource.set(subresource, (steps = this.#choose(scope)));
    return steps;
  }

  #choose(scope: AdmissionScope): Steps {
    const asked = this.#plugins.filter(({ matches }) => matches?.(scope) ?? true);
    return {
      mutating: this.#stepOf(
        'admit',
        scope,
        asked.flatMap(({ name, mutate }) => (mutate ? { name, phase: mutate } : [])),
      ),
      validating: this.#stepOf(
        'validate',
        scope,
        asked.flatMap(({ name, validate }) => (validate ? { name, phase: validate } : [])),
      ),
    };
  }

  #stepOf<T>(step: AdmissionStep, { operation }: AdmissionScope, asked: readonly { readonly name: string; readonly phase: Phase<T> }[]): Step<T> {
    return {
      phases: asked.map(({ phase }) => phase),
      tookEach: asked.map(({ name }) => this.#observer.plugin(name, step, operation)),
      tookAll: this.#observer.step(step, operation),
    };
  }
}

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

type Mutating = Run<KubernetesObject | undefined | void>;

function mutateFrom(run: Mutating, request: AdmissionRequest, first: number): MaybePromise<KubernetesObject | undefined> {
  let current = request;
  for (let index = first; index < run.phases.length; index++) {
    const answer = run.ask(index, current);
    if (answer instanceof Promise) return answer.then((object) => mutateFrom(run, withObject(current, object), index + 1));
    if (answer !== undefined) current = withObject(current, answer);
  }
  const { reinvocation } = current;
  if (reinvocation.needed && !reinvocation.isSecondPass) {
    reinvocation.isSecondPass = true;
    return mutateFrom(run, current, 0);
  }
  run.allPassed();
  return current.object;
}

function withObject(request: AdmissionRequest, object: KubernetesObject | undefined | void): AdmissionRequest {
  return object === undefined || object === request.object ? request : { ...request, object };
}

function validateFrom(run: Run<void>, request: AdmissionRequest, first: number): MaybePromise<void> {
  for (let index = first; index < run.phases.length; index++) {
    const pending = run.ask(index, request);
    if (pending instanceof Promise) return pending.then(() => validateFrom(run, request, index + 1));
  }
  run.allPassed();
}
