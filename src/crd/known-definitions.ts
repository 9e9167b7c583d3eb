// The definitions that a loop knows, by name. A start with many of them parses the facts of one when it is first asked for.
import type { DefinitionFacts } from '#crd/definition-facts.ts';

export class KnownDefinitions {
  readonly #known = new Map<string, DefinitionFacts | (() => DefinitionFacts)>();

  get size(): number {
    return this.#known.size;
  }

  names(): Iterable<string> {
    return this.#known.keys();
  }

  get(name: string): DefinitionFacts | undefined {
    const known = this.#known.get(name);
    if (typeof known !== 'function') return known;
    const facts = known();
    this.#known.set(name, facts);
    return facts;
  }

  set(name: string, facts: DefinitionFacts): void {
    this.#known.set(name, facts);
  }

  setDeferred(name: string, facts: () => DefinitionFacts): void {
    this.#known.set(name, facts);
  }

  delete(name: string): void {
    this.#known.delete(name);
  }

  *all(): Generator<DefinitionFacts, void, undefined> {
    for (const name of this.#known.keys()) {
      const facts = this.get(name);
      if (facts !== undefined) yield facts;
    }
  }
}
