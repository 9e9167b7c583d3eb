// The plugin MutatingAdmissionPolicy: every binding of every policy that is about a request changes the object, in the order of their names.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { admissionActivation } from '#admission/expressions/admission-activation.ts';
import type { CheckAccess } from '#admission/expressions/authorize-for.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { BoundPolicies, type BoundPolicy } from '#admission/policies/bound-policies.ts';
import { type CompiledMutation, type CompiledMutations, compileMutations } from '#admission/policies/compiled-mutations.ts';
import { outOfBudget, PolicyBudget } from '#admission/policies/policy-budget.ts';
import { collectParams, PolicyConfigurationError } from '#admission/policies/policy-params.ts';
import { patched, PolicyPatchError } from '#admission/policies/policy-patch.ts';
import { factsOf, hasOwnKind, isBound, isSelected } from '#admission/policies/policy-request.ts';
import { policyActivation } from '#admission/policies/policy-variables.ts';
import { kindOf, refusal } from '#admission/request-subject.ts';
import { ApiError, internalError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
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

export function mutatingAdmissionPolicies(check: CheckAccess): AdmissionPlugin {
  const kept = new BoundPolicies<StoredPolicy, StoredBinding, CompiledMutations>({
    policies: policyResource,
    bindings: bindingResource,
    compile: compileMutations,
  });
  return {
    name,
    mutate: (request) =>
      andThen(kept.current(request), (table) => {
        const { definition, operation, subresource, object } = request;
        const candidates = table.candidates({ definition, operation, subresource }, request.catalog);
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
}

class Dispatch {
  readonly #request: AdmissionRequest;
  readonly #check: CheckAccess;
  readonly #reinvoked: Reinvoked;
  readonly #problems: PolicyProblem[] = [];
  #object: KubernetesObject;
  #isDirty = false;

  constructor(request: AdmissionRequest, object: KubernetesObject, check: CheckAccess) {
    this.#request = request;
    this.#object = object;
    this.#check = check;
    this.#reinvoked = reinvokedOf(request);
  }

  /** The object to go on with. */
  async run(candidates: readonly Candidate<Bound>[]): Promise<KubernetesObject> {
    const { reinvocation } = this.#request;
    // What built-in plugins have changed since concerns the policies that want to see it again.
    if (reinvocation.isSecondPass && !equal(this.#reinvoked.last, this.#object)) this.#requireAgain();
    for (const { entry, definition } of candidates) await this.#policy(entry, definition);
    this.#reinvoked.last = this.#object;
    // As upstream: a policy that wants to see changes again sees its own, too.
    if (this.#isDirty) this.#askAgain();
    if (this.#problems.length > 0) throw denied(this.#request, this.#problems);
    return this.#object;
  }

  async #policy(bound: Bound, definition: ResourceDefinition): Promise<void> {
    const { policy, bindings } = bound;
    for (const binding of bindings) {
      try {
        const { matchConstraints, paramKind } = policy.spec;
        const request = { ...this.#request, object: this.#object };
        if (!(await isSelected(request, matchConstraints)) || !(await isBound(request, binding.spec.matchResources))) continue;
        for (const params of await collectParams(request, paramKind, binding.spec.paramRef)) await this.#invoke(bound, binding, definition, params);
      } catch (error) {
        this.#failed(policy, binding, error);
      }
    }
  }

  async #invoke(bound: Bound, binding: StoredBinding, definition: ResourceDefinition, params: KubernetesObject | undefined): Promise<void> {
    const { policy } = bound;
    const compiled = bound.compiled();
    const key = [policy, binding, params].map((object) => `${object?.metadata.namespace ?? ''}/${object?.metadata.name ?? ''}`).join(' ');
    const matched = await compiled.conditions(admissionActivation(await this.#facts(definition, params)));
    if (matched.is === 'failed') throw new PolicyPatchError(matched.why);
    if (matched.is === 'mismatch' || (this.#request.reinvocation.isSecondPass && !this.#reinvoked.due.has(key))) return;
    const before = this.#object;
    for (const mutation of compiled.mutations) await this.#mutate(bound, binding, definition, mutation, params);
    if (!equal(before, this.#object)) this.#askAgain();
    if (policy.spec.reinvocationPolicy === 'IfNeeded') this.#reinvoked.invoked.add(key);
  }

  async #mutate(
    bound: Bound,
    binding: StoredBinding,
    definition: ResourceDefinition,
    mutation: CompiledMutation,
    params: KubernetesObject | undefined,
  ): Promise<void> {
    try {
      const facts = await this.#facts(definition, params);
      const value = await evaluated(mutation, bound.compiled(), facts);
      if (hasOwnKind(this.#request)) {
        const { kind, ...version } = kindOf(this.#request);
        const why = `no corresponding type for ${apiVersionOf(version)}, Kind=${kind}`;
        throw new PolicyPatchError(`error applying patch: failed to convert patch object to typed object: ${why}`);
      }
      const object = patched(definition, facts.object as KubernetesObject, value, mutation.is);
      this.#isDirty = true;
      this.#object = await toHub(this.#request.catalog, definition, object);
    } catch (error) {
      if (error instanceof DecodeError) throw internalError(error.message);
      this.#failed(bound.policy, binding, error);
    }
  }

  #facts(definition: ResourceDefinition, params: KubernetesObject | undefined) {
    return factsOf({ ...this.#request, object: this.#object }, { definition, params, check: this.#check });
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

  #failed({ metadata, spec }: StoredPolicy, binding: StoredBinding, error: unknown): void {
    const isExpected = error instanceof PolicyConfigurationError || error instanceof PolicyPatchError;
    if (!isExpected) throw error;
    if (spec.failurePolicy === 'Ignore') return;
    const why = error instanceof PolicyConfigurationError ? `failed to configure binding: ${error.message}` : error.message;
    this.#problems.push({ policy: metadata.name ?? '', binding: binding.metadata.name ?? '', why });
  }
}

function reinvokedOf({ reinvocation }: AdmissionRequest): Reinvoked {
  reinvocation.notes ??= new Map();
  const known = reinvocation.notes.get(name) as Reinvoked | undefined;
  const reinvoked = known ?? { invoked: new Set<string>(), due: new Set<string>(), last: undefined };
  reinvocation.notes.set(name, reinvoked);
  return reinvoked;
}

async function evaluated(mutation: CompiledMutation, { variables }: CompiledMutations, facts: Awaited<ReturnType<typeof factsOf>>): Promise<CelValue> {
  const { program, error } = mutation.compilation;
  if (program === undefined) throw new PolicyPatchError(`compilation error: ${error}`);
  const budget = new PolicyBudget();
  const outcome = await budget.run(program, await policyActivation(facts, variables, budget));
  if (budget.isSpent) throw new PolicyPatchError(outOfBudget);
  if (outcome.status === 'error') throw new PolicyPatchError(`expression '${mutation.expression}' resulted in error: ${outcome.message}`);
  return outcome.value;
}

function denied(request: AdmissionRequest, problems: readonly PolicyProblem[]): ApiError {
  const texts = problems.map(({ policy, binding, why }) => `policy '${policy}' with binding '${binding}' denied request: ${why}`);
  const { details } = refusal(request, '');
  return new ApiError(403, 'Invalid', texts[0] ?? '', { details: { ...details, causes: texts.map((message) => ({ message })) } });
}
