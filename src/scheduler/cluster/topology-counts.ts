// Numbers by domain of the cluster: for a label of nodes (`topology.kubernetes.io/zone`) and each of its values.
import type { Labels } from '#api/label-match.ts';

export class TopologyCounts {
  readonly #byKey = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  get keys(): Iterable<string> {
    return this.#byKey.keys();
  }

  /** A node without the label is in no domain. */
  add(labels: Labels, key: string, by: number): void {
    const value = labels[key];
    if (value === undefined || !Object.hasOwn(labels, key)) return;
    const byValue = this.#byKey.get(key) ?? new Map<string, number>();
    const count = (byValue.get(value) ?? 0) + by;
    if (count === 0) byValue.delete(value);
    else byValue.set(value, count);
    if (byValue.size === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, byValue);
  }

  /** Of the domain that a node is in. */
  at(labels: Labels, key: string): number {
    const value = labels[key];
    return value === undefined ? 0 : (this.#byKey.get(key)?.get(value) ?? 0);
  }

  copy(): TopologyCounts {
    const copy = new TopologyCounts();
    for (const [key, byValue] of this.#byKey) copy.#byKey.set(key, new Map(byValue));
    return copy;
  }
}
