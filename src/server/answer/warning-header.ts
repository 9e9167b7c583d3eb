// Warnings as HTTP headers: `299 - "text"`, within the limits that upstream keeps.
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';

const totalLimit = 4096;
const itemLimit = 256;
/** Warnings that cannot be a header count for nothing else. */
const countLimit = 1000;

export class Warnings {
  readonly #texts = new Set<string>();
  #headers: string[] = [];
  #written = 0;
  #truncating = false;

  add(text: string): void {
    if (text === '' || this.#texts.has(text) || (this.#truncating && this.#written >= totalLimit) || this.#texts.size >= countLimit) return;
    this.#texts.add(text);
    if (this.#truncating || this.#written + lengthOf(text) <= totalLimit) this.#write(text);
    else this.#startTruncating();
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }

  get headers(): readonly string[] {
    return this.#headers;
  }

  #startTruncating(): void {
    this.#truncating = true;
    this.#written = 0;
    this.#headers = [];
    for (const text of this.#texts) if (this.#written < totalLimit) this.#write(text);
  }

  #write(text: string): void {
    const shown = this.#truncating && lengthOf(text) > itemLimit ? [...text].slice(0, itemLimit).join('') : text;
    const header = formatted(shown);
    if (header === undefined) return;
    this.#written += lengthOf(shown);
    this.#headers.push(header);
  }
}

/** Clients are warned of the same few things with every request. */
const known = sharedMemo(new TextMemo<{ readonly header: string | undefined }>());

function formatted(text: string): string | undefined {
  const found = known.get(text) ?? known.add(text, (own) => ({ header: hasControlCharacters(own) ? undefined : formatWarning(own) }));
  return found.header;
}

/** Header values travel as bytes: UTF-8 goes in as the latin1 text of its bytes. */
function formatWarning(text: string): string {
  return `299 - "${Buffer.from(text.replace(/["\\]/g, '\\$&')).toString('latin1')}"`;
}

function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** In characters, not in UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; length++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return length;
}
