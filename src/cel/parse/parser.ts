/**
 * Tokens to the syntax tree, by recursive descent over CEL.g4, with macros expanded on the way. It stops at the first syntax error: what to say about it
 * is the business of syntax-error.ts. Errors in literals, names and macros are gathered, as cel-go's visitor does after parsing.
 */
import type { Expr, MapEntry, StructField } from '../ast.ts';
import type { Macro } from '../library.ts';
import { CelError, type CelValue, Uint } from '../value.ts';
import { balancedLogic } from './balanced-logic.ts';
import type { Token, TokenKind } from './lexer.ts';
import { expandMacro, macroFor } from './macro-expansion.ts';
import { NodeFactory } from './node-factory.ts';
import { noOffset, type ParseError } from './source.ts';
import { unescapeBytes, unescapeString } from './unescape.ts';

/** cel-go's default of cel.ParserRecursionLimit. */
const maxDepth = 250;

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(' '),
);

const relations: Readonly<Partial<Record<TokenKind, string>>> = {
  '==': '_==_',
  '!=': '_!=_',
  in: '@in',
  '<': '_<_',
  '<=': '_<=_',
  '>=': '_>=_',
  '>': '_>_',
};
const products: Readonly<Partial<Record<TokenKind, string>>> = { '*': '_*_', '/': '_/_', '%': '_%_' };
const sums: Readonly<Partial<Record<TokenKind, string>>> = { '+': '_+_', '-': '_-_' };

export interface ParserOptions {
  readonly macros: ReadonlyMap<string, Macro>;
  /** Backtick-quoted field names; Kubernetes does not enable them. */
  readonly escapedIdentifiers: boolean;
}

/** The tokens do not follow the grammar. */
export class SyntaxFailure {
  /** What else is wrong with an expression that is whole, but followed by something. */
  readonly errors: readonly ParseError[];
  constructor(errors: readonly ParseError[] = []) {
    this.errors = errors;
  }
}

/** The expression is nested too deeply. */
export class DepthFailure {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export interface Parsed {
  readonly root: Expr;
  readonly positions: ReadonlyMap<number, number>;
  readonly errors: readonly ParseError[];
}

/** Throws SyntaxFailure or DepthFailure. */
export function parseTokens(tokens: readonly Token[], options: ParserOptions): Parsed {
  const parser = new Parser(tokens, options);
  const root = parser.start();
  return { root, positions: parser.nodes.positions, errors: parser.errors };
}

/** Rules whose nesting ANTLR's listener counts towards the recursion limit; the others never nest deeper than these. */
type CountedRule = 'expr' | 'relation' | 'calc';

class Parser {
  readonly nodes = new NodeFactory();
  readonly errors: ParseError[] = [];
  readonly #tokens: readonly Token[];
  readonly #options: ParserOptions;
  #at = 0;
  #current: Token;
  readonly #depth: Record<CountedRule, number> = { expr: 0, relation: 0, calc: 0 };
  /** Height of the subtree just parsed, in nodes that cel-go's visitor counts. */
  #height = 0;

  constructor(tokens: readonly Token[], options: ParserOptions) {
    this.#tokens = tokens;
    this.#options = options;
    this.#current = this.#token(0);
  }

  start(): Expr {
    const root = this.#expr();
    if (this.#current.kind !== 'end') throw new SyntaxFailure(this.errors);
    if (this.#height > maxDepth) throw new DepthFailure('max recursion depth exceeded');
    return root;
  }

  #expr(): Expr {
    this.#enter('expr');
    const condition = this.#logic('||', '_||_');
    let expr = condition;
    const question = this.#accept('?');
    if (question !== undefined) {
      const height = this.#height;
      const id = this.nodes.id(question.start);
      const yes = this.#logic('||', '_||_');
      const yesHeight = this.#height;
      this.#expect(':');
      const no = this.#expr();
      this.#height = Math.max(height, yesHeight, this.#height) + 1;
      expr = this.nodes.call(id, '_?_:_', [condition, yes, no]);
    }
    this.#leave('expr');
    return expr;
  }

  /** `a || b || c` and, below it, `a && b && c`: terms in a balanced tree. */
  #logic(operator: '||' | '&&', name: string): Expr {
    const operand = (): Expr => (operator === '||' ? this.#logic('&&', '_&&_') : this.#relation());
    const terms = [operand()];
    const ids: number[] = [];
    let height = this.#height;
    for (let token = this.#accept(operator); token !== undefined; token = this.#accept(operator)) {
      terms.push(operand());
      ids.push(this.nodes.id(token.start));
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return balancedLogic(this.nodes, name, terms, ids);
  }

  #relation(): Expr {
    this.#enter('relation');
    let left = this.#calc(1);
    for (let name = relations[this.#current.kind]; name !== undefined; name = relations[this.#current.kind]) {
      const id = this.nodes.id(this.#next().start);
      const height = this.#height;
      this.#enter('relation');
      const right = this.#calc(1);
      this.#leave('relation');
      this.#height = Math.max(height, this.#height) + 1;
      left = this.nodes.call(id, name, [left, right]);
    }
    this.#leave('relation');
    return left;
  }

  #calc(minPrecedence: number): Expr {
    this.#enter('calc');
    let left = this.#unary();
    for (;;) {
      const product = products[this.#current.kind];
      const name = product ?? (minPrecedence <= 1 ? sums[this.#current.kind] : undefined);
      if (name === undefined || (product !== undefined && minPrecedence > 2)) break;
      const id = this.nodes.id(this.#next().start);
      const height = this.#height;
      const right = this.#calc(product === undefined ? 2 : 3);
      this.#height = Math.max(height, this.#height) + 1;
      left = this.nodes.call(id, name, [left, right]);
    }
    this.#leave('calc');
    return left;
  }

  /** Several `!` or several `-` in a row count by their parity; a `-` before one number belongs to the number. */
  #unary(): Expr {
    const kind = this.#current.kind;
    if (kind !== '!' && (kind !== '-' || this.#isSignedNumber())) return this.#member();
    const first = this.#next();
    let count = 1;
    while (this.#accept(kind) !== undefined) count++;
    if (count % 2 === 0) return this.#member();
    const id = this.nodes.id(first.start);
    return this.nodes.call(id, kind === '!' ? '!_' : '-_', [this.#member()]);
  }

  #isSignedNumber(): boolean {
    const next = this.#token(this.#at + 1).kind;
    return this.#current.kind === '-' && (next === 'int' || next === 'float');
  }

  #member(): Expr {
    let expr = this.#primary();
    for (;;) {
      const kind = this.#current.kind;
      if (kind !== '.' && kind !== '[') break;
      const operator = this.#next();
      expr = kind === '.' ? this.#selection(expr, operator) : this.#index(expr, operator);
    }
    return expr;
  }

  #selection(operand: Expr, dot: Token): Expr {
    const height = this.#height;
    const optional = this.#accept('?') !== undefined;
    const name = this.#accept('identifier') ?? this.#accept('escaped identifier') ?? this.#fail();
    const open = optional || name.kind !== 'identifier' ? undefined : this.#accept('(');
    if (open !== undefined) return this.#memberCall(operand, name.text, open, height);
    this.#height = height + 1;
    const field = this.#fieldName(name);
    if (!optional) return { kind: 'select', id: this.nodes.id(dot.start), operand, field, testOnly: false };
    return this.nodes.call(this.nodes.id(dot.start), '_?._', [operand, this.nodes.constant(name.start, field)]);
  }

  #memberCall(target: Expr, name: string, open: Token, height: number): Expr {
    const id = this.nodes.id(open.start);
    const args = this.#arguments();
    this.#height = Math.max(height, this.#height) + 1;
    return this.#callOrMacro(id, name, args, target);
  }

  #index(operand: Expr, bracket: Token): Expr {
    const height = this.#height;
    const name = this.#accept('?') === undefined ? '_[_]' : '_[?_]';
    const id = this.nodes.id(bracket.start);
    const index = this.#expr();
    this.#expect(']');
    this.#height = Math.max(height, this.#height) + 1;
    return this.nodes.call(id, name, [operand, index]);
  }

  #primary(): Expr {
    const token = this.#current;
    this.#height = 0;
    switch (token.kind) {
      case '.':
      case 'identifier':
        return this.#name();
      case '(': {
        this.#next();
        const expr = this.#expr();
        this.#expect(')');
        return expr;
      }
      case '[':
        return this.#list(this.#next());
      case '{':
        return this.#map(this.#next());
      default:
        return this.#literal();
    }
  }

  /** An identifier, a call, or an object when a `{` follows the qualified name. */
  #name(): Expr {
    const dot = this.#accept('.');
    const start = dot ?? this.#current;
    const end = this.#objectNameEnd();
    if (end !== undefined) return this.#object(dot === undefined ? '' : '.', end);
    const token = this.#expect('identifier');
    const name = dot === undefined ? token.text : `.${token.text}`;
    const open = this.#accept('(');
    if (open === undefined) return reserved.has(token.text) ? this.#reserved(start, token) : { kind: 'ident', id: this.nodes.id(token.start), name };
    const id = this.nodes.id(open.start);
    const args = this.#arguments();
    return reserved.has(token.text) ? this.#reserved(start, token) : this.#callOrMacro(id, name, args);
  }

  #reserved(start: Token, name: Token): Expr {
    return this.#report(start.start, `reserved identifier: ${name.text}`);
  }

  /** The position of the `{` after `a.b.C`, or undefined when the name is not that of an object. */
  #objectNameEnd(): number | undefined {
    let at = this.#at;
    if (this.#token(at).kind !== 'identifier') return undefined;
    while (this.#token(at + 1).kind === '.' && this.#token(at + 2).kind === 'identifier') at += 2;
    return this.#token(at + 1).kind === '{' ? at + 1 : undefined;
  }

  #object(prefix: string, braceAt: number): Expr {
    let typeName = prefix;
    while (this.#at < braceAt) typeName += this.#next().text;
    const id = this.nodes.id(this.#expect('{').start);
    const fields: StructField[] = [];
    let height = 0;
    this.#entries('}', () => {
      const optional = this.#accept('?') !== undefined;
      const name = this.#accept('identifier') ?? this.#accept('escaped identifier') ?? this.#fail();
      const fieldId = this.nodes.id(this.#expect(':').start);
      fields.push({ id: fieldId, field: this.#fieldName(name), value: this.#expr(), optional });
      height = Math.max(height, this.#height);
    });
    this.#height = height;
    return { kind: 'struct', id, typeName, fields };
  }

  #list(bracket: Token): Expr {
    const id = this.nodes.id(bracket.start);
    const elements: Expr[] = [];
    const optionalIndices: number[] = [];
    let height = 0;
    this.#entries(']', () => {
      if (this.#accept('?') !== undefined) optionalIndices.push(elements.length);
      elements.push(this.#expr());
      height = Math.max(height, this.#height);
    });
    this.#height = height;
    return { kind: 'list', id, elements, optionalIndices };
  }

  #map(brace: Token): Expr {
    const id = this.nodes.id(brace.start);
    const entries: MapEntry[] = [];
    let height = 0;
    this.#entries('}', () => {
      const optional = this.#accept('?') !== undefined;
      const key = this.#expr();
      height = Math.max(height, this.#height);
      const entryId = this.nodes.id(this.#expect(':').start);
      entries.push({ id: entryId, key, value: this.#expr(), optional });
      height = Math.max(height, this.#height);
    });
    this.#height = height;
    return { kind: 'map', id, entries };
  }

  /** Entries separated by commas up to a closing token; one comma may stand before it. */
  #entries(close: TokenKind, entry: () => void): void {
    if (this.#accept(',') !== undefined) {
      this.#expect(close);
      return;
    }
    while (this.#accept(close) === undefined) {
      entry();
      if (this.#accept(',') === undefined) {
        this.#expect(close);
        return;
      }
    }
  }

  #arguments(): Expr[] {
    const args: Expr[] = [];
    let height = 0;
    if (this.#accept(')') === undefined) {
      do {
        args.push(this.#expr());
        height = Math.max(height, this.#height);
      } while (this.#accept(',') !== undefined);
      this.#expect(')');
    }
    this.#height = height;
    return args;
  }

  #literal(): Expr {
    const sign = this.#isSignedNumber() ? this.#next() : undefined;
    const token = this.#next();
    const start = (sign ?? token).start;
    const text = sign === undefined ? token.text : `-${token.text}`;
    switch (token.kind) {
      case 'int':
        return this.#integer(start, text, 'int');
      case 'uint':
        return this.#integer(start, text.slice(0, -1), 'uint');
      case 'float':
        return this.#constantOr(start, Number.isFinite(Number(text)) ? Number(text) : undefined, 'invalid double literal');
      case 'string':
        return this.#quoted(start, () => unescapeString(text));
      case 'bytes':
        return this.#quoted(start, () => unescapeBytes(text.slice(1)));
      case 'true':
      case 'false':
        return this.nodes.constant(start, token.kind === 'true');
      case 'null':
        return this.nodes.constant(start, null);
      default:
        return this.#fail();
    }
  }

  #integer(start: number, text: string, type: 'int' | 'uint'): Expr {
    const magnitude = BigInt(text.startsWith('-') ? text.slice(1) : text);
    const value = text.startsWith('-') ? -magnitude : magnitude;
    const fits = type === 'int' ? BigInt.asIntN(64, value) === value : BigInt.asUintN(64, value) === value;
    return this.#constantOr(start, fits ? (type === 'int' ? value : new Uint(value)) : undefined, `invalid ${type} literal`);
  }

  #constantOr(start: number, value: CelValue | undefined, message: string): Expr {
    return value === undefined ? this.#report(start, message) : this.nodes.constant(start, value);
  }

  #quoted(start: number, value: () => CelValue): Expr {
    try {
      return this.nodes.constant(start, value());
    } catch (error) {
      if (error instanceof CelError) return this.#report(start, error.message);
      throw error;
    }
  }

  #fieldName(name: Token): string {
    if (name.kind === 'identifier') return name.text;
    if (!this.#options.escapedIdentifiers) this.#report(name.start, "unsupported syntax: '`'");
    return name.text.slice(1, -1);
  }

  #callOrMacro(id: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    const macro = macroFor(this.#options.macros, name, args.length, target !== undefined);
    if (macro === undefined) return this.nodes.call(id, name, args, target);
    const expansion = expandMacro(this.nodes, macro, id, target, args);
    if ('error' in expansion) return this.#report(expansion.error.offset, expansion.error.message);
    return expansion.expr ?? this.nodes.call(id, name, args, target);
  }

  /** Gathers an error and stands in for the node it concerns. */
  #report(offset: number, message: string): Expr {
    this.errors.push({ offset, message });
    return this.nodes.constant(offset === noOffset ? 0 : offset, null);
  }

  #enter(rule: CountedRule): void {
    if (++this.#depth[rule] > maxDepth) throw new DepthFailure(`expression recursion limit exceeded: ${maxDepth}`);
  }

  #leave(rule: CountedRule): void {
    this.#depth[rule]--;
  }

  #token(at: number): Token {
    const token = this.#tokens[Math.min(at, this.#tokens.length - 1)];
    if (token === undefined) throw new SyntaxFailure();
    return token;
  }

  #next(): Token {
    const token = this.#current;
    this.#current = this.#token(++this.#at);
    return token;
  }

  #accept(kind: TokenKind): Token | undefined {
    return this.#current.kind === kind ? this.#next() : undefined;
  }

  #expect(kind: TokenKind): Token {
    return this.#accept(kind) ?? this.#fail();
  }

  #fail(): never {
    throw new SyntaxFailure();
  }
}
