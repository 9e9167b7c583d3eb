// What a start must know of stored definitions, kept in a file beside the store: with it a start reads two kilobytes of each definition in place
// of all its schemas. A line counts only for the revision it was made of, so the file may be old, damaged or missing: the definition itself is
// read then. See docs/decisions/0007-definition-facts.md.
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { SourceItem } from '#api/source.ts';
import type { Log } from '#base/log.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { DefinitionFacts } from '#crd/definition-facts.ts';

export interface ShelfOptions {
  readonly log: Log;
  /** What the file should say. */
  readonly all: () => Iterable<DefinitionFacts>;
}

type Identity = Pick<SourceItem, 'name' | 'revision'>;

/** Another number when the lines, or the facts in them, are made in another way. */
const format = 1;
/** The file is made anew when this much was added, and more than it had. */
const mostAdded = 1 << 20;
/** Definitions written in one turn. */
const turnSteps = 50;
const newline = 10;

export class DefinitionShelf {
  readonly #path: string;
  readonly #options: ShelfOptions;
  #state: 'open' | 'replacing' | 'given up' = 'open';
  /** Lines that came while the file is made anew. */
  #held: string[] = [];
  #size = 0;
  #added = 0;

  constructor(path: string, options: ShelfOptions) {
    this.#path = path;
    this.#options = options;
  }

  read(): ShelvedFacts {
    const bytes = this.#bytes();
    this.#size = bytes.length;
    return new ShelvedFacts(bytes);
  }

  add(facts: DefinitionFacts): void {
    if (this.#state === 'given up') return;
    const line = lineOf(facts);
    if (this.#state === 'replacing') this.#held.push(line);
    else this.#append(line);
  }

  /** The file says what is true now, in the end. */
  replace(): void {
    if (this.#state !== 'open') return;
    this.#state = 'replacing';
    void this.#replace().catch((problem: unknown) => this.#giveUp(problem));
  }

  async #replace(): Promise<void> {
    const lines: string[] = [];
    const known = Array.from(this.#options.all());
    for (const facts of known) {
      lines.push(lineOf(facts));
      if (lines.length % turnSteps === 0) await nextTurn();
    }
    const text = lines.join('');
    await writeFile(`${this.#path}.new`, text, { mode: 0o600 });
    await rename(`${this.#path}.new`, this.#path);
    this.#state = 'open';
    this.#size = text.length;
    this.#added = 0;
    const held = this.#held.splice(0).join('');
    if (held !== '') this.#append(held);
  }

  #append(text: string): void {
    try {
      appendFileSync(this.#path, text, { mode: 0o600 });
    } catch (problem) {
      return this.#giveUp(problem);
    }
    this.#added += text.length;
    if (this.#added > Math.max(mostAdded, this.#size)) this.replace();
  }

  /** The next start reads the definitions themselves. */
  #giveUp(problem: unknown): void {
    this.#state = 'given up';
    this.#held = [];
    this.#options.log.warn('facts of definitions cannot be kept: the next start takes longer', { file: this.#path, err: String(problem) });
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // Lines of other revisions count for nothing.
    }
  }

  #bytes(): Buffer {
    try {
      return readFileSync(this.#path);
    } catch {
      return Buffer.alloc(0);
    }
  }
}

/** The lines of a file; the last one about a definition counts. */
export class ShelvedFacts {
  readonly #lines = new Map<string, { readonly revision: number; readonly json: Buffer }>();
  #count = 0;
  #taken = 0;

  constructor(bytes: Buffer) {
    for (let start = 0; start < bytes.length; this.#count++) {
      const found = bytes.indexOf(newline, start);
      const end = found < 0 ? bytes.length : found;
      this.#read(bytes.subarray(start, end));
      start = end + 1;
    }
  }

  /** Of this definition as it was at this revision. */
  take({ name, revision }: Identity): DefinitionFacts | undefined {
    const line = this.#lines.get(name);
    if (line?.revision !== revision) return undefined;
    this.#taken++;
    const { definition, digests } = JSON.parse(line.json.toString()) as { definition: DefinitionFacts['definition']; digests: [string, string][] };
    return { definition, digests: new Map(digests) };
  }

  /** Whether every line was taken for one of these, and none was missing. */
  isExact(items: readonly Identity[]): boolean {
    return this.#taken === items.length && this.#taken === this.#count;
  }

  #read(line: Buffer): void {
    const [checksum, version, revision, name, end] = headOf(line);
    if (end === undefined || version !== String(format) || Number.parseInt(checksum ?? '', 36) !== crc32(line.subarray((checksum ?? '').length))) return;
    this.#lines.set(name ?? '', { revision: Number(revision), json: line.subarray(Number(end)) });
  }
}

/** The four words before the JSON, and where it begins. */
function headOf(line: Buffer): readonly (string | undefined)[] {
  const words: string[] = [];
  let at = 0;
  while (words.length < 4) {
    const space = line.indexOf(' ', at);
    if (space < 0) return [];
    words.push(line.toString('latin1', at, space));
    at = space + 1;
  }
  return [...words, String(at)];
}

function lineOf({ definition, digests }: DefinitionFacts): string {
  const { name, resourceVersion } = definition.metadata;
  const rest = ` ${format} ${resourceVersion} ${name} ${JSON.stringify({ definition, digests: [...digests] })}`;
  return `${crc32(rest).toString(36)}${rest}\n`;
}
