// The plugin MutatingAdmissionPolicy: every binding of every policy that is about a request changes the object, in the order of their names.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import type { CheckAccess } from '#admission/expressions/authorize-for.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { BoundPolicies, type BoundPolicy } from '#admission/policies/bound-policies.ts';
import { type CompiledMutation, type CompiledMutations, compileMutations } from '#admission/policies/compiled-mutations.ts';
import { PolicyBudget } from '#admission/policies/policy-budget.ts';
import { verdictOn } from '#admission/policies/policy-expressions.ts';
import type { PolicyObserver, PolicyPluginParts } from '#admission/policies/policy-observer.ts';
import { collectParams, isParamKindKnown, PolicyConfigurationError } from '#admission/policies/policy-params.ts';
import { type PatchTarget, patched, PolicyPatchError } from '#admission/policies/policy-patch.ts';
import { hasOwnKind, isBound, isSelected, PolicyRequest } from '#admission/policies/policy-request.ts';
import { policyActivation } from '#admission/policies/policy-variables.ts';
import { kindOf, refusal } from '#admission/request-subject.ts';
import { ApiError, internalError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import { eachInOrder } from '#base/each-in-order.ts';
import { goQuote } from '#base/go-text.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { messageOf } from '#base/message-of.ts';
import { outOfBudget } from '#cel/cost/limits.ts';
import type { CelValue } from '#cel/value.ts';
import type { MutatingAdmissionPolicyBinding } from '#kinds/admissionregistration/v1/mutating-admission-policy-binding.ts';
import type { MutatingAdmissionPolicy } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';
import { toHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { equal } from '#schema/equal.ts';
import { DecodeError } from '#schema/json/decode.ts';

type StoredPolicy = MutatingAdmissionPolicy & KubernetesObject;
type StoredBinding = MutatingAdmissionPolicyBinding & KubernetesObject;
type Bound = BoundPolicy<StoredPolicy, StoredBinding, CompiledMutations>;

const name = 'MutatingAdmissionPolicy';

export function mutatingAdmissionPolicies({ check, manifests, observer }: PolicyPluginParts): AdmissionPlugin {
  // The language of expressions is loaded with the first policy (tools/chunks.mjs).
  const kept = new BoundPolicies<StoredPolicy, StoredBinding, CompiledMutations>({
    flavour: 'mutating',
    compile: (policy) => compileMutations(policy),
    manifests,
  });
  return {
    name,
    mutate: (request) =>
      andThen(kept.candidates(request), (candidates) => {
        const { object } = request;
        if (candidates.length === 0 || object === undefined) return undefined;
        return new Dispatch(request, object, check, observer).run(candidates);
      }),
  };
}

/** What the first pass leaves for the second: upstream's policyReinvokeContext. */
interface Reinvoked {
  readonly invoked: Set<string>;
  readonly due: Set<string>;
  last: KubernetesObject | undefined;
}

interface PolicyProblem {
  readonly policy: string;
  /** Undefined where the policy itself cannot be used. */
  readonly binding: string | undefined;
  readonly why: string;
  readonly reason: 'Forbidden' | 'Invalid';
}

/** One binding of one policy with one parameter. */
interface Invocation {
  readonly bound: Bound;
  readonly binding: StoredBinding;
  readonly definition: ResourceDefinition;
  readonly params: KubernetesObject | undefined;
}

class Dispatch {
  readonly #request: AdmissionRequest;
  readonly #check: CheckAccess;
  readonly #observer: PolicyObserver;
  /** With the object as it is now. */
  #policies: PolicyRequest;
  readonly #reinvoked: Reinvoked;
  readonly #problems: PolicyProblem[] = [];
  #object: KubernetesObject;
  #isDirty = false;

  constructor(request: AdmissionRequest, object: KubernetesObject, check: CheckAccess, observer: PolicyObserver) {
    this.#request = request;
    this.#object = object;
    this.#check = check;
    this.#observer = observer;
    this.#policies = new PolicyRequest(request, check);
    this.#reinvoked = reinvokedOf(request);
  }

  /** The object to go on with. Which policies are about the request is judged by the object as they find it, before any of them changes it. */
  run(candidates: readonly Candidate<Bound>[]): MaybePromise<KubernetesObject> {
    const invocations: Invocation[] = [];
    const collecting = eachInOrder(candidates, ({ entry, definition }) => this.#collect(entry, definition, invocations));
    return andThen(collecting, () => {
      // What built-in plugins have changed since concerns the policies that want to see it again.
      if (this.#request.reinvocation.isSecondPass && !equal(this.#reinvoked.last, this.#object)) this.#requireAgain();
      return andThen(
        eachInOrder(invocations, (invocation) => this.#settled(invocation.bound.policy, invocation.binding, () => this.#invoke(invocation))),
        () => this.#end(),
      );
    });
  }

  #end(): KubernetesObject {
    this.#reinvoked.last = this.#object;
    // As upstream: a policy that wants to see changes again sees its own, too.
    if (this.#isDirty) this.#askAgain();
    if (this.#problems.length > 0) throw denied(this.#request, this.#problems);
    return this.#object;
  }

  #collect(bound: Bound, definition: ResourceDefinition, invocations: Invocation[]): MaybePromise<void> {
    const { policy, bindings } = bound;
    const { matchConstraints, paramKind } = policy.spec;
    const request = this.#request;
    const isMatched = this.#settled(policy, undefined, () =>
      andThen(isSelected(request, matchConstraints), (is) => is && isParamKindKnown(request, paramKind)),
    );
    return andThen(isMatched, (is) => {
      if (is !== true) return undefined;
      const collecting = eachInOrder(bindings, (binding) =>
        this.#settled(policy, binding, () =>
          andThen(isBound(request, binding.spec.matchResources), (isBoundTo) =>
            andThen(isBoundTo ? collectParams(request, paramKind, binding.spec.paramRef) : [], (all) => {
              for (const params of all) invocations.push({ bound, binding, definition, params });
            }),
          ),
        ),
      );
      return andThen(collecting, () => undefined);
    });
  }

  #invoke(invocation: Invocation): MaybePromise<void> {
    const { bound, binding, definition, params } = invocation;
    const { policy } = bound;
    const compiled = bound.compiled();
    const key = [policy, binding, params].map((object) => `${object?.metadata.namespace ?? ''}/${object?.metadata.name ?? ''}`).join(' ');
    const begin = () => this.#observer.onConditions(policy.metadata.name ?? '', 'policy', 'validate', this.#request.operation);
    const judging = andThen(this.#facts(definition, params), (facts) => verdictOn(compiled, facts, begin));
    return andThen(judging, (matched) => {
      if (matched.is === 'failed') throw new PolicyPatchError(matched.why);
      if (matched.is === 'mismatch' || (this.#request.reinvocation.isSecondPass && !this.#reinvoked.due.has(key))) return undefined;
      const before = this.#object;
      const mutating = eachInOrder(compiled.mutations, (mutation) =>
        this.#settled(policy, binding, () => this.#observed(invocation, () => this.#mutate(invocation, compiled, mutation))),
      );
      return andThen(mutating, () => {
        if (!equal(before, this.#object)) this.#askAgain();
        if (policy.spec.reinvocationPolicy === 'IfNeeded') this.#reinvoked.invoked.add(key);
      });
    });
  }

  #observed({ bound, binding }: Invocation, mutate: () => MaybePromise<void>): MaybePromise<void> {
    const { now, onMutation } = this.#observer;
    const began = now();
    const tell = (problem?: string) =>
      onMutation({ policy: bound.policy.metadata.name ?? '', binding: binding.metadata.name ?? '', problem, seconds: (now() - began) / 1000 });
    const failed = (error: unknown): never => {
      tell(messageOf(error));
      throw error;
    };
    let mutating: MaybePromise<void>;
    try {
      mutating = mutate();
    } catch (error) {
      return failed(error);
    }
    if (mutating instanceof Promise) return mutating.then(() => tell(), failed);
    return tell();
  }

  #mutate({ definition, params }: Invocation, compiled: CompiledMutations, mutation: CompiledMutation): MaybePromise<void> {
    return andThen(this.#facts(definition, params), (facts) =>
      andThen(evaluated(mutation, compiled, facts), (value) => {
        const object = patched(this.#target(definition, mutation), facts.object as KubernetesObject, value, mutation.is);
        this.#isDirty = true;
        return andThen(this.#stored(definition, object), (stored) => {
          this.#object = stored;
        });
      }),
    );
  }

  /** What is patched, and by which schema. Upstream types apply configurations by the OpenAPI document of the resource's group and version, which has no options of CONNECT. */
  #target(definition: ResourceDefinition, { is }: CompiledMutation): PatchTarget {
    const { request } = this.#policies;
    const { kind, group, version } = kindOf({ ...request, definition });
    const isElsewhere = group !== definition.group || version !== definition.version;
    if (is === 'applyConfiguration' && (isElsewhere || request.operation === 'CONNECT')) {
      const why = `no corresponding type for ${group}/${version}, Kind=${kind}`;
      throw new PolicyPatchError(`error applying patch: failed to convert patch object to typed object: ${why}`);
    }
    return {
      schema: request.schema ?? definition.schema,
      defaults: definition.defaults,
      type: { kind, apiVersion: apiVersionOf({ group, version }) },
      catalog: request.catalog,
      isCustom: definition.kindIsValidated === true,
    };
  }

  #stored(definition: ResourceDefinition, object: KubernetesObject): MaybePromise<KubernetesObject> {
    const { catalog, definition: requested, schema } = this.#request;
    if (schema !== undefined || hasOwnKind(this.#request)) return object;
    // As upstream, whose mutating policies find no way back from another version of a built-in kind.
    if (definition !== requested && definition.kindIsValidated !== true) {
      throw new PolicyPatchError(`converting (${definition.version}.${definition.kind}) to (${requested.version}.${requested.kind}): unknown conversion`);
    }
    return toHub(catalog, definition, object);
  }

  #facts(definition: ResourceDefinition, params: KubernetesObject | undefined): MaybePromise<AdmissionFacts> {
    if (this.#policies.request.object !== this.#object) this.#policies = new PolicyRequest({ ...this.#request, object: this.#object }, this.#check);
    return this.#policies.facts(definition, params);
  }

  #askAgain(): void {
    this.#requireAgain();
    this.#request.reinvocation.needed = true;
  }

  /** Everything that was invoked and wants to be again is due in the second pass. */
  #requireAgain(): void {
    for (const key of this.#reinvoked.invoked) this.#reinvoked.due.add(key);
    this.#reinvoked.invoked.clear();
  }

  #settled<T>(policy: StoredPolicy, binding: StoredBinding | undefined, step: () => MaybePromise<T>): MaybePromise<T | undefined> {
    try {
      const result = step();
      return result instanceof Promise ? result.catch((error: unknown) => this.#failed(policy, binding, error)) : result;
    } catch (error) {
      return this.#failed(policy, binding, error);
    }
  }

  #failed({ metadata, spec }: StoredPolicy, binding: StoredBinding | undefined, error: unknown): undefined {
    if (error instanceof DecodeError) throw internalError(error.message);
    const isMisconfigured = error instanceof PolicyConfigurationError;
    if (!isMisconfigured && !(error instanceof PolicyPatchError)) throw error;
    if (spec.failurePolicy === 'Ignore') return undefined;
    const why = isMisconfigured ? `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}` : error.message;
    this.#problems.push({ policy: metadata.name ?? '', binding: binding?.metadata.name, why, reason: isMisconfigured ? 'Forbidden' : 'Invalid' });
    return undefined;
  }
}

function reinvokedOf({ reinvocation }: AdmissionRequest): Reinvoked {
  reinvocation.notes ??= new Map();
  const known = reinvocation.notes.get(name) as Reinvoked | undefined;
  const reinvoked = known ?? { invoked: new Set<string>(), due: new Set<string>(), last: undefined };
  reinvocation.notes.set(name, reinvoked);
  return reinvoked;
}

function evaluated(mutation: CompiledMutation, { variables }: CompiledMutations, facts: AdmissionFacts): MaybePromise<CelValue> {
  const { program, error } = mutation.compilation;
  if (program === undefined) throw new PolicyPatchError(`compilation error: ${error}`);
  const budget = new PolicyBudget();
  return andThen(policyActivation(facts, variables, budget), (activation) =>
    andThen(budget.run(program, activation), (outcome) => {
      if (budget.isSpent) throw new PolicyPatchError(outOfBudget);
      if (outcome.status === 'error') throw new PolicyPatchError(`expression '${mutation.expression}' resulted in error: ${outcome.message}`);
      return outcome.value;
    }),
  );
}

function denied(request: AdmissionRequest, problems: readonly PolicyProblem[]): ApiError {
  const texts = problems.map(
    ({ policy, binding, why }) => `policy ${binding === undefined ? goQuote(policy) : `'${policy}' with binding '${binding}'`} denied request: ${why}`,
  );
  const { details } = refusal(request, '');
  return new ApiError(403, problems[0]?.reason ?? 'Invalid', texts[0] ?? '', { details: { ...details, causes: texts.map((message) => ({ message })) } });
}
