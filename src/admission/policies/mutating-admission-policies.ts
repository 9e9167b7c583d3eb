// The plugin MutatingAdmissionPolicy: every binding of every policy that is about a request changes the object, in the order of their names.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { type AdmissionFacts, conditionsActivation } from '#admission/expressions/admission-activation.ts';
import type { CheckAccess } from '#admission/expressions/authorize-for.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { BoundPolicies, type BoundPolicy } from '#admission/policies/bound-policies.ts';
import { type CompiledMutation, type CompiledMutations, compileMutations } from '#admission/policies/compiled-mutations.ts';
import { outOfBudget, PolicyBudget } from '#admission/policies/policy-budget.ts';
import { collectParams, PolicyConfigurationError } from '#admission/policies/policy-params.ts';
import { type PatchTarget, patched, PolicyPatchError } from '#admission/policies/policy-patch.ts';
import { hasOwnKind, isBound, isSelected, PolicyRequest } from '#admission/policies/policy-request.ts';
import { policyActivation } from '#admission/policies/policy-variables.ts';
import { kindOf, refusal } from '#admission/request-subject.ts';
import { ApiError, internalError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import { eachInOrder } from '#base/each-in-order.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { CelValue } from '#cel/value.ts';
import type { MutatingAdmissionPolicyBinding } from '#kinds/admissionregistration/v1/mutating-admission-policy-binding.ts';
import type { MutatingAdmissionPolicy } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';
import { toHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { equal } from '#schema/equal.ts';
import { DecodeError } from '#schema/json/decode.ts';

const group = 'admissionregistration.k8s.io';
const policyResource = { group, resource: 'mutatingadmissionpolicies' };
const bindingResource = { group, resource: 'mutatingadmissionpolicybindings' };

type StoredPolicy = MutatingAdmissionPolicy & KubernetesObject;
type StoredBinding = MutatingAdmissionPolicyBinding & KubernetesObject;
type Bound = BoundPolicy<StoredPolicy, StoredBinding, CompiledMutations>;

const name = 'MutatingAdmissionPolicy';

export function mutatingAdmissionPolicies(check: CheckAccess, manifests?: () => readonly KubernetesObject[]): AdmissionPlugin {
  const kept = new BoundPolicies<StoredPolicy, StoredBinding, CompiledMutations>({
    policies: policyResource,
    bindings: bindingResource,
    compile: compileMutations,
    manifests,
  });
  return {
    name,
    mutate: (request) =>
      andThen(kept.current(request), (table) => {
        const { operation, object } = request;
        const candidates = table.candidates(request, request.catalog);
        if (candidates.length === 0 || object === undefined || operation === 'DELETE' || operation === 'CONNECT') return undefined;
        return new Dispatch(request, object, check).run(candidates);
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
  readonly binding: string;
  readonly why: string;
  readonly reason: 'Forbidden' | 'Invalid';
}

class Dispatch {
  readonly #request: AdmissionRequest;
  readonly #check: CheckAccess;
  /** With the object as it is now. */
  #policies: PolicyRequest;
  readonly #reinvoked: Reinvoked;
  readonly #problems: PolicyProblem[] = [];
  #object: KubernetesObject;
  #isDirty = false;

  constructor(request: AdmissionRequest, object: KubernetesObject, check: CheckAccess) {
    this.#request = request;
    this.#object = object;
    this.#check = check;
    this.#policies = new PolicyRequest(request, check);
    this.#reinvoked = reinvokedOf(request);
  }

  /** The object to go on with. */
  run(candidates: readonly Candidate<Bound>[]): MaybePromise<KubernetesObject> {
    const { reinvocation } = this.#request;
    // What built-in plugins have changed since concerns the policies that want to see it again.
    if (reinvocation.isSecondPass && !equal(this.#reinvoked.last, this.#object)) this.#requireAgain();
    return andThen(
      eachInOrder(candidates, ({ entry, definition }) => this.#policy(entry, definition)),
      () => {
        this.#reinvoked.last = this.#object;
        // As upstream: a policy that wants to see changes again sees its own, too.
        if (this.#isDirty) this.#askAgain();
        if (this.#problems.length > 0) throw denied(this.#request, this.#problems);
        return this.#object;
      },
    );
  }

  #policy(bound: Bound, definition: ResourceDefinition): MaybePromise<void> {
    const { policy } = bound;
    return eachInOrder(bound.bindings, (binding) => this.#settled(policy, binding, () => this.#binding(bound, binding, definition)));
  }

  #binding(bound: Bound, binding: StoredBinding, definition: ResourceDefinition): MaybePromise<void> {
    const { matchConstraints, paramKind } = bound.policy.spec;
    const { matchResources, paramRef } = binding.spec;
    const request = { ...this.#request, object: this.#object };
    return andThen(isSelected(request, matchConstraints), (is) =>
      andThen(is && isBound(request, matchResources), (isMatched) => {
        if (!isMatched) return undefined;
        return andThen(collectParams(request, paramKind, paramRef), (all) =>
          eachInOrder(all, (params) => this.#invoke({ bound, binding, definition, params, compiled: bound.compiled() })),
        );
      }),
    );
  }

  #invoke(invocation: Invocation): MaybePromise<void> {
    const { bound, binding, definition, params, compiled } = invocation;
    const { policy } = bound;
    const key = [policy, binding, params].map((object) => `${object?.metadata.namespace ?? ''}/${object?.metadata.name ?? ''}`).join(' ');
    const judging = andThen(this.#facts(definition, params), (facts) => compiled.conditions(conditionsActivation(facts)));
    return andThen(judging, (matched) => {
      if (matched.is === 'failed') throw new PolicyPatchError(matched.why);
      if (matched.is === 'mismatch' || (this.#request.reinvocation.isSecondPass && !this.#reinvoked.due.has(key))) return undefined;
      const before = this.#object;
      const mutating = eachInOrder(compiled.mutations, (mutation) => this.#settled(policy, binding, () => this.#mutate(invocation, mutation)));
      return andThen(mutating, () => {
        if (!equal(before, this.#object)) this.#askAgain();
        if (policy.spec.reinvocationPolicy === 'IfNeeded') this.#reinvoked.invoked.add(key);
      });
    });
  }

  #mutate({ definition, params, compiled }: Invocation, mutation: CompiledMutation): MaybePromise<void> {
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

  /** What is patched, and by which schema. Upstream types apply configurations by the OpenAPI document of the object's own group and version. */
  #target(definition: ResourceDefinition, { is }: CompiledMutation): PatchTarget {
    const { request } = this.#policies;
    const { kind, group, version } = kindOf({ ...request, definition });
    const isElsewhere = group !== definition.group || version !== definition.version;
    if (isElsewhere && is === 'applyConfiguration') {
      const why = `no corresponding type for ${apiVersionOf({ group, version })}, Kind=${kind}`;
      throw new PolicyPatchError(`error applying patch: failed to convert patch object to typed object: ${why}`);
    }
    return {
      schema: request.schema ?? definition.schema,
      defaults: definition.defaults,
      type: { kind, apiVersion: apiVersionOf({ group, version }) },
      catalog: request.catalog,
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

  #settled(policy: StoredPolicy, binding: StoredBinding, step: () => MaybePromise<void>): MaybePromise<void> {
    try {
      const result = step();
      return result instanceof Promise ? result.catch((error: unknown) => this.#failed(policy, binding, error)) : result;
    } catch (error) {
      return this.#failed(policy, binding, error);
    }
  }

  #failed({ metadata, spec }: StoredPolicy, binding: StoredBinding, error: unknown): void {
    if (error instanceof DecodeError) throw internalError(error.message);
    const isMisconfigured = error instanceof PolicyConfigurationError;
    if (!isMisconfigured && !(error instanceof PolicyPatchError)) throw error;
    if (spec.failurePolicy === 'Ignore') return;
    const why = isMisconfigured ? `failed to configure binding: ${error.message}` : error.message;
    this.#problems.push({ policy: metadata.name ?? '', binding: binding.metadata.name ?? '', why, reason: isMisconfigured ? 'Forbidden' : 'Invalid' });
  }
}

/** One binding of one policy with one parameter. */
interface Invocation {
  readonly bound: Bound;
  readonly binding: StoredBinding;
  readonly definition: ResourceDefinition;
  readonly params: KubernetesObject | undefined;
  readonly compiled: CompiledMutations;
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
  const texts = problems.map(({ policy, binding, why }) => `policy '${policy}' with binding '${binding}' denied request: ${why}`);
  const { details } = refusal(request, '');
  return new ApiError(403, problems[0]?.reason ?? 'Invalid', texts[0] ?? '', { details: { ...details, causes: texts.map((message) => ({ message })) } });
}
