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
  /** Whether a definition is served as it is, whatever others there are. */
  readonly isSettled: (facts: DefinitionFacts) => boolean;
}

/** What stands in the file about one definition. */
export interface ShelvedDefinition {
  /** Of a definition that is settled and served; undefined: its facts have to be looked at. */
  readonly served: { readonly group: string; readonly plural: string; readonly versions: readonly string[] } | undefined;
  /** Parses them. */
  readonly facts: () => DefinitionFacts;
}

type Identity = Pick<SourceItem, 'name' | 'revision'>;

/** Another number when the lines, or the facts in them, are made in another way. */
const format = 2;
/** The file is made anew when this much was added, and more than it had. */
const mostAdded = 1 << 20;
/** Definitions written in one turn. */
const turnSteps = 50;

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
    const line = this.#lineOf(facts);
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
      lines.push(this.#lineOf(facts));
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

  #lineOf(facts: DefinitionFacts): string {
    const { definition, digests } = facts;
    const { name, resourceVersion } = definition.metadata;
    const served = this.#options.isSettled(facts) ? servedWord(definition) : unsettled;
    const rest = ` ${format} ${resourceVersion} ${name} ${served} ${JSON.stringify({ definition, digests: [...digests] })}`;
    return `${crc32(rest).toString(36)}${rest}\n`;
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
  readonly #bytes: Buffer;
  readonly #lines = new Map<string, Line>();
  #count = 0;
  #taken = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    // A character for each byte: what stands before the JSON is ASCII, and is found faster in a string.
    const text = bytes.toString('latin1');
    for (let start = 0; start < text.length; this.#count++) {
      const found = text.indexOf('\n', start);
      const end = found < 0 ? text.length : found;
      this.#read(text, start, end);
      start = end + 1;
    }
  }

  /** Of this definition as it was at this revision. */
  take({ name, revision }: Identity): ShelvedDefinition | undefined {
    const line = this.#lines.get(name);
    if (line?.revision !== revision) return undefined;
    this.#taken++;
    const bytes = this.#bytes;
    return { served: servedIn(line.served), facts: () => factsIn(bytes.toString('utf8', line.start, line.end)) };
  }

  /** Whether every line was taken for one of these, and none was missing. */
  isExact(items: readonly Identity[]): boolean {
    return this.#taken === items.length && this.#taken === this.#count;
  }

  #read(text: string, start: number, end: number): void {
    const head = headPattern(start).exec(text);
    if (head === null) return;
    const [whole, checksum = '', version, revision, name = '', served = ''] = head;
    if (start + whole.length > end || version !== String(format)) return;
    if (Number.parseInt(checksum, 36) !== crc32(this.#bytes.subarray(start + checksum.length, end))) return;
    this.#lines.set(name, { revision: Number(revision), served, start: start + whole.length, end });
  }
}

interface Line {
  readonly revision: number;
  readonly served: string;
  /** Where its JSON stands. */
  readonly start: number;
  readonly end: number;
}

/** The five words before the JSON. */
const head = /([0-9a-z]+) (\d+) (\d+) (\S+) (\S+) /y;

function headPattern(start: number): RegExp {
  head.lastIndex = start;
  return head;
}

const unsettled = '-';

/** Group, plural and served versions in one word. */
function servedWord({ spec, status }: DefinitionFacts['definition']): string {
  const versions = (spec.versions ?? []).filter(({ served }) => served).map(({ name }) => name);
  const word = `${spec.group}/${status.acceptedNames.plural}/${versions.join(',')}`;
  return /^[a-z0-9.-]+\/[a-z0-9-]+\/[a-z0-9,]+$/.test(word) ? word : unsettled;
}

function servedIn(word: string): ShelvedDefinition['served'] {
  if (word === unsettled) return undefined;
  const [group = '', plural = '', versions = ''] = word.split('/');
  return { group, plural, versions: versions.split(',') };
}

function factsIn(json: string): DefinitionFacts {
  const { definition, digests } = JSON.parse(json) as { definition: DefinitionFacts['definition']; digests: [string, string][] };
  return { definition, digests: new Map(digests) };
}
