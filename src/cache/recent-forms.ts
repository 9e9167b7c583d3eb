// Forms of an item that are made when needed and are too large to keep with every item: only the most recently made
// ones stay, within a budget.
import { ChurningMap } from '#base/memory/churning.ts';

interface Form<V> {
  readonly value: V;
  readonly cost: number;
}

export class RecentForms<K, V> {
  readonly #budget: number;
  /** In order of making. */
  readonly #forms = new ChurningMap<K, Form<V>>();
  #cost = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  get(key: K): V | undefined {
    return this.#forms.get(key)?.value;
  }

  set(key: K, value: V, cost: number): void {
    this.delete(key);
    this.#forms.set(key, { value, cost });
    this.#cost += cost;
    for (const oldest of this.#forms.keys()) {
      if (this.#cost <= this.#budget) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const form = this.#forms.get(key);
    if (form === undefined) return;
    this.#forms.delete(key);
    this.#cost -= form.cost;
  }

  clear(): void {
    this.#forms.clear();
    this.#cost = 0;
  }
}
