// JSON values as YAML text, in the style of Go's YAML writer: block style, lines folded at 80 columns, sorted keys.
import { inOneGo, type Steps } from '#base/steps.ts';
import { keySortingSteps } from '#schema/yaml/yaml-key-order.ts';
import { resolvePlain } from '#schema/yaml/yaml-scalar.ts';

export function formatYaml(value: unknown): string {
  return inOneGo(yamlWritingSteps(value));
}

/** The same in steps. */
export function yamlWritingSteps(value: unknown): Steps<string> {
  return new YamlWriter().document(value);
}

/** A fraction of a millisecond. */
const nodesPerStep = 256;

const widest = 80;
const step = 2;
const longestSimpleKey = 128;

type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

interface Place {
  /** A value under a key: lists need no indentation of their own there. */
  readonly inMapping: boolean;
  /** A key on the line of its value: never folded. */
  readonly isKey: boolean;
}

const asItem: Place = { inMapping: false, isKey: false };
const asValue: Place = { inMapping: true, isKey: false };
const asKey: Place = { inMapping: true, isKey: true };

/** A list or an object that is being written: what is open is a stack, not calls in calls, so that the writer can stop at any node. */
type Collection = {
  /** The indentation around it. */
  readonly outer: number;
  next: number;
} & (
  | { readonly is: 'sequence'; readonly items: readonly unknown[] }
  | { readonly is: 'mapping'; readonly object: Record<string, unknown>; keys: readonly string[] | undefined }
);

class YamlWriter {
  #out = '';
  #column = 0;
  #indent = -1;
  /** Nothing but indentation and indicators so far on this line. */
  #atStart = true;
  #afterSpace = true;

  *document(value: unknown): Steps<string> {
    const open: Collection[] = [];
    let current = this.#node(value, asItem);
    for (let nodes = 1; current !== undefined; nodes++) {
      if (nodes % nodesPerStep === 0) yield;
      if (current.is === 'mapping') current.keys ??= yield* keySortingSteps(Object.keys(current.object));
      const inner = current.is === 'mapping' ? this.#entry(current.object, current.keys?.[current.next++]) : this.#item(current.items, current.next++);
      if (inner === 'end') {
        this.#indent = current.outer;
        current = open.pop();
      } else if (inner !== undefined) {
        open.push(current);
        current = inner;
      }
    }
    this.#indent = 0;
    this.#newLine();
    return this.#out;
  }

  /** Written, unless it is a collection whose members come next. */
  #node(value: unknown, place: Place): Collection | undefined {
    if (Array.isArray(value) && value.length > 0) return this.#sequence(value, place);
    if (isObject(value) && hasMembers(value)) return this.#mapping(value);
    if (typeof value === 'string') this.#text(value, place);
    else this.#indicator(plainText(value));
    return undefined;
  }

  #sequence(items: readonly unknown[], place: Place): Collection {
    const outer = this.#indent;
    if (outer < 0) this.#indent = 0;
    else if (!(place.inMapping && !this.#atStart)) this.#indent += step;
    return { is: 'sequence', outer, next: 0, items };
  }

  #item(items: readonly unknown[], index: number): Collection | 'end' | undefined {
    if (index === items.length) return 'end';
    this.#newLine();
    this.#indicator('-', true);
    return this.#node(items[index], asItem);
  }

  #mapping(object: Record<string, unknown>): Collection {
    const outer = this.#indent;
    this.#indent = outer < 0 ? 0 : outer + step;
    return { is: 'mapping', outer, next: 0, object, keys: undefined };
  }

  #entry(object: Record<string, unknown>, key: string | undefined): Collection | 'end' | undefined {
    if (key === undefined) return 'end';
    this.#newLine();
    if (isSimpleKey(key)) {
      this.#node(key, asKey);
      this.#put(':');
      this.#atStart = false;
    } else {
      this.#indicator('?', true);
      this.#node(key, asValue);
      this.#newLine();
      this.#indicator(':', true);
    }
    this.#afterSpace = false;
    return this.#node(object[key], asValue);
  }

  /** To the indentation of the current block, on a new line unless this one is still empty. */
  #newLine(): void {
    const indent = Math.max(this.#indent, 0);
    if (!this.#atStart || this.#column > indent || (this.#column === indent && !this.#afterSpace)) this.#break();
    if (this.#column < indent) this.#put(' '.repeat(indent - this.#column));
    this.#afterSpace = true;
    this.#atStart = true;
  }

  #indicator(text: string, keepsStart = false): void {
    if (!this.#afterSpace) this.#put(' ');
    this.#put(text);
    this.#afterSpace = false;
    this.#atStart = this.#atStart && keepsStart;
  }

  /** Scalars continue one step deeper. */
  #text(text: string, place: Place): void {
    const outer = this.#indent;
    this.#indent = outer < 0 ? step : outer + step;
    this.#styled(text, place);
    this.#indent = outer;
  }

  #styled(text: string, place: Place): void {
    const style = styleOf(text, place);
    if (style === 'literal') return this.#literal(text);
    if (!this.#afterSpace) this.#put(' ');
    if (style === 'plain') this.#folded(text, place, (part) => part, false);
    else this.#quoted(text, place, style);
    this.#afterSpace = false;
    this.#atStart = false;
  }

  #quoted(text: string, place: Place, style: 'single' | 'double'): void {
    this.#put(style === 'single' ? "'" : '"');
    if (style === 'single') this.#folded(text, place, (part) => part.replaceAll("'", "''"), true);
    else this.#escaped(text, place);
    this.#put(style === 'single' ? "'" : '"');
  }

  /** A single space beyond the width becomes a line break. */
  #folded(text: string, place: Place, write: (part: string) => string, quoted: boolean): void {
    const parts = text.match(/ +|[^ \n]+|\n+/g) ?? [];
    for (const [index, part] of parts.entries()) {
      const inside = !quoted || (index > 0 && index < parts.length - 1);
      if (part === ' ' && !place.isKey && this.#column > widest && inside) this.#fold();
      else if (part.startsWith('\n')) this.#quotedBreaks(part);
      else this.#put(write(part));
    }
  }

  #quotedBreaks(breaks: string): void {
    this.#break();
    for (const _ of breaks) this.#break();
    this.#put(' '.repeat(Math.max(this.#indent, 0)));
  }

  #fold(): void {
    this.#break();
    this.#put(' '.repeat(Math.max(this.#indent, 0)));
  }

  #escaped(text: string, place: Place): void {
    const characters = [...text];
    let afterSpace = false;
    for (const [index, character] of characters.entries()) {
      const inside = index > 0 && index < characters.length - 1;
      if (character !== ' ') this.#put(escapeCharacter(character));
      else if (!place.isKey && !afterSpace && this.#column > widest && inside) {
        this.#fold();
        if (characters[index + 1] === ' ') this.#put('\\');
      } else this.#put(' ');
      afterSpace = character === ' ';
    }
  }

  #literal(text: string): void {
    const hint = text.startsWith(' ') || text.startsWith('\n') ? String(step) : '';
    const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
    this.#indicator(`|${hint}${chomp}`);
    this.#break();
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      if (line !== '') this.#put(' '.repeat(Math.max(this.#indent, 0)) + line);
      if (index < lines.length - 1) this.#break();
    }
    this.#atStart = text.endsWith('\n');
    this.#afterSpace = true;
  }

  #put(text: string): void {
    this.#out += text;
    this.#column += text.length;
  }

  #break(): void {
    this.#out += '\n';
    this.#column = 0;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasMembers(object: Record<string, unknown>): boolean {
  for (const _ in object) return true;
  return false;
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  if (isObject(value)) return '{}';
  if (value === null || value === undefined) return 'null';
  return typeof value === 'number' && !Number.isSafeInteger(value) ? formatFloat(value) : String(value);
}

/** Go's shortest form: an exponent of two digits beyond six places before the point or four zeros after it. */
function formatFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21 && Number.isInteger(value)) return String(BigInt(value));
  if (power >= -4 && power < 6) return value.toFixed(Math.max(0, mantissa.replace(/[-.]/g, '').length - 1 - power));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function isSimpleKey(key: string): boolean {
  return Buffer.byteLength(key) <= longestSimpleKey && !hasBreak.test(key);
}

const hasBreak = /[\n\r\x85\u2028\u2029]/;
const special = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

function styleOf(text: string, place: Place): ScalarStyle {
  const multiline = hasBreak.test(text);
  const unsafe = special.test(text) || text.includes(' \n');
  if (text.includes('\n') && !place.isKey) return unsafe || text.endsWith(' ') ? 'double' : 'literal';
  if (multiline && place.isKey) return 'double';
  if (meansSomethingElse(text)) return 'double';
  if (!plainAllowed(text, multiline) || unsafe) return unsafe ? 'double' : 'single';
  return 'plain';
}

function meansSomethingElse(text: string): boolean {
  return resolvePlain(text).kind !== 'str' || /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
}

function plainAllowed(text: string, multiline: boolean): boolean {
  if (multiline || text.startsWith(' ') || text.endsWith(' ')) return false;
  if (/^(?:---|\.\.\.)/.test(text) || /^[#,[\]{}&*!|>'"%@`]/.test(text)) return false;
  return !/^[-?](?:[ \t]|$)/.test(text) && !/:(?:[ \t]|$)/.test(text) && !/[ \t]#/.test(text);
}

const named: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escapeCharacter(character: string): string {
  const name = named[character];
  if (name !== undefined) return name;
  if (!special.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(width as number, '0')}`;
}
