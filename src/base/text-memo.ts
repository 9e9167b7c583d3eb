// What was worked out for texts that clients send again and again. Clients choose the texts, so that what is kept is bounded by its size:
// long texts are not kept at all, and when the short ones are too many all of them go.
import { ownText } from '#base/own-text.ts';

const longestKept = 1000;
/** For the entry itself and a value of a few numbers. */
const entryCharacters = 50;

export class TextMemo<T> {
  readonly #most: number;
  readonly #kept = new Map<string, T>();
  #characters = 0;

  /** `mostCharacters` of all texts together. */
  constructor(mostCharacters = 64 << 10) {
    this.#most = mostCharacters;
  }

  clear(): void {
    this.#kept.clear();
    this.#characters = 0;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(text: string): T | undefined {
    return this.#kept.get(text);
  }

  /** What `make` makes of the text; of a copy, because a text that was cut out of a body would keep all of the body in memory. */
  add(text: string, make: (text: string) => T): T {
    if (text.length > longestKept) return make(text);
    const own = ownText(text);
    const value = make(own);
    this.#characters += own.length + entryCharacters;
    if (this.#characters > this.#most) {
      this.#kept.clear();
      this.#characters = own.length + entryCharacters;
    }
    this.#kept.set(own, value);
    return value;
  }
}
