// JSON text to plain values, with the refusals in Go's words and the paths of repeated members.
// Patches need both, and `JSON.parse` says neither.
import { setMember } from '#patch/members.ts';

export interface JsonText {
  readonly value: unknown;
  /** Paths of members that occur twice in one object, as strict decoding reports them: `data.x`, `[0].op`. */
  readonly duplicates: readonly string[];
}

/** The text is no JSON; the message is the one of Go's scanner. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

export function parseJsonText(bytes: Buffer): JsonText {
  const parser = new Parser(bytes.toString('utf8'));
  const value = parser.document();
  return { value, duplicates: parser.duplicates };
}

/** `object`, `array`, `string`, `number`, `bool`, `null`: how Go names a value it cannot take. */
export function jsonTypeName(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'number';
}

const deepest = 10_000;
const numberShape = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const longInteger = /^-?[0-9]{16,}$/;

class Parser {
  readonly duplicates: string[] = [];
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value('');
    this.#space();
    if (this.#at < this.#text.length) this.#refuse('after top-level value');
    return value;
  }

  #value(path: string): unknown {
    this.#space();
    const first = this.#text[this.#at];
    if (first === '{') return this.#nested(() => this.#object(path));
    if (first === '[') return this.#nested(() => this.#array(path));
    if (first === '"') return this.#string();
    if (first === 't') return this.#literal('true', true);
    if (first === 'f') return this.#literal('false', false);
    if (first === 'n') return this.#literal('null', null);
    if (first === '-' || (first !== undefined && first >= '0' && first <= '9')) return this.#number();
    return this.#refuse('looking for beginning of value');
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw new JsonSyntaxError('exceeded max depth');
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(path: string): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    if (this.#opened('}')) return result;
    for (;;) {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#refuse('looking for beginning of object key string');
      const key = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ':') this.#refuse('after object key');
      this.#at += 1;
      const place = path === '' ? key : `${path}.${key}`;
      if (Object.hasOwn(result, key)) this.duplicates.push(place);
      setMember(result, key, this.#value(place));
      if (this.#closed('}', 'after object key:value pair')) return result;
    }
  }

  #array(path: string): unknown[] {
    const result: unknown[] = [];
    if (this.#opened(']')) return result;
    for (;;) {
      result.push(this.#value(`${path}[${result.length}]`));
      if (this.#closed(']', 'after array element')) return result;
    }
  }

  /** Steps over the opening bracket; true when the closing one follows at once. */
  #opened(end: string): boolean {
    this.#at += 1;
    this.#space();
    if (this.#text[this.#at] !== end) return false;
    this.#at += 1;
    return true;
  }

  #closed(end: string, where: string): boolean {
    this.#space();
    const next = this.#text[this.#at];
    if (next !== ',' && next !== end) this.#refuse(where);
    this.#at += 1;
    return next === end;
  }

  #string(): string {
    const start = this.#at;
    let at = start + 1;
    let plain = true;
    for (; ; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code === 0x22) break;
      if (code === 0x5c) {
        plain = false;
        at = this.#escape(at);
      } else if (Number.isNaN(code) || code < 0x20) this.#refuseAt(at, 'in string literal');
    }
    this.#at = at + 1;
    return plain ? this.#text.slice(start + 1, at) : (JSON.parse(this.#text.slice(start, at + 1)) as string);
  }

  #escape(at: number): number {
    const kind = this.#text[at + 1];
    if (kind !== undefined && '"\\/bfnrt'.includes(kind)) return at + 1;
    if (kind !== 'u') this.#refuseAt(at + 1, 'in string escape code');
    for (let digit = at + 2; digit < at + 6; digit += 1) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[digit] ?? '')) this.#refuseAt(digit, 'in \\u hexadecimal character escape');
    }
    return at + 5;
  }

  #literal(word: string, value: boolean | null): boolean | null {
    for (let index = 1; index < word.length; index += 1) {
      if (this.#text[this.#at + index] !== word[index]) this.#refuseAt(this.#at + index, `in literal ${word} (expecting '${word[index]}')`);
    }
    this.#at += word.length;
    return value;
  }

  #number(): number | bigint {
    numberShape.lastIndex = this.#at;
    const text = numberShape.exec(this.#text)?.[0];
    if (text === undefined) return this.#refuseAt(this.#at + 1, 'in numeric literal');
    this.#at += text.length;
    this.#refuseUnfinished(text);
    const value = Number(text);
    return longInteger.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
  }

  #refuseUnfinished(text: string): void {
    const next = this.#text[this.#at];
    if (next === '.' && !/[.eE]/.test(text)) this.#refuseAt(this.#at + 1, 'after decimal point in numeric literal');
    if ((next === 'e' || next === 'E') && !/[eE]/.test(text)) {
      const sign = this.#text[this.#at + 1];
      this.#refuseAt(this.#at + (sign === '+' || sign === '-' ? 2 : 1), 'in exponent of numeric literal');
    }
  }

  #space(): void {
    for (; ; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  #refuse(where: string): never {
    return this.#refuseAt(this.#at, where);
  }

  #refuseAt(at: number, where: string): never {
    const character = this.#text[at];
    if (character === undefined) throw new JsonSyntaxError('unexpected end of JSON input');
    throw new JsonSyntaxError(`invalid character ${quoted(character)} ${where}`);
  }
}

/** Go looks at bytes: of a character beyond ASCII it names the first byte. */
function quoted(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  return `'${escapedByte(Buffer.from(character)[0] ?? 0)}'`;
}

const namedEscapes: Readonly<Record<number, string>> = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r', 0x5c: '\\\\' };

function escapedByte(byte: number): string {
  const named = namedEscapes[byte];
  if (named !== undefined) return named;
  if (byte < 0x20 || byte === 0x7f) return `\\x${byte.toString(16).padStart(2, '0')}`;
  const unprintable = (byte >= 0x80 && byte < 0xa1) || byte === 0xad;
  return unprintable ? `\\u00${byte.toString(16)}` : String.fromCharCode(byte);
}
