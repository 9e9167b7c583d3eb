// The plugin ValidatingAdmissionPolicy: every binding of every policy that is about a request has its say; the first denial is the answer.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { CheckAccess } from '#admission/expressions/authorize-for.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { BoundPolicies, type BoundPolicy } from '#admission/policies/bound-policies.ts';
import { type CompiledPolicy, compilePolicy } from '#admission/policies/compiled-policy.ts';
import { type Denial, judgePolicy } from '#admission/policies/judge-policy.ts';
import { collectParams, isParamKindKnown, PolicyConfigurationError } from '#admission/policies/policy-params.ts';
import { isBound, isSelected, PolicyRequest } from '#admission/policies/policy-request.ts';
import { refusal } from '#admission/request-subject.ts';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import { eachInOrder } from '#base/each-in-order.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { ValidatingAdmissionPolicyBinding } from '#kinds/admissionregistration/v1/validating-admission-policy-binding.ts';
import type { ValidatingAdmissionPolicy } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

const group = 'admissionregistration.k8s.io';
const policyResource = { group, resource: 'validatingadmissionpolicies' };
const bindingResource = { group, resource: 'validatingadmissionpolicybindings' };

type StoredPolicy = ValidatingAdmissionPolicy & KubernetesObject;
type StoredBinding = ValidatingAdmissionPolicyBinding & KubernetesObject;

type Bound = BoundPolicy<StoredPolicy, StoredBinding, CompiledPolicy>;

export function validatingAdmissionPolicies(check: CheckAccess, manifests?: () => readonly KubernetesObject[]): AdmissionPlugin {
  const kept = new BoundPolicies<StoredPolicy, StoredBinding, CompiledPolicy>({
    policies: policyResource,
    bindings: bindingResource,
    compile: compilePolicy,
    manifests,
  });
  return {
    name: 'ValidatingAdmissionPolicy',
    validate: (request) =>
      andThen(kept.current(request), (table) => {
        const candidates = table.candidates(request, request.catalog);
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
  readonly #policies: PolicyRequest;
  readonly #denied: DeniedBy[] = [];
  readonly #failures: object[] = [];

  constructor(request: AdmissionRequest, check: CheckAccess) {
    this.#policies = new PolicyRequest(request, check);
  }

  get #request(): AdmissionRequest {
    return this.#policies.request;
  }

  run(candidates: readonly Candidate<Bound>[]): MaybePromise<void> {
    return andThen(
      eachInOrder(candidates, ({ entry, definition }) => this.#policy(entry, definition)),
      () => {
        if (this.#failures.length > 0) this.#request.annotate('validation.policy.admission.k8s.io/validation_failure', JSON.stringify(this.#failures));
        const [first] = this.#denied;
        if (first !== undefined) throw denial(this.#request, first);
      },
    );
  }

  #policy(bound: Bound, definition: ResourceDefinition): MaybePromise<void> {
    const { policy, bindings } = bound;
    const { matchConstraints, paramKind } = policy.spec;
    const isMatched = this.#settled(policy, undefined, () =>
      andThen(isSelected(this.#request, matchConstraints), (is) => is && isParamKindKnown(this.#request, paramKind)),
    );
    return andThen(isMatched, (is) => {
      if (is !== true) return undefined;
      const published = new Map<string, Set<string>>();
      const judging = eachInOrder(bindings, (binding) => this.#settled(policy, binding, () => this.#binding(bound, binding, definition, published)));
      return andThen(judging, () => {
        for (const [key, values] of published) this.#request.annotate(`${policy.metadata.name}/${key}`, [...values].join(', '));
      });
    });
  }

  /** What is wrong with the policy or binding denies the request, unless its failure policy says otherwise. */
  #settled<T>(policy: StoredPolicy, binding: StoredBinding | undefined, step: () => MaybePromise<T>): MaybePromise<T | undefined> {
    try {
      const result = step();
      return result instanceof Promise ? result.catch((error: unknown) => this.#misconfigured(policy, binding, error)) : result;
    } catch (error) {
      return this.#misconfigured(policy, binding, error);
    }
  }

  #misconfigured({ metadata, spec }: StoredPolicy, binding: StoredBinding | undefined, error: unknown): undefined {
    if (!(error instanceof PolicyConfigurationError || error instanceof ApiError)) throw error;
    if (spec.failurePolicy === 'Ignore') return undefined;
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`;
    this.#denied.push({ policy: metadata.name ?? '', binding: binding?.metadata.name, message, reason: '', index: 0 });
    return undefined;
  }

  #binding(bound: Bound, binding: StoredBinding, definition: ResourceDefinition, published: Map<string, Set<string>>): MaybePromise<void> {
    const { policy, compiled } = bound;
    const { matchResources, paramRef } = binding.spec;
    return andThen(isBound(this.#request, matchResources), (is) => {
      if (!is) return undefined;
      return andThen(collectParams(this.#request, policy.spec.paramKind, paramRef), (all) =>
        eachInOrder(all, (params) =>
          andThen(this.#policies.facts(definition, params), (facts) =>
            andThen(judgePolicy(compiled(), facts, policy.spec.failurePolicy !== 'Ignore'), ({ denials, annotations }) => {
              for (const each of denials) this.#act(policy.metadata.name ?? '', binding, each);
              for (const [key, value] of annotations) published.set(key, (published.get(key) ?? new Set()).add(value));
            }),
          ),
        ),
      );
    });
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
