// YAML text as tokens. Accepts and refuses what Go's YAML reader does (YAML 1.1), in its words and with its line numbers.
import { foldBreaks, scanBlockScalar } from '#schema/yaml/yaml-block-scalar.ts';
import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isWordCharacter, YamlSource } from '#schema/yaml/yaml-source.ts';

export type TokenType =
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence'
  | 'block-mapping'
  | 'block-end'
  | 'flow-sequence'
  | 'flow-sequence-end'
  | 'flow-mapping'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly type: TokenType;
  /** Counted from 0. */
  readonly line: number;
  /** Text of scalars, names of anchors, handles of tags. */
  readonly text: string;
  /** What follows the handle of a tag. */
  readonly suffix?: string;
  readonly plain?: boolean;
}

/** A place where a mapping key may have begun: it did if a `:` follows on the same line. */
interface SimpleKey {
  possible: boolean;
  readonly required: boolean;
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

const noKey: SimpleKey = { possible: false, required: false, token: 0, at: 0, line: 0, column: 0 };
const longestKey = 1024;
const deepest = 10_000;

export class YamlScanner {
  readonly #source: YamlSource;
  #queue: Token[] = [];
  #head = 0;
  #taken = 0;
  #ended = false;
  #indent = -1;
  readonly #indents: number[] = [];
  #flowLevel = 0;
  #keyAllowed = true;
  readonly #keys: SimpleKey[] = [noKey];
  readonly #keyOfToken = new Map<number, SimpleKey>();

  constructor(text: string) {
    this.#source = new YamlSource(text);
  }

  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    return this.#queue[this.#head] as Token;
  }

  take(): Token {
    const token = this.peek();
    this.#head++;
    this.#taken++;
    if (this.#head === this.#queue.length) {
      this.#queue = [];
      this.#head = 0;
    }
    return token;
  }

  /** The first token is final only when it cannot turn out to be a key. */
  #needsMore(): boolean {
    if (this.#head === this.#queue.length) return !this.#ended;
    const key = this.#keyOfToken.get(this.#taken);
    return key !== undefined && this.#isStillKey(key) && !this.#ended;
  }

  #fetch(): void {
    this.#skipToToken();
    this.#unroll(this.#source.column);
    const code = this.#source.code();
    if (code === 0) return this.#streamEnd();
    if (this.#source.column === 0 && this.#fetchAtLineStart(code)) return;
    const character = String.fromCharCode(code);
    if (this.#fetchIndicator(character)) return;
    if (this.#fetchNode(character)) return;
    if (this.#startsPlain(character)) return this.#plain();
    this.#source.refuse('found character that cannot start any token');
  }

  #fetchAtLineStart(code: number): boolean {
    if (code === 0x25) this.#directive();
    else if (this.#source.isDocumentMark('---')) this.#documentMark('document-start');
    else if (this.#source.isDocumentMark('...')) this.#documentMark('document-end');
    else return false;
    return true;
  }

  #fetchIndicator(character: string): boolean {
    const blankFollows = isBlankOrEnd(this.#source.code(1));
    if (character === '[') this.#flowStart('flow-sequence');
    else if (character === '{') this.#flowStart('flow-mapping');
    else if (character === ']') this.#flowEnd('flow-sequence-end');
    else if (character === '}') this.#flowEnd('flow-mapping-end');
    else if (character === ',') this.#flowEntry();
    else if (character === '-' && blankFollows) this.#blockEntry();
    else if (character === '?' && (this.#flowLevel > 0 || blankFollows)) this.#explicitKey();
    else if (character === ':' && (this.#flowLevel > 0 || blankFollows)) this.#value();
    else return false;
    return true;
  }

  #fetchNode(character: string): boolean {
    if (character === '*') this.#anchor('alias');
    else if (character === '&') this.#anchor('anchor');
    else if (character === '!') this.#tag();
    else if ((character === '|' || character === '>') && this.#flowLevel === 0) this.#block(character === '|');
    else if (character === "'" || character === '"') this.#quoted(character);
    else return false;
    return true;
  }

  #startsPlain(character: string): boolean {
    const next = this.#source.code(1);
    if (character === '-') return !isBlank(next);
    if (character === '?' || character === ':') return this.#flowLevel === 0 && !isBlankOrEnd(next);
    return !isBlankOrEnd(this.#source.code()) && !',[]{}#&*!|>\'"%@`'.includes(character);
  }

  /** Spaces, comments and line breaks. Tabs count as space only where no key may begin. */
  #skipToToken(): void {
    const source = this.#source;
    for (;;) {
      if (source.column === 0 && source.code() === 0xfeff) source.advance();
      while (source.code() === 0x20 || ((this.#flowLevel > 0 || !this.#keyAllowed) && source.code() === 0x09)) source.advance();
      if (source.code() === 0x23) while (!isBreakOrEnd(source.code())) source.advance();
      if (!isBreak(source.code())) return;
      source.readBreak();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  #streamEnd(): void {
    this.#source.endLine();
    this.#reset();
    this.#add({ type: 'stream-end', line: this.#source.line, text: '' });
    this.#ended = true;
  }

  #documentMark(type: TokenType): void {
    this.#reset();
    this.#indicator(type, 3);
  }

  #reset(): void {
    this.#unroll(-1);
    this.#dropKey();
    this.#keyAllowed = false;
  }

  #flowStart(type: TokenType): void {
    this.#saveKey();
    this.#keys.push({ ...noKey, token: this.#nextToken });
    if (++this.#flowLevel > deepest) this.#source.refuse(`exceeded max depth of ${deepest}`);
    this.#keyAllowed = true;
    this.#indicator(type, 1);
  }

  #flowEnd(type: TokenType): void {
    this.#dropKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keyOfToken.delete((this.#keys.pop() as SimpleKey).token);
    }
    this.#keyAllowed = false;
    this.#indicator(type, 1);
  }

  #flowEntry(): void {
    this.#dropKey();
    this.#keyAllowed = true;
    this.#indicator('flow-entry', 1);
  }

  #blockEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) this.#source.refuse('block sequence entries are not allowed in this context');
      this.#roll(this.#source.column, 'block-sequence');
    }
    this.#dropKey();
    this.#keyAllowed = true;
    this.#indicator('block-entry', 1);
  }

  #explicitKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) this.#source.refuse('mapping keys are not allowed in this context');
      this.#roll(this.#source.column, 'block-mapping');
    }
    this.#dropKey();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#indicator('key', 1);
  }

  #value(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (this.#isStillKey(key)) {
      this.#insert(key.token, { type: 'key', line: key.line, text: '' });
      this.#roll(key.column, 'block-mapping', key);
      this.#forget(key);
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#keyAllowed) this.#source.refuse('mapping values are not allowed in this context');
        this.#roll(this.#source.column, 'block-mapping');
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#indicator('value', 1);
  }

  #indicator(type: TokenType, length: number): void {
    const { line } = this.#source;
    this.#source.advance(length);
    this.#add({ type, line, text: '' });
  }

  #anchor(type: 'alias' | 'anchor'): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#source;
    this.#source.advance();
    const text = this.#source.readWhile(isWordCharacter);
    const next = this.#source.code();
    if (text === '' || !(isBlankOrEnd(next) || '?:,]}%@`'.includes(String.fromCharCode(next)))) {
      this.#source.refuse('did not find expected alphabetic or numeric character');
    }
    this.#add({ type, line, text });
  }

  #tag(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#source;
    const { handle, suffix } = this.#source.code(1) === 0x3c ? this.#verbatimTag() : this.#shortTag();
    if (!isBlankOrEnd(this.#source.code())) this.#source.refuse('did not find expected whitespace or line break');
    this.#add({ type: 'tag', line, text: handle, suffix });
  }

  #verbatimTag(): { handle: string; suffix: string } {
    this.#source.advance(2);
    const suffix = this.#source.readTagUri('');
    if (this.#source.code() !== 0x3e) this.#source.refuse("did not find the expected '>'");
    this.#source.advance();
    return { handle: '', suffix };
  }

  #shortTag(): { handle: string; suffix: string } {
    const handle = this.#source.readTagHandle(false);
    if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: this.#source.readTagUri('') };
    const suffix = this.#source.readTagUri(handle);
    return suffix === '' ? { handle: '', suffix: handle } : { handle: '!', suffix };
  }

  #directive(): void {
    this.#reset();
    const { line } = this.#source;
    this.#source.advance();
    const name = this.#source.readWhile(isWordCharacter);
    if (name === '') this.#source.refuse('could not find expected directive name');
    if (!isBlankOrEnd(this.#source.code())) this.#source.refuse('found unexpected non-alphabetical character');
    if (name === 'YAML') this.#add({ type: 'version-directive', line, text: this.#source.readVersion() });
    else if (name === 'TAG') this.#add({ type: 'tag-directive', line, ...this.#source.readTagDirective() });
    else this.#source.refuse('found unknown directive name');
    this.#source.skipRestOfLine();
  }

  #block(literal: boolean): void {
    this.#dropKey();
    this.#keyAllowed = true;
    const { line } = this.#source;
    this.#add({ type: 'scalar', line, text: scanBlockScalar(this.#source, literal, this.#indent), plain: false });
  }

  #quoted(quote: string): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#source;
    this.#add({ type: 'scalar', line, text: this.#source.readQuoted(quote), plain: false });
  }

  #plain(): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#source;
    this.#add({ type: 'scalar', line, text: this.#plainText(), plain: true });
  }

  #plainText(): string {
    const source = this.#source;
    const indent = this.#indent + 1;
    // Words of one line are one piece, with the blanks between them.
    let text = '';
    let breaks = '';
    let start = source.at;
    let end = start;
    let afterBreak = false;
    while (!source.isAnyDocumentMark() && source.code() !== 0x23) {
      const word = source.at;
      source.skipPlainWord(this.#flowLevel > 0);
      if (source.at > word) {
        if (afterBreak) {
          text += source.slice(start, end) + breaks;
          start = word;
        }
        end = source.at;
        afterBreak = false;
      }
      if (!isBlank(source.code()) && !isBreak(source.code())) break;
      source.readBlanks();
      if (!isBreak(source.code())) continue;
      breaks = foldBreaks(source.readBreaks(indent));
      afterBreak = true;
      if (this.#flowLevel === 0 && source.column < indent) break;
    }
    if (afterBreak) this.#keyAllowed = true;
    return text + source.slice(start, end);
  }

  get #nextToken(): number {
    return this.#taken + this.#queue.length - this.#head;
  }

  #add(token: Token): void {
    this.#queue.push(token);
  }

  #insert(number: number, token: Token): void {
    this.#queue.splice(this.#head + number - this.#taken, 0, token);
  }

  #saveKey(): void {
    const required = this.#flowLevel === 0 && this.#indent === this.#source.column;
    if (!this.#keyAllowed) return;
    this.#dropKey();
    const { at, line, column } = this.#source;
    const key: SimpleKey = { possible: true, required, token: this.#nextToken, at, line, column };
    this.#keys[this.#keys.length - 1] = key;
    this.#keyOfToken.set(key.token, key);
  }

  #dropKey(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (!key.possible) return;
    if (key.required) this.#source.refuse("could not find expected ':'");
    this.#forget(key);
  }

  #forget(key: SimpleKey): void {
    key.possible = false;
    this.#keyOfToken.delete(key.token);
  }

  #isStillKey(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.line >= this.#source.line && key.at + longestKey >= this.#source.at) return true;
    if (key.required) this.#source.refuse("could not find expected ':'");
    key.possible = false;
    return false;
  }

  /** A deeper column opens a block collection, before the given key if there is one. */
  #roll(column: number, type: 'block-sequence' | 'block-mapping', before?: SimpleKey): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > deepest) this.#source.refuse(`exceeded max depth of ${deepest}`);
    if (before === undefined) this.#add({ type, line: this.#source.line, text: '' });
    else this.#insert(before.token, { type, line: before.line, text: '' });
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#add({ type: 'block-end', line: this.#source.line, text: '' });
      this.#indent = this.#indents.pop() as number;
    }
  }
}
