// The plugin ValidatingAdmissionPolicy: every binding of every policy that is about a request has its say; the first denial is the answer.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import { authorizeFor, type CheckAccess } from '#admission/expressions/authorize-for.ts';
import { matchedResource } from '#admission/matching/matched-resource.ts';
import { type Candidate, RuleTable } from '#admission/matching/rule-table.ts';
import type { Rule } from '#admission/matching/rule.ts';
import { isInSelectedNamespace, isSelectedObject, namespaceOf } from '#admission/matching/selected.ts';
import { type CompiledPolicy, compilePolicy } from '#admission/policies/compiled-policy.ts';
import { type Denial, judgePolicy } from '#admission/policies/judge-policy.ts';
import { collectParams, PolicyConfigurationError } from '#admission/policies/policy-params.ts';
import { kindOf, namespaces, refusal } from '#admission/request-subject.ts';
import { ApiError } from '#api/api-error.ts';
import { labelSelectorFrom } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { MatchResources } from '#kinds/admissionregistration/v1/match-resources.ts';
import type { ValidatingAdmissionPolicyBinding } from '#kinds/admissionregistration/v1/validating-admission-policy-binding.ts';
import type { ValidatingAdmissionPolicy } from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import { fromHub } from '#resource/conversion.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

const group = 'admissionregistration.k8s.io';
const policyResource = { group, resource: 'validatingadmissionpolicies' };
const bindingResource = { group, resource: 'validatingadmissionpolicybindings' };

type StoredPolicy = ValidatingAdmissionPolicy & KubernetesObject;
type StoredBinding = ValidatingAdmissionPolicyBinding & KubernetesObject;

interface BoundPolicy {
  readonly rules: readonly Rule[];
  readonly matchPolicy?: string | undefined;
  readonly policy: StoredPolicy;
  readonly bindings: readonly StoredBinding[];
  readonly compiled: () => CompiledPolicy;
}

export function validatingAdmissionPolicies(check: CheckAccess): AdmissionPlugin {
  const kept = new PolicyTable();
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

/** All policies that are bound, by name; made anew when one of the objects has changed. */
class PolicyTable {
  #table = new RuleTable<BoundPolicy>([]);
  #madeAt = '';
  readonly #compiled = new WeakMap<StoredPolicy, CompiledPolicy>();

  current({ lister }: AdmissionRequest): MaybePromise<RuleTable<BoundPolicy>> {
    return andThen(lister.changedAt(policyResource), (policies) =>
      andThen(lister.changedAt(bindingResource), (bindings) => {
        const at = `${policies} ${bindings}`;
        return at === this.#madeAt ? this.#table : this.#make(lister, at);
      }),
    );
  }

  #make(lister: AdmissionRequest['lister'], at: string): MaybePromise<RuleTable<BoundPolicy>> {
    return andThen(lister.list<StoredPolicy>(policyResource), (policies) =>
      andThen(lister.list<StoredBinding>(bindingResource), (bindings) => {
        const byName = [...policies].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
        this.#table = new RuleTable(byName.flatMap((policy) => this.#bound(policy, bindings)));
        this.#madeAt = at;
        return this.#table;
      }),
    );
  }

  #bound(policy: StoredPolicy, all: readonly StoredBinding[]): readonly BoundPolicy[] {
    const bindings = all.filter(({ spec }) => spec.policyName === policy.metadata.name);
    if (bindings.length === 0) return [];
    const { resourceRules = [], matchPolicy } = policy.spec.matchConstraints ?? {};
    return [{ rules: resourceRules, matchPolicy, policy, bindings, compiled: () => this.#compile(policy) }];
  }

  #compile(policy: StoredPolicy): CompiledPolicy {
    let compiled = this.#compiled.get(policy);
    if (compiled === undefined) this.#compiled.set(policy, (compiled = compilePolicy(policy)));
    return compiled;
  }
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

  async run(candidates: readonly Candidate<BoundPolicy>[]): Promise<void> {
    for (const { entry, definition } of candidates) await this.#policy(entry, definition);
    if (this.#failures.length > 0) this.#request.annotate('validation.policy.admission.k8s.io/validation_failure', JSON.stringify(this.#failures));
    const [first] = this.#denied;
    if (first !== undefined) throw denial(this.#request, first);
  }

  async #policy(bound: BoundPolicy, definition: ResourceDefinition): Promise<void> {
    const { policy, bindings } = bound;
    const published = new Map<string, Set<string>>();
    const isMatched = await this.#settled(policy, undefined, async () => this.#isMatched(policy.spec.matchConstraints));
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

  async #isMatched(resources: MatchResources | undefined): Promise<boolean> {
    if (resources === undefined) return true;
    const { namespaceSelector, objectSelector, excludeResourceRules = [], matchPolicy } = resources;
    const { definition, operation, subresource, catalog } = this.#request;
    if (matchedResource({ rules: excludeResourceRules, matchPolicy }, { definition, operation, subresource }, catalog) !== undefined) return false;
    if (!(await isInSelectedNamespace(labelSelectorFrom(namespaceSelector ?? {}), this.#request))) return false;
    return isSelectedObject(labelSelectorFrom(objectSelector ?? {}), this.#request);
  }

  async #binding(bound: BoundPolicy, binding: StoredBinding, definition: ResourceDefinition, published: Map<string, Set<string>>): Promise<void> {
    const { spec } = binding;
    const { definition: asked, operation, subresource, catalog } = this.#request;
    const { resourceRules = [], matchPolicy } = spec.matchResources ?? {};
    const isAbout =
      resourceRules.length === 0 || matchedResource({ rules: resourceRules, matchPolicy }, { definition: asked, operation, subresource }, catalog);
    if (!isAbout || !(await this.#isMatched(spec.matchResources))) return;
    for (const params of await collectParams(this.#request, bound.policy.spec.paramKind, spec.paramRef)) {
      const facts = await this.#facts(definition, params);
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

  async #facts(definition: ResourceDefinition, params: KubernetesObject | undefined): Promise<AdmissionFacts> {
    const request = this.#request;
    const { catalog, lister, user } = request;
    const converted = async (object: KubernetesObject | undefined) =>
      object === undefined || (request.subresource !== '' && !('metadata' in object)) ? object : fromHub(catalog, definition, object);
    const name = namespaceOf(request);
    const namespace = name === '' || !request.definition.namespaced ? undefined : await lister.get(namespaces, '', name);
    const named = { group: definition.group, version: definition.version };
    return {
      request: {
        kind: kindOf({ ...request, definition }),
        resource: { ...named, resource: definition.plural },
        subresource: request.subresource,
        requestKind: kindOf(request),
        requestResource: { group: request.definition.group, version: request.definition.version, resource: request.definition.plural },
        name: request.name,
        namespace: request.namespace,
        operation: request.operation,
        user,
        dryRun: request.dryRun,
        options: request.options,
      },
      object: await converted(request.object),
      old: await converted(request.old),
      namespace,
      params,
      authorize: authorizeFor(this.#check, user),
    };
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
