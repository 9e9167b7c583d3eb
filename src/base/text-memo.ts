// What was worked out for texts that clients send again and again. Clients choose the texts, so that what is kept is bounded by its size:
// long texts are not kept at all, and when the short ones are too many all of them go.

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

  get size(): number {
    return this.#kept.size;
  }

  get(text: string): T | undefined {
    return this.#kept.get(text);
  }

  set(text: string, value: T): void {
    if (text.length > longestKept) return;
    this.#characters += text.length + entryCharacters;
    if (this.#characters > this.#most) {
      this.#kept.clear();
      this.#characters = text.length + entryCharacters;
    }
    this.#kept.set(text, value);
  }
}
