// The plugin ValidatingAdmissionPolicy: every binding of every policy that is about a request has its say; the first denial is the answer.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { CheckAccess } from '#admission/expressions/authorize-for.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { BoundPolicies, type BoundPolicy } from '#admission/policies/bound-policies.ts';
import { type CompiledPolicy, compilePolicy } from '#admission/policies/compiled-policy.ts';
import { type Denial, judgePolicy } from '#admission/policies/judge-policy.ts';
import { collectParams, PolicyConfigurationError } from '#admission/policies/policy-params.ts';
import { factsOf, isBound, isSelected } from '#admission/policies/policy-request.ts';
import { refusal } from '#admission/request-subject.ts';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { ValidatingAdmissionPolicyBinding } from '#kinds/admissionregistration/v1/validating-admission-policy-binding.ts';
import type { ValidatingAdmissionPolicy } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

const group = 'admissionregistration.k8s.io';
const policyResource = { group, resource: 'validatingadmissionpolicies' };
const bindingResource = { group, resource: 'validatingadmissionpolicybindings' };

type StoredPolicy = ValidatingAdmissionPolicy & KubernetesObject;
type StoredBinding = ValidatingAdmissionPolicyBinding & KubernetesObject;

type Bound = BoundPolicy<StoredPolicy, StoredBinding, CompiledPolicy>;

export function validatingAdmissionPolicies(check: CheckAccess): AdmissionPlugin {
  const kept = new BoundPolicies<StoredPolicy, StoredBinding, CompiledPolicy>({ policies: policyResource, bindings: bindingResource, compile: compilePolicy });
  return {
    name: 'ValidatingAdmissionPolicy',
    validate: (request) =>
      andThen(kept.current(request), (table) => {
        const { definition, operation, subresource } = request;
        const candidates = table.candidates({ definition, operation, subresource }, request.catalog);
        return candidates.length === 0 ? undefined : new Dispatch(request, check).run(candidates);
      }),
  };
}

interface DeniedBy extends Denial {
  readonly policy: string;
  /** Undefined where the policy itself cannot be used. */
  readonly binding: string | undefined;
}

/** One request before all policies that are about it. */
class Dispatch {
  readonly #request: AdmissionRequest;
  readonly #check: CheckAccess;
  readonly #denied: DeniedBy[] = [];
  readonly #failures: object[] = [];

  constructor(request: AdmissionRequest, check: CheckAccess) {
    this.#request = request;
    this.#check = check;
  }

  async run(candidates: readonly Candidate<Bound>[]): Promise<void> {
    for (const { entry, definition } of candidates) await this.#policy(entry, definition);
    if (this.#failures.length > 0) this.#request.annotate('validation.policy.admission.k8s.io/validation_failure', JSON.stringify(this.#failures));
    const [first] = this.#denied;
    if (first !== undefined) throw denial(this.#request, first);
  }

  async #policy(bound: Bound, definition: ResourceDefinition): Promise<void> {
    const { policy, bindings } = bound;
    const published = new Map<string, Set<string>>();
    const isMatched = await this.#settled(policy, undefined, () => isSelected(this.#request, policy.spec.matchConstraints));
    if (isMatched !== true) return;
    for (const binding of bindings) {
      await this.#settled(policy, binding, async () => this.#binding(bound, binding, definition, published));
    }
    for (const [key, values] of published) this.#request.annotate(`${policy.metadata.name}/${key}`, [...values].join(', '));
  }

  /** What is wrong with the policy or binding denies the request, unless its failure policy says otherwise. */
  async #settled<T>({ metadata, spec }: StoredPolicy, binding: StoredBinding | undefined, step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof PolicyConfigurationError || error instanceof ApiError)) throw error;
      if (spec.failurePolicy === 'Ignore') return undefined;
      const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`;
      this.#denied.push({ policy: metadata.name ?? '', binding: binding?.metadata.name, message, reason: '', index: 0 });
      return undefined;
    }
  }

  async #binding(bound: Bound, binding: StoredBinding, definition: ResourceDefinition, published: Map<string, Set<string>>): Promise<void> {
    const { spec } = binding;
    if (!(await isBound(this.#request, spec.matchResources))) return;
    for (const params of await collectParams(this.#request, bound.policy.spec.paramKind, spec.paramRef)) {
      const facts = await factsOf(this.#request, { definition, params, check: this.#check });
      const { denials, annotations } = await judgePolicy(bound.compiled(), facts, bound.policy.spec.failurePolicy !== 'Ignore');
      for (const each of denials) this.#act(bound.policy.metadata.name ?? '', binding, each);
      for (const [key, value] of annotations) published.set(key, (published.get(key) ?? new Set()).add(value));
    }
  }

  #act(policy: string, { metadata, spec }: StoredBinding, denied: Denial): void {
    const binding = metadata.name ?? '';
    const actions = spec.validationActions ?? [];
    for (const action of actions) {
      if (action === 'Deny') this.#denied.push({ ...denied, policy, binding });
      else if (action === 'Warn')
        this.#request.warn(`Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${denied.message}`);
      else if (action === 'Audit') this.#failures.push({ message: denied.message, policy, binding, expressionIndex: denied.index, validationActions: actions });
    }
  }
}

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };

function denial(request: AdmissionRequest, { policy, binding, message, reason }: DeniedBy): ApiError {
  const by = binding === undefined ? `ValidatingAdmissionPolicy '${policy}'` : `ValidatingAdmissionPolicy '${policy}' with binding '${binding}'`;
  const text = `${by} denied request: ${message}`;
  const { message: whole, details } = refusal(request, text);
  const told = reason === '' ? 'Invalid' : reason;
  return new ApiError(codes[told] ?? 422, told as ApiError['reason'], whole, { details: { ...details, causes: [{ message: text }] } });
}
