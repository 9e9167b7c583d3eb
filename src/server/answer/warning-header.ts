// Warnings as HTTP headers: `299 - "text"`, within the limits that upstream keeps.

const totalLimit = 4096;
const itemLimit = 256;

export class Warnings {
  readonly texts: string[] = [];
  #headers: string[] = [];
  #written = 0;
  #truncating = false;

  add(text: string): void {
    if (text === '' || this.texts.includes(text) || (this.#truncating && this.#written >= totalLimit)) return;
    this.texts.push(text);
    if (this.#truncating || this.#written + lengthOf(text) <= totalLimit) this.#write(text);
    else this.#startTruncating();
  }

  get headers(): readonly string[] {
    return this.#headers;
  }

  #startTruncating(): void {
    this.#truncating = true;
    this.#written = 0;
    this.#headers = [];
    for (const text of this.texts) if (this.#written < totalLimit) this.#write(text);
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
const known = new Map<string, string | undefined>();
const knownLimit = 200;

function formatted(text: string): string | undefined {
  if (known.has(text)) return known.get(text);
  const header = hasControlCharacters(text) ? undefined : formatWarning(text);
  if (known.size >= knownLimit) known.clear();
  known.set(text, header);
  return header;
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
