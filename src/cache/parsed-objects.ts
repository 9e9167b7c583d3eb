// Parsed forms are several times larger than bytes: only the most recently parsed ones stay, within a budget of bytes.

export interface Parsed {
  readonly byteLength: number;
  forget(): void;
}

export class ParsedObjects {
  readonly #budget: number;
  /** In order of parsing. */
  readonly #kept = new Set<Parsed>();
  #bytes = 0;

  constructor(budget: number) {
    this.#budget = budget;
  }

  keep(parsed: Parsed): void {
    this.#kept.add(parsed);
    this.#bytes += parsed.byteLength;
    for (const oldest of this.#kept) {
      if (this.#bytes <= this.#budget) return;
      this.drop(oldest);
    }
  }

  clear(): void {
    for (const parsed of this.#kept) this.drop(parsed);
  }

  drop(parsed: Parsed): void {
    if (!this.#kept.delete(parsed)) return;
    this.#bytes -= parsed.byteLength;
    parsed.forget();
  }
}
