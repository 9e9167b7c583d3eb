import { wholeSeconds } from '#api/whole-seconds.ts';

/**
 * Times of the API are whole seconds; what happens after 300 ms needs to know better. Whatever wrote the time remembers it exactly; after a
 * restart the whole second has to do.
 */
export class ExactTimes {
  readonly #times = new Map<string, number>();

  /** Returns the text to be stored. */
  note(label: string, milliseconds: number): string {
    this.#times.set(label, milliseconds);
    return wholeSeconds(new Date(milliseconds));
  }

  /** Undefined: not by this simulation. */
  noted(label: string): number | undefined {
    return this.#times.get(label);
  }

  /** Of a text that was stored. */
  at(label: string, text: string): number {
    const exact = this.#times.get(label);
    const stored = Date.parse(text);
    return exact !== undefined && exact - stored >= 0 && exact - stored < 1_000 ? exact : stored;
  }
}
