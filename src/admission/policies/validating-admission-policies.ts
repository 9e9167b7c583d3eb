// The plugin ValidatingAdmissionPolicy: every binding of every policy that is about a request has its say; the first denial is the answer.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { BoundPolicies, type BoundPolicy } from '#admission/policies/bound-policies.ts';
import { type CompiledPolicy, compilePolicy } from '#admission/policies/compiled-policy.ts';
import { type Denial, type Judgement, type Judging, judgePolicy } from '#admission/policies/judge-policy.ts';
import type { PolicyCheck, PolicyObserver, PolicyPluginParts } from '#admission/policies/policy-observer.ts';
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

type StoredPolicy = ValidatingAdmissionPolicy & KubernetesObject;
type StoredBinding = ValidatingAdmissionPolicyBinding & KubernetesObject;

type Bound = BoundPolicy<StoredPolicy, StoredBinding, CompiledPolicy>;

export function validatingAdmissionPolicies({ check, manifests, observer }: PolicyPluginParts): AdmissionPlugin {
  // The language of expressions is loaded with the first policy (tools/chunks.mjs).
  const kept = new BoundPolicies<StoredPolicy, StoredBinding, CompiledPolicy>({ flavour: 'validating', compile: (policy) => compilePolicy(policy), manifests });
  return {
    name: 'ValidatingAdmissionPolicy',
    validate: (request) =>
      andThen(kept.candidates(request), (candidates) =>
        candidates.length === 0 ? undefined : new Dispatch(new PolicyRequest(request, check), observer).run(candidates),
      ),
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
  readonly #observer: PolicyObserver;
  readonly #denied: DeniedBy[] = [];
  #hasFailed = false;

  constructor(policies: PolicyRequest, observer: PolicyObserver) {
    this.#policies = policies;
    this.#observer = observer;
  }

  get #request(): AdmissionRequest {
    return this.#policies.request;
  }

  run(candidates: readonly Candidate<Bound>[]): MaybePromise<void> {
    return andThen(
      eachInOrder(candidates, ({ entry, definition }) => this.#policy(entry, definition)),
      () => {
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
    this.#denied.push({ policy: metadata.name ?? '', binding: binding?.metadata.name, message, reason: '', index: 0, seconds: 0 });
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
            andThen(judgePolicy(compiled(), facts, this.#judging(policy)), (judgement) => {
              this.#take(policy.metadata.name ?? '', binding, judgement);
              for (const [key, value] of judgement.annotations) published.set(key, (published.get(key) ?? new Set()).add(value));
            }),
          ),
        ),
      );
    });
  }

  #judging({ metadata: { name = '' }, spec }: StoredPolicy): Judging {
    const { now, onConditions } = this.#observer;
    // Upstream calls this step `validate`, of mutating policies too.
    return { failClosed: spec.failurePolicy !== 'Ignore', now, onConditions: () => onConditions(name, 'policy', 'validate', this.#request.operation) };
  }

  #take(policy: string, binding: StoredBinding, { denials, ignored, failedAnnotations }: Judgement): void {
    for (const failure of ignored) this.#observe(policy, binding, 'allow', failure);
    for (const each of denials) for (const action of binding.spec.validationActions ?? []) this.#act(policy, binding, action, each);
    for (const failure of failedAnnotations) this.#act(policy, binding, 'Deny', failure);
  }

  #act(policy: string, binding: StoredBinding, action: string, denied: Denial): void {
    const { metadata, spec } = binding;
    const name = metadata.name ?? '';
    if (action === 'Deny') this.#denied.push({ ...denied, policy, binding: name });
    if (action === 'Warn') this.#request.warn(`Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}': ${denied.message}`);
    if (action === 'Audit') {
      const { message, index } = denied;
      this.#publish({ message, policy, binding: name, expressionIndex: index, validationActions: spec.validationActions });
    }
    const seen = seenActions[action];
    if (seen !== undefined) this.#observe(policy, binding, seen, denied);
  }

  /** The first failure alone, in a list, as upstream, whose annotations are not written twice. */
  #publish(failure: object): void {
    if (!this.#hasFailed) this.#request.annotate('validation.policy.admission.k8s.io/validation_failure', JSON.stringify([failure]));
    this.#hasFailed = true;
  }

  #observe(policy: string, { metadata: { name: binding = '' } }: StoredBinding, action: PolicyCheck['action'], { message, seconds }: Denial): void {
    this.#observer.onCheck({ policy, binding, action, message, seconds });
  }
}

const seenActions: Readonly<Record<string, PolicyCheck['action']>> = { Deny: 'deny', Warn: 'warn', Audit: 'audit' };

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413, Invalid: 422 };

function denial(request: AdmissionRequest, { policy, binding, message, reason }: DeniedBy): ApiError {
  const by = binding === undefined ? `ValidatingAdmissionPolicy '${policy}'` : `ValidatingAdmissionPolicy '${policy}' with binding '${binding}'`;
  const text = `${by} denied request: ${message}`;
  const { message: whole, details } = refusal(request, text);
  const told = reason === '' ? 'Invalid' : reason;
  return new ApiError(codes[told] ?? 422, told as ApiError['reason'], whole, { details: { ...details, causes: [{ message: text }] } });
}
