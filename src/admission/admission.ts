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

/** Begins with `now` and ends with `done`, once for every time that a plugin is asked. */
export interface PluginTimer {
  readonly now: () => number;
  readonly done: (began: number, isRefused: boolean) => void;
}

/** For metrics and explanations. Each function is called when something begins; what it returns hears how that ended. */
export interface AdmissionObserver {
  /** Times one plugin for one kind of request; asked for once, so that a request pays for nothing but the time itself. */
  readonly pluginTimer?: (plugin: string, step: AdmissionStep, operation: Operation) => PluginTimer;
  /** All plugins of a step are asked. */
  readonly onStep?: (step: AdmissionStep, request: AdmissionRequest) => (error?: unknown) => void;
}

type Phase<T> = (request: AdmissionRequest) => MaybePromise<T>;

function timed<T>(phase: Phase<T>, { now, done }: PluginTimer): Phase<T> {
  return (request) => {
    const began = now();
    let answer: MaybePromise<T>;
    try {
      answer = phase(request);
    } catch (error) {
      done(began, true);
      throw error;
    }
    if (answer instanceof Promise) return timedPromise(answer, began, done);
    done(began, false);
    return answer;
  };
}

async function timedPromise<T>(answer: Promise<T>, began: number, done: PluginTimer['done']): Promise<T> {
  let isRefused = true;
  try {
    const value = await answer;
    isRefused = false;
    return value;
  } finally {
    done(began, isRefused);
  }
}

interface Phases {
  readonly mutating: readonly MutatingPhase[];
  readonly validating: readonly ValidatingPhase[];
}

/** All mutating phases run first, in plugin order, then all validating ones. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];
  readonly #observer: AdmissionObserver;
  /** By definition, then by operation and subresource. */
  readonly #phases = new WeakMap<ResourceDefinition, readonly Map<string, Phases>[]>();

  constructor(plugins: readonly AdmissionPlugin[], observer: AdmissionObserver = {}) {
    this.#plugins = plugins;
    this.#observer = observer;
  }

  /** The object to go on with. */
  mutate(request: AdmissionRequest): MaybePromise<KubernetesObject | undefined> {
    const { onStep } = this.#observer;
    const { mutating } = this.#phasesFor(request);
    return onStep === undefined ? mutateTwice(mutating, request) : observed(onStep('admit', request), () => mutateTwice(mutating, request));
  }

  validate(request: AdmissionRequest): MaybePromise<void> {
    const { onStep } = this.#observer;
    const { validating } = this.#phasesFor(request);
    return onStep === undefined ? validateAll(validating, request) : observed(onStep('validate', request), () => validateAll(validating, request));
  }

  #phasesFor(scope: AdmissionScope): Phases {
    const { definition, operation, subresource } = scope;
    let known = this.#phases.get(definition);
    if (known === undefined) this.#phases.set(definition, (known = operations.map(() => new Map())));
    const bySubresource = known[operations.indexOf(operation)] as Map<string, Phases>;
    const phases = bySubresource.get(subresource) ?? this.#choose(scope);
    bySubresource.set(subresource, phases);
    return phases;
  }

  #choose(scope: AdmissionScope): Phases {
    const asked = this.#plugins.filter(({ matches }) => matches?.(scope) ?? true);
    return {
      mutating: asked.flatMap(({ name, mutate }) => (mutate ? this.#timed(mutate, name, 'admit', scope) : [])),
      validating: asked.flatMap(({ name, validate }) => (validate ? this.#timed(validate, name, 'validate', scope) : [])),
    };
  }

  #timed<T>(phase: Phase<T>, name: string, step: AdmissionStep, { operation }: AdmissionScope): Phase<T> {
    const timer = this.#observer.pluginTimer?.(name, step, operation);
    return timer === undefined ? phase : timed(phase, timer);
  }
}

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function mutateTwice(phases: readonly MutatingPhase[], request: AdmissionRequest): MaybePromise<KubernetesObject | undefined> {
  const first = mutateAll(phases, request);
  if (first instanceof Promise) return first.then((object) => mutateAgain(phases, request, object));
  return mutateAgain(phases, request, first);
}

function mutateAgain(
  phases: readonly MutatingPhase[],
  request: AdmissionRequest,
  object: KubernetesObject | undefined,
): MaybePromise<KubernetesObject | undefined> {
  const { reinvocation } = request;
  if (!reinvocation.needed) return object;
  reinvocation.isSecondPass = true;
  return mutateAll(phases, { ...request, object });
}

function mutateAll(phases: readonly MutatingPhase[], request: AdmissionRequest, first = 0): MaybePromise<KubernetesObject | undefined> {
  let current = request;
  for (let index = first; index < phases.length; index++) {
    const answer = phases[index]?.(current);
    if (answer instanceof Promise) return answer.then((object) => mutateAll(phases, withObject(current, object), index + 1));
    if (answer !== undefined) current = withObject(current, answer);
  }
  return current.object;
}

function withObject(request: AdmissionRequest, object: KubernetesObject | undefined | void): AdmissionRequest {
  return object === undefined || object === request.object ? request : { ...request, object };
}

function validateAll(phases: readonly ValidatingPhase[], request: AdmissionRequest, first = 0): MaybePromise<void> {
  for (let index = first; index < phases.length; index++) {
    const pending = phases[index]?.(request);
    if (pending) return pending.then(() => validateAll(phases, request, index + 1));
  }
}

function observed<T>(end: (error?: unknown) => void, run: () => MaybePromise<T>): MaybePromise<T> {
  let result: MaybePromise<T>;
  try {
    result = run();
  } catch (error) {
    end(error);
    throw error;
  }
  if (!(result instanceof Promise)) {
    end();
    return result;
  }
  return result.then(
    (value) => {
      end();
      return value;
    },
    (error: unknown) => {
      end(error);
      throw error;
    },
  );
}
