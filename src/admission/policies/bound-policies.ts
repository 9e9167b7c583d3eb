// Policies with their bindings, as a table that knows which of them are about a request; made anew when one of the objects has changed.
import type { AdmissionRequest } from '#admission/admission.ts';
import { type Candidate, type Exemptions, RuleTable } from '#admission/matching/rule-table.ts';
import { isExemptFromPolicies, type Rule, type RuleSubject } from '#admission/matching/rule.ts';
import type { ParamKind, ParamRef } from '#admission/policies/policy-params.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { MatchResources } from '#kinds/admissionregistration/v1/match-resources.ts';

const group = 'admissionregistration.k8s.io';

/** What validating and mutating policies have in common. */
export interface Policy extends KubernetesObject {
  readonly spec: {
    readonly matchConstraints?: MatchResources | undefined;
    readonly paramKind?: ParamKind | undefined;
    readonly failurePolicy?: string | undefined;
  };
}

export interface Binding extends KubernetesObject {
  readonly spec: {
    readonly policyName?: string | undefined;
    readonly paramRef?: ParamRef | undefined;
    readonly matchResources?: MatchResources | undefined;
  };
}

export interface BoundPolicy<P, B, C> {
  readonly rules: readonly Rule[];
  readonly matchPolicy?: string | undefined;
  readonly isStatic?: boolean;
  readonly policy: P;
  readonly bindings: readonly B[];
  /** Compiled when it is first needed, once for each version of the policy. */
  readonly compiled: () => C;
}

export interface PolicySource<P, C> {
  readonly flavour: 'validating' | 'mutating';
  readonly compile: (policy: P) => C;
  /** Policies and bindings of manifests; another list after a change. */
  readonly manifests?: (() => readonly KubernetesObject[]) | undefined;
}

/** The last changes that a table knows of. */
interface MadeAt {
  readonly policies: number;
  readonly bindings: number;
}

export class BoundPolicies<P extends Policy, B extends Binding, C> {
  readonly #source: PolicySource<P, C>;
  readonly #policies: GroupResource;
  readonly #bindings: GroupResource;
  readonly #compiled = new WeakMap<P, { readonly compiled: C }>();
  #manifests: readonly KubernetesObject[] = none;
  #table = new RuleTable<BoundPolicy<P, B, C>>([], exemptions);
  #madeAt: MadeAt = { policies: -1, bindings: -1 };

  constructor(source: PolicySource<P, C>) {
    this.#source = source;
    this.#policies = { group, resource: `${source.flavour}admissionpolicies` };
    this.#bindings = { group, resource: `${source.flavour}admissionpolicybindings` };
  }

  /** Those whose rules are about the request. */
  candidates(request: AdmissionRequest): MaybePromise<readonly Candidate<BoundPolicy<P, B, C>>[]> {
    return andThen(this.#current(request), (table) => table.candidates(request, request.catalog));
  }

  #current({ lister }: Pick<AdmissionRequest, 'lister'>): MaybePromise<RuleTable<BoundPolicy<P, B, C>>> {
    return andThen(lister.changedAt(this.#policies), (policies) =>
      andThen(lister.changedAt(this.#bindings), (bindings) => {
        const isSame = policies === this.#madeAt.policies && bindings === this.#madeAt.bindings;
        return isSame && this.#manifests === (this.#source.manifests?.() ?? none) ? this.#table : this.#make(lister, { policies, bindings });
      }),
    );
  }

  #make(lister: AdmissionRequest['lister'], at: MadeAt): MaybePromise<RuleTable<BoundPolicy<P, B, C>>> {
    return andThen(lister.list<P>(this.#policies), (policies) =>
      andThen(lister.list<B>(this.#bindings), (bindings) => {
        const byName = [...policies].sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
        this.#manifests = this.#source.manifests?.() ?? none;
        const bound = [...this.#fromManifests(), ...byName.flatMap((policy) => this.#bound(policy, bindings))];
        this.#table = new RuleTable(bound, exemptions);
        this.#madeAt = at;
        return this.#table;
      }),
    );
  }

  /** They come first, in the order of their names. */
  #fromManifests(): readonly BoundPolicy<P, B, C>[] {
    const bindings = this.#manifests.filter(({ kind }) => kind?.endsWith('Binding')) as unknown as readonly B[];
    const policies = this.#manifests.filter(({ kind }) => !kind?.endsWith('Binding')) as unknown as readonly P[];
    return policies.flatMap((policy) => this.#bound(policy, bindings)).map((bound) => ({ ...bound, isStatic: true }));
  }

  #bound(policy: P, all: readonly B[]): readonly BoundPolicy<P, B, C>[] {
    const bindings = all.filter(({ spec }) => spec.policyName === policy.metadata.name);
    if (bindings.length === 0) return [];
    const { resourceRules = [], matchPolicy } = policy.spec.matchConstraints ?? {};
    return [{ rules: resourceRules, matchPolicy, policy, bindings, compiled: () => this.#compile(policy) }];
  }

  #compile(policy: P): C {
    let known = this.#compiled.get(policy);
    if (known === undefined) this.#compiled.set(policy, (known = { compiled: this.#source.compile(policy) }));
    return known.compiled;
  }
}

const none: readonly KubernetesObject[] = [];

const reviews: Readonly<Record<string, readonly string[]>> = {
  'authentication.k8s.io': ['selfsubjectreviews', 'tokenreviews'],
  'authorization.k8s.io': ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
};

/** What asks who somebody is and what they may: policies never judge it, as upstream, since the cluster may depend on the answer. */
function isReview({ definition }: Pick<RuleSubject, 'definition'>): boolean {
  return reviews[definition.group]?.includes(definition.plural) === true;
}

const exemptions: Exemptions = { isNeverAsked: isReview, isExempt: isExemptFromPolicies };
