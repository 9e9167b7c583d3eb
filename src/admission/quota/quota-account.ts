// A quota while requests are charged against it: what it limits, and what is used of it, including what is on its way to the store.
import type { EvaluationFacts, QuotaEvaluator, ScopeRequirement } from '#admission/quota/evaluator.ts';
import { type Amounts, addTo, parseAmounts, type ResourceList } from '#admission/resource-list.ts';
import type { KubernetesObject } from '#api/object.ts';
import { addQuantities, formatQuantity, type Quantity, quantityOf, signOfQuantity } from '#base/quantity.ts';
import type { ResourceQuota } from '#kinds/core/v1/resource-quota.ts';

export type StoredQuota = ResourceQuota & KubernetesObject;

/** A quota as it is stored; an item of the watch cache is one. */
export interface QuotaVersion {
  readonly name: string;
  readonly revision: number;
  readonly object: KubernetesObject;
}

export class QuotaAccount {
  readonly name: string;
  /** Its numbers may be old: `used` has the true ones. */
  readonly stored: StoredQuota;
  readonly hard: Amounts;
  readonly used: Amounts;
  readonly scopes: readonly ScopeRequirement[];
  readonly openedAt: number;
  /** Of the stored version that `used` goes with, but for what is unsaved. */
  revision: number;
  /** What was added since the last save. Shared while it is of one charge. */
  #unsaved: Amounts | undefined;
  readonly #texts: Map<string, string>;
  readonly #stale = new Set<string>();
  readonly #limits = new Map<QuotaEvaluator, readonly string[]>();

  /** Begins as unsaved: the store has lost it. */
  owed: Amounts | undefined;

  constructor({ name, revision, object }: QuotaVersion, owed?: Amounts) {
    this.name = name;
    this.openedAt = revision;
    this.revision = revision;
    this.stored = object as StoredQuota;
    const { hard, used } = this.stored.status ?? {};
    this.hard = parseAmounts(hard as ResourceList | undefined);
    this.used = parseAmounts(used as ResourceList | undefined);
    this.#texts = new Map(Object.entries((used ?? {}) as ResourceList).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    this.scopes = scopesOf(this.stored);
    this.owed = owed;
    if (owed) this.add(owed);
  }

  /** The names of the limits that concern objects of a resource, sorted. */
  limitsFor(evaluator: QuotaEvaluator): readonly string[] {
    const known = this.#limits.get(evaluator);
    if (known) return known;
    const limits = [...this.hard.keys()].filter(evaluator.covers).toSorted();
    this.#limits.set(evaluator, limits);
    return limits;
  }

  get isUnsaved(): boolean {
    return this.#unsaved !== undefined;
  }

  /** From now on they count as saved. */
  takeUnsaved(): Amounts {
    const taken = this.#unsaved ?? new Map();
    this.#unsaved = undefined;
    return taken;
  }

  /** Nothing is ever used less than not at all; what is not limited any more is not counted either. */
  add(amounts: Amounts): void {
    for (const [name, amount] of amounts) {
      const before = this.used.get(name);
      if (before === undefined) continue;
      const sum = addQuantities(before, amount);
      this.used.set(name, signOfQuantity(sum) < 0 ? nothing : sum);
      this.#stale.add(name);
    }
    if (this.#stale.size > 0) this.#unsaved = this.#unsaved === undefined ? amounts : sumOf(this.#unsaved, amounts);
  }

  /** As the status has it, by name in order. */
  usedTexts(): ReadonlyMap<string, string> {
    for (const name of this.#stale) this.#texts.set(name, formatQuantity(this.used.get(name) as Quantity));
    this.#stale.clear();
    return this.#texts;
  }
}

const nothing = quantityOf(0);

function sumOf(a: Amounts, b: Amounts): Amounts {
  const sum: Amounts = new Map(a);
  addTo(sum, b);
  return sum;
}

export function scopesOf({ spec }: StoredQuota): readonly ScopeRequirement[] {
  const plain = (spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...((spec.scopeSelector?.matchExpressions ?? []) as readonly ScopeRequirement[])];
}

export function isInScopes(scopes: readonly ScopeRequirement[], evaluator: QuotaEvaluator, object: KubernetesObject, facts: EvaluationFacts): boolean {
  return scopes.every((scope) => evaluator.isInScope?.(scope, object, facts) === true);
}
