/** Source text to tokens, by the rules of CEL.g4: the longest match wins, and what no rule matches is an error that skips as ANTLR's lexer does. */

export type TokenKind =
  | '=='
  | '!='
  | 'in'
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'true'
  | 'false'
  | 'null'
  | 'float'
  | 'int'
  | 'uint'
  | 'string'
  | 'bytes'
  | 'identifier'
  | 'escaped identifier'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** UTF-16 offsets into the source. */
  readonly start: number;
  readonly end: number;
}

/** Text that no rule matches: `text` reaches from where the token began to the character that fits nowhere. */
export interface LexicalError {
  readonly start: number;
  readonly text: string;
}

export interface Lexed {
  readonly tokens: readonly Token[];
  readonly errors: readonly LexicalError[];
}

const blank = /[\t \r\n\f]+|\/\/[^\n]*/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const float = /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y;
const integer = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]?/y;
const operator = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const escapedIdentifier = /`[A-Za-z0-9_.\-/ ]+`/y;

const escape = String.raw`\\(?:[abfnrtv"'\\?\`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
/** Longest first: a triple-quoted string is preferred to the empty string it begins with. */
const string = new RegExp(
  [
    String.raw`[rR]"""[^]*?"""|[rR]'''[^]*?'''|[rR]"[^"\n\r]*"|[rR]'[^'\n\r]*'`,
    String.raw`"""(?:${escape}|[^\\])*?"""|'''(?:${escape}|[^\\])*?'''`,
    String.raw`"(?:${escape}|[^\\"\n\r])*"|'(?:${escape}|[^\\'\n\r])*'`,
  ].join('|'),
  'y',
);

const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

export function tokenize(source: string): Lexed {
  const tokens: Token[] = [];
  const errors: LexicalError[] = [];
  let offset = 0;
  while (offset < source.length) {
    const skipped = matchAt(blank, source, offset);
    if (skipped !== undefined) {
      offset += skipped.length;
      continue;
    }
    const token = tokenAt(source, offset);
    if (token === undefined) {
      const failure = failureEnd(source, offset);
      errors.push({ start: offset, text: source.slice(offset, failure) });
      offset = failure;
      continue;
    }
    tokens.push(token);
    offset = token.end;
  }
  tokens.push({ kind: 'end', text: '<EOF>', start: source.length, end: source.length });
  return { tokens, errors };
}

function matchAt(pattern: RegExp, source: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
}

function tokenAt(source: string, offset: number): Token | undefined {
  const code = source.charCodeAt(offset);
  if (isLetter(code)) return literalOrWord(source, offset, code);
  if (isDigit(code) || (code === 0x2e && isDigit(source.charCodeAt(offset + 1)))) return numberAt(source, offset);
  if (code === 0x22 || code === 0x27) return made('string', matchAt(string, source, offset), offset);
  if (code === 0x60) return made('escaped identifier', matchAt(escapedIdentifier, source, offset), offset);
  const text = matchAt(operator, source, offset);
  return text === undefined ? undefined : { kind: text as TokenKind, text, start: offset, end: offset + text.length };
}

/** Identifiers and keywords, unless the letters are the prefix of a raw string or of bytes. */
function literalOrWord(source: string, offset: number, code: number): Token | undefined {
  const isBytes = code === 0x62 || code === 0x42;
  if (isBytes || code === 0x72 || code === 0x52) {
    const text = matchAt(string, source, isBytes ? offset + 1 : offset);
    if (text !== undefined) return made(isBytes ? 'bytes' : 'string', isBytes ? source.charAt(offset) + text : text, offset);
  }
  const word = matchAt(identifier, source, offset);
  return made(word !== undefined && keywords.has(word) ? (word as TokenKind) : 'identifier', word, offset);
}

function numberAt(source: string, offset: number): Token | undefined {
  const real = matchAt(float, source, offset);
  const whole = matchAt(integer, source, offset);
  if (real !== undefined && (whole === undefined || real.length > whole.length)) return made('float', real, offset);
  return made(whole?.endsWith('u') === true || whole?.endsWith('U') === true ? 'uint' : 'int', whole, offset);
}

function made(kind: TokenKind, text: string | undefined, start: number): Token | undefined {
  return text === undefined ? undefined : { kind, text, start, end: start + text.length };
}

/** How far ANTLR's lexer gets before no rule can go on: past the first character that fits nowhere. */
function failureEnd(source: string, offset: number): number {
  const quote = source.charAt(offset);
  let end = offset;
  if (quote === '"' || quote === "'") end = openStringEnd(source, offset, quote);
  else if (quote === '`') end = offset + (matchAt(/`[A-Za-z0-9_.\-/ ]*/y, source, offset)?.length ?? 1);
  else if (quote === '=' || quote === '&' || quote === '|') end = offset + 1;
  if (end >= source.length) return source.length;
  const codePoint = source.codePointAt(end) ?? 0;
  return end + (codePoint > 0xffff ? 2 : 1);
}

/** The offset of the character at which an unterminated string cannot go on. */
function openStringEnd(source: string, offset: number, quote: string): number {
  const body = new RegExp(String.raw`(?:${escape}|[^\\${quote}\n\r])*`, 'y');
  const end = offset + 1 + (matchAt(body, source, offset + 1)?.length ?? 0);
  if (source.charAt(end) !== '\\') return end;
  const begun = /\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?/y;
  return end + (matchAt(begun, source, end)?.length ?? 1);
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
