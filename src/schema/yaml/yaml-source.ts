// The characters of a YAML text with their place, and the scanners of what stands within one token.

export class YamlError extends Error {
  override readonly name = 'YamlError';
}

/** Everything Go's reader refuses before it looks at the grammar. */
export function refuseUnreadable(text: string): void {
  if (/[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) throw new YamlError('yaml: control characters are not allowed');
}

export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isBreak(code);
}

export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || isBreakOrEnd(code);
}

/** Letters, digits, `_` and `-`: what names of anchors and directives are made of. */
export function isWordCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x2d;
}

export class YamlSource {
  readonly #text: string;
  at = 0;
  line = 0;
  column = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** 0 beyond the end; the text itself has no such character. */
  code(ahead = 0): number {
    const index = this.at + ahead;
    return index < this.#text.length ? this.#text.charCodeAt(index) : 0;
  }

  advance(count = 1): void {
    this.at += count;
    this.column += count;
  }

  /** The original counts the end of the text as a line of its own unless it follows a line break. */
  endLine(): void {
    if (this.column === 0) return;
    this.column = 0;
    this.line++;
  }

  refuse(problem: string): never {
    throw new YamlError(`yaml: ${this.line === 0 ? '' : `line ${this.line + 1}: `}${problem}`);
  }

  isDocumentMark(mark: '---' | '...'): boolean {
    return this.#text.startsWith(mark, this.at) && isBlankOrEnd(this.code(3));
  }

  isAnyDocumentMark(): boolean {
    return this.column === 0 && (this.isDocumentMark('---') || this.isDocumentMark('...'));
  }

  readWhile(accepts: (code: number) => boolean): string {
    const start = this.at;
    while (this.code() !== 0 && accepts(this.code())) this.advance();
    return this.#text.slice(start, this.at);
  }

  readBlanks(): string {
    return this.readWhile(isBlank);
  }

  readLine(): string {
    return this.readWhile((code) => !isBreak(code));
  }

  /** Line breaks are read as `\n`, except the two of Unicode that stay what they are. */
  readBreak(): string {
    const code = this.code();
    this.at += code === 0x0d && this.code(1) === 0x0a ? 2 : 1;
    this.line++;
    this.column = 0;
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  /** All breaks up to the next visible character, with the blanks around them dropped. */
  readBreaks(indent = 0): string[] {
    const breaks: string[] = [];
    for (;;) {
      if (isBreak(this.code())) breaks.push(this.readBreak());
      else if (isBlank(this.code())) {
        if (this.column < indent && this.code() === 0x09) this.refuse('found a tab character that violates indentation');
        this.advance();
      } else return breaks;
    }
  }

  /** Up to a blank, a `: `, or inside brackets up to what ends an item. */
  skipPlainWord(inFlow: boolean): void {
    for (let code = this.code(); !isBlankOrEnd(code); code = this.code()) {
      if (code === 0x3a && isBlankOrEnd(this.code(1))) break;
      if (inFlow && (code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d)) break;
      this.advance();
    }
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start, end);
  }

  readQuoted(quote: string): string {
    this.advance();
    let text = '';
    for (;;) {
      if (this.isAnyDocumentMark()) this.refuse('found unexpected document indicator');
      if (this.code() === 0) this.refuse('found unexpected end of stream');
      const { part, joined } = this.#quotedWord(quote);
      text += part;
      if (this.code() === quote.charCodeAt(0) && !joined) break;
      text += this.#quotedGap(joined);
    }
    this.advance();
    return text;
  }

  /** `joined`: an escaped line break ended the word. */
  #quotedWord(quote: string): { part: string; joined: boolean } {
    const end = quote.charCodeAt(0);
    let part = '';
    for (let code = this.code(); !isBlankOrEnd(code); code = this.code()) {
      if (code === end && quote === "'" && this.code(1) === end) {
        part += "'";
        this.advance(2);
      } else if (code === end) {
        break;
      } else if (code === 0x5c && quote === '"') {
        if (isBreak(this.code(1))) {
          this.advance();
          this.readBreak();
          return { part, joined: true };
        }
        part += this.#escape();
      } else {
        part += this.readWhile((each) => each !== end && each !== 0x5c && !isBlankOrEnd(each)) || this.#one();
      }
    }
    return { part, joined: false };
  }

  #one(): string {
    this.advance();
    return this.#text.charAt(this.at - 1);
  }

  #quotedGap(joined: boolean): string {
    const spaces = this.readBlanks();
    if (joined) return this.readBreaks().join('');
    if (!isBreak(this.code())) return spaces;
    const [first = '', ...others] = this.readBreaks();
    if (first !== '\n') return first + others.join('');
    return others.length === 0 ? ' ' : others.join('');
  }

  #escape(): string {
    const letter = this.#text.charAt(this.at + 1);
    const simple = escapes[letter];
    if (simple !== undefined) {
      this.advance(2);
      return simple;
    }
    const length = { x: 2, u: 4, U: 8 }[letter];
    if (length === undefined) this.refuse('found unknown escape character');
    this.advance(2);
    const digits = this.#text.slice(this.at, this.at + length);
    if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length) this.refuse('did not find expected hexdecimal number');
    const value = Number.parseInt(digits, 16);
    if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) this.refuse('found invalid Unicode character escape code');
    this.advance(length);
    return String.fromCodePoint(value);
  }

  readTagHandle(directive: boolean): string {
    if (this.code() !== 0x21) this.refuse("did not find expected '!'");
    this.advance();
    const name = this.readWhile(isWordCharacter);
    if (this.code() === 0x21) {
      this.advance();
      return `!${name}!`;
    }
    if (directive && name !== '') this.refuse("did not find expected '!'");
    return `!${name}`;
  }

  /** `head` is what was taken for a handle and belongs to the URI. */
  readTagUri(head: string): string {
    const escaped = this.readWhile((code) => isWordCharacter(code) || ";/?:@&=+$,.!~*'()[]%".includes(String.fromCharCode(code)));
    if (escaped === '' && head === '') this.refuse('did not find expected tag URI');
    try {
      return head.slice(1) + decodeURIComponent(escaped);
    } catch {
      this.refuse('did not find URI escaped octet');
    }
  }

  readVersion(): string {
    this.readBlanks();
    const major = this.#versionNumber();
    if (this.code() !== 0x2e) this.refuse("did not find expected digit or '.' character");
    this.advance();
    return `${major}.${this.#versionNumber()}`;
  }

  #versionNumber(): number {
    const digits = this.readWhile((code) => code >= 0x30 && code <= 0x39);
    if (digits.length > 2) this.refuse('found extremely long version number');
    if (digits === '') this.refuse('did not find expected version number');
    return Number(digits);
  }

  readTagDirective(): { text: string; suffix: string } {
    this.readBlanks();
    const text = this.readTagHandle(true);
    if (!isBlank(this.code())) this.refuse('did not find expected whitespace');
    this.readBlanks();
    const suffix = this.readTagUri('');
    if (!isBlankOrEnd(this.code())) this.refuse('did not find expected whitespace or line break');
    return { text, suffix };
  }

  /** Blanks and a comment, nothing else. */
  skipRestOfLine(): void {
    this.readBlanks();
    if (this.code() === 0x23) this.readLine();
    if (!isBreakOrEnd(this.code())) this.refuse('did not find expected comment or line break');
    if (isBreak(this.code())) this.readBreak();
  }
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
