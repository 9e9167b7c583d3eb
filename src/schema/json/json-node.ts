// JSON read exactly: every key in order (duplicates too), numbers as their text, and Go's words for what is malformed.
// Slow; the common way is JSON.parse (parse-json.ts), this one runs when that could lose something.
import { loneByte } from '#base/byte-text.ts';
import { setMember } from '#schema/clone.ts';

export type JsonNode = ObjectNode | ArrayNode | StringNode | NumberNode | BooleanNode | NullNode;

export interface ObjectNode {
  readonly is: 'object';
  readonly keys: string[];
  readonly values: JsonNode[];
}
export interface ArrayNode {
  readonly is: 'array';
  readonly items: JsonNode[];
}
export interface StringNode {
  readonly is: 'string';
  readonly text: string;
  /** What stands between the quotes, escapes included. */
  readonly raw: string;
}
export interface NumberNode {
  readonly is: 'number';
  readonly text: string;
}
export interface BooleanNode {
  readonly is: 'boolean';
  readonly value: boolean;
}
export interface NullNode {
  readonly is: 'null';
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** As many levels as Go reads. */
export const maximumDepth = 10_000;

/** Deepest value that is kept. Walkers over values are recursive and must not run out of stack. */
export const maximumKeptDepth = 1_000;

export function parseNode(text: string): JsonNode {
  return new NodeReader(text).read();
}

/** The value as an untyped reader sees it: the last of several equal keys counts. */
export function nodeToValue(node: JsonNode): unknown {
  return toValue(node, maximumKeptDepth, refuseDepth);
}

/** The same for what we wrote ourselves: typed objects may be deeper than what senders may nest freely. */
export function writtenValue(node: JsonNode): unknown {
  return toValue(node, maximumDepth, refuseDepth);
}

/** The same for a look at the kind and the metadata of a value that is decoded otherwise: what lies deeper is null. */
export function glimpse(node: JsonNode): unknown {
  return toValue(node, glimpsedDepth, () => null);
}

const glimpsedDepth = 8;

function refuseDepth(): never {
  throw new JsonSyntaxError('exceeded max depth');
}

function toValue(node: JsonNode, levels: number, tooDeep: () => null): unknown {
  if (levels < 0) return tooDeep();
  switch (node.is) {
    case 'object': {
      const result: Record<string, unknown> = {};
      for (const [index, key] of node.keys.entries()) setMember(result, key, toValue(node.values[index] as JsonNode, levels - 1, tooDeep));
      return result;
    }
    case 'array':
      return node.items.map((item) => toValue(item, levels - 1, tooDeep));
    case 'string':
      return node.text;
    case 'number':
      return numberValue(node.text);
    case 'boolean':
      return node.value;
    case 'null':
      return null;
  }
}

/** An integer stays exact as long as it fits 64 bits; everything else is a double. */
export function numberValue(text: string): number | bigint {
  const double = Number(text);
  // More digits fit no 64 bits, and reading them as a bigint takes quadratic time.
  if (Number.isSafeInteger(double) || text.length > longestInt64 || !/^-?\d+$/.test(text)) return Object.is(double, -0) ? 0 : double;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? integer : double;
}

const longestInt64 = '-9223372036854775808'.length;

/** Nodes of a value that came from elsewhere than JSON text. */
export function nodeOf(value: unknown): JsonNode {
  switch (typeof value) {
    case 'string':
      return { is: 'string', text: value, raw: value };
    case 'number':
    case 'bigint':
      return { is: 'number', text: String(value) };
    case 'boolean':
      return { is: 'boolean', value };
    case 'object':
      return value === null ? nullNode : nodeOfObject(value);
    default:
      return nullNode;
  }
}

function nodeOfObject(value: object): JsonNode {
  if (Array.isArray(value)) return { is: 'array', items: value.map(nodeOf) };
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return { is: 'object', keys: entries.map(([key]) => key), values: entries.map(([, member]) => nodeOf(member)) };
}

const nullNode: NullNode = { is: 'null' };
const trueNode: BooleanNode = { is: 'boolean', value: true };
const falseNode: BooleanNode = { is: 'boolean', value: false };

const literals: readonly (readonly [string, JsonNode])[] = [
  ['true', trueNode],
  ['false', falseNode],
  ['null', nullNode],
];

type Expected = 'value' | 'first item' | 'first key' | 'key' | 'colon' | 'comma' | 'end';

/** A state machine with an explicit stack: nesting costs no stack frames. */
class NodeReader {
  readonly #text: string;
  #at = 0;
  #expected: Expected = 'value';
  #root: JsonNode = nullNode;
  readonly #open: (ObjectNode | ArrayNode)[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonNode {
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#text.length) break;
      this.#step(this.#text.charAt(this.#at));
    }
    if (this.#expected !== 'end') throw new JsonSyntaxError('unexpected end of JSON input');
    return this.#root;
  }

  #step(character: string): void {
    switch (this.#expected) {
      case 'first key':
        if (character === '}') return this.#close();
        return this.#key(character);
      case 'key':
        return this.#key(character);
      case 'colon':
        if (character !== ':') this.#refuse('after object key');
        this.#at++;
        this.#expected = 'value';
        return;
      case 'first item':
        if (character === ']') return this.#close();
        return this.#value(character);
      case 'value':
        return this.#value(character);
      case 'comma':
        return this.#comma(character);
      case 'end':
        this.#refuse('after top-level value');
    }
  }

  #key(character: string): void {
    if (character !== '"') this.#refuse('looking for beginning of object key string');
    (this.#open.at(-1) as ObjectNode).keys.push(this.#string().text);
    this.#expected = 'colon';
  }

  #comma(character: string): void {
    const inside = this.#open.at(-1) as ObjectNode | ArrayNode;
    if (character === ',') {
      this.#at++;
      this.#expected = inside.is === 'object' ? 'key' : 'value';
    } else if (character === (inside.is === 'object' ? '}' : ']')) {
      this.#close();
    } else {
      this.#refuse(inside.is === 'object' ? 'after object key:value pair' : 'after array element');
    }
  }

  #value(character: string): void {
    if (character === '{') return this.#begin({ is: 'object', keys: [], values: [] }, 'first key');
    if (character === '[') return this.#begin({ is: 'array', items: [] }, 'first item');
    if (character === '"') this.#add(this.#string());
    else if (character === '-' || isDigit(character)) this.#add(this.#number());
    else this.#add(this.#literal(character));
    this.#expected = this.#open.length === 0 ? 'end' : 'comma';
  }

  #begin(node: ObjectNode | ArrayNode, expected: Expected): void {
    if (this.#open.length >= maximumDepth) this.#refuse('exceeded max depth');
    this.#add(node);
    this.#open.push(node);
    this.#expected = expected;
    this.#at++;
  }

  #close(): void {
    this.#open.pop();
    this.#at++;
    this.#expected = this.#open.length === 0 ? 'end' : 'comma';
  }

  #add(node: JsonNode): void {
    const inside = this.#open.at(-1);
    if (inside === undefined) this.#root = node;
    else if (inside.is === 'array') inside.items.push(node);
    else inside.values.push(node);
  }

  #literal(character: string): JsonNode {
    const literal = literals.find(([word]) => word.startsWith(character));
    if (literal === undefined) this.#refuse('looking for beginning of value');
    const [word, node] = literal;
    for (let index = 1; index < word.length; index++) {
      this.#at++;
      if (this.#text[this.#at] !== word[index]) this.#refuse(`in literal ${word} (expecting '${word[index]}')`);
    }
    this.#at++;
    return node;
  }

  #number(): NumberNode {
    const start = this.#at;
    this.#at = endOfMatch(wholeNumber, this.#text, start);
    const text = this.#text.slice(start, this.#at);
    if (text === '' || breaksOff(text, this.#text.charAt(this.#at))) this.#refuseNumber(start);
    return { is: 'number', text };
  }

  /** Finds the character at which a number breaks off. */
  #refuseNumber(start: number): never {
    this.#at = start;
    if (this.#text[this.#at] === '-') {
      this.#at++;
      this.#needDigit('in numeric literal');
    }
    this.#digits();
    if (this.#text[this.#at] === '.') {
      this.#at++;
      this.#needDigit('after decimal point in numeric literal');
      this.#digits();
    }
    this.#at++;
    if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at++;
    this.#refuse('in exponent of numeric literal');
  }

  #needDigit(where: string): void {
    if (!isDigit(this.#text.charAt(this.#at))) this.#refuse(where);
  }

  #digits(): void {
    this.#at = endOfMatch(digits, this.#text, this.#at);
  }

  #string(): StringNode {
    const start = ++this.#at;
    let escaped = false;
    for (;;) {
      this.#at = endOfMatch(plainText, this.#text, this.#at);
      const character = this.#text.charAt(this.#at);
      if (character === '') throw new JsonSyntaxError('unexpected end of JSON input');
      if (character === '"') break;
      if (character !== '\\') this.#refuse('in string literal');
      escaped = true;
      this.#escape();
    }
    const raw = this.#text.slice(start, this.#at++);
    return { is: 'string', raw, text: escaped ? unescape(raw) : readable(raw) };
  }

  #escape(): void {
    this.#at++;
    const letter = this.#text.charAt(this.#at);
    if (letter !== 'u') {
      if (letter === '' || !'bfnrt\\/"'.includes(letter)) this.#refuse('in string escape code');
      this.#at++;
      return;
    }
    for (let count = 0; count < 4; count++) {
      this.#at++;
      if (!isHexDigit(this.#text.charCodeAt(this.#at))) this.#refuse('in \\u hexadecimal character escape');
    }
    this.#at++;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at++;
    }
  }

  /** At the end of the text the original pretends to see one more space. */
  #refuse(where: string): never {
    throw new JsonSyntaxError(`invalid character ${quoteCharacter(this.#text.charAt(this.#at) || ' ')} ${where}`);
  }
}

const wholeNumber = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const digits = /[0-9]*/y;
// oxlint-disable-next-line no-control-regex -- strings must not contain them
const plainText = /[^"\\\u0000-\u001f]*/y;

/** A point or an exponent was begun and has no digits. */
function breaksOff(number: string, next: string): boolean {
  if (next === '.') return !/[.eE]/.test(number);
  return (next === 'e' || next === 'E') && !/[eE]/.test(number);
}

function endOfMatch(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : at;
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '\\': '\\', '/': '/', '"': '"' };

/** Lone halves of surrogate pairs become U+FFFD, and so do bytes that are no UTF-8. */
function unescape(raw: string): string {
  // Unit by unit: a text may consist of half a million escapes.
  const units = Buffer.allocUnsafe(raw.length * 2);
  let length = 0;
  for (let at = 0; at < raw.length; at++) {
    let unit = raw.charCodeAt(at);
    if (unit === backslash) {
      const letter = raw.charAt(++at);
      if (letter === 'u') {
        unit = Number.parseInt(raw.slice(at + 1, at + 5), 16);
        at += 4;
      } else unit = (escapes[letter] ?? letter).charCodeAt(0);
    }
    length = units.writeUInt16LE(unit, length);
  }
  return readable(units.toString('utf16le', 0, length));
}

const backslash = 0x5c;

function readable(text: string): string {
  return text.toWellFormed();
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9' && character !== '';
}

/** The scanner of the original sees bytes: a character beyond ASCII is named by its first byte. */
function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  const byte = loneByte(character.charCodeAt(0)) ?? Buffer.from(character)[0] ?? 0;
  return quoteRune(byte);
}

const runeEscapes: Readonly<Record<number, string>> = { 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r', 92: '\\\\' };

function quoteRune(rune: number): string {
  const named = runeEscapes[rune];
  if (named !== undefined) return `'${named}'`;
  if (rune < 0x20 || rune === 0x7f) return `'\\x${rune.toString(16).padStart(2, '0')}'`;
  if (rune >= 0x80 && (rune < 0xa1 || rune === 0xad)) return `'\\u${rune.toString(16).padStart(4, '0')}'`;
  return `'${String.fromCharCode(rune)}'`;
}
