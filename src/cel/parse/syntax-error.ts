/**
 * What to say about a syntax error: parses again as ANTLR's generated parser does, with its strategy of error reports and recovery (DefaultErrorStrategy
 * under cel-go's limits), so that the messages and their number are the same.
 */
import { celGrammar } from './grammar.ts';
import type { Token, TokenKind } from './lexer.ts';
import { type CallStack, NoViableAlternative, type Predictor } from './prediction.ts';
import { noOffset, type ParseError } from './source.ts';
import type { Network, State, Walker } from './transition-network.ts';

const maxDepth = 250;
const maxCalls = 1000;
const maxRecoveries = 30;
const maxSkippedTokens = 256;
const maxReports = 100;

/** Token kinds in the order of their numbers, with their names in messages. */
const tokenNames: ReadonlyMap<TokenKind, string> = new Map([
  ['end', '<EOF>'],
  ...'== != in < <= >= > && || [ ] { } ( ) . , - ! ? : + * / % true false null'.split(' ').map((kind): [TokenKind, string] => [kind as TokenKind, `'${kind}'`]),
  ['float', 'NUM_FLOAT'],
  ['int', 'NUM_INT'],
  ['uint', 'NUM_UINT'],
  ['string', 'STRING'],
  ['bytes', 'BYTES'],
  ['identifier', 'IDENTIFIER'],
  ['escaped identifier', 'ESC_IDENTIFIER'],
]);

/** The syntax errors of tokens that do not follow the grammar. */
export function explainSyntax(source: string, tokens: readonly Token[]): readonly ParseError[] {
  const parser = new RecoveringParser(source, tokens);
  return parser.explain();
}

/** Ends parsing for good. */
class GiveUp {}

/** The current rule cannot go on at this token. */
class Mismatch {
  readonly message: string;
  readonly token: Token;
  constructor(message: string, token: Token) {
    this.message = message;
    this.token = token;
  }
}

class RecoveringParser implements Walker {
  readonly #errors: ParseError[] = [];
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #network: Network;
  readonly #predictor: Predictor;
  readonly #depths = new Map<string, number>();
  #at = 0;
  #state: State;
  #callers: CallStack | undefined;
  #precedence = 0;
  #rule = 'start';
  /** An error was reported and no token has matched since: no further reports. */
  #recovering = false;
  #recoveries = 0;
  #lastErrorAt = -1;
  #lastErrorStates = new Set<State>();

  constructor(source: string, tokens: readonly Token[]) {
    this.#source = source;
    this.#tokens = tokens;
    const { network, predictor } = celGrammar();
    this.#network = network;
    this.#predictor = predictor;
    predictor.begin();
    this.#state = network.startOf('start');
  }

  explain(): readonly ParseError[] {
    try {
      this.#parseRule('start');
    } catch (error) {
      if (!(error instanceof GiveUp)) throw error;
    }
    return this.#errors;
  }

  sees(tokens: ReadonlySet<TokenKind>): boolean {
    return tokens.has(this.#current().kind);
  }

  predict(decision: State): number {
    this.#state = decision;
    try {
      return this.#predictor.predict({ state: decision, tokens: this.#tokens, at: this.#at, callers: this.#callers, precedence: this.#precedence });
    } catch (error) {
      if (error instanceof NoViableAlternative) return this.#noViable(error.at);
      throw error;
    }
  }

  noAlternative(state: State): never {
    this.#state = state;
    return this.#noViable(this.#at);
  }

  match(state: State, tokens: ReadonlySet<TokenKind>): void {
    this.#state = state;
    if (tokens.has(this.#current().kind)) {
      this.#matched();
      this.#at++;
      return;
    }
    this.#countRecovery();
    if (this.#deleteToken()) {
      this.#at++;
      return;
    }
    if (this.#insertsToken()) return;
    throw this.#mismatch();
  }

  call(state: State, rule: string, precedence: number): void {
    this.#state = state;
    const after = state.edges[0]?.to ?? state;
    const outer = { callers: this.#callers, precedence: this.#precedence, rule: this.#rule };
    this.#callers = this.#predictor.push(after, outer.callers);
    this.#precedence = precedence;
    this.#rule = rule;
    this.#parseRule(rule);
    this.#callers = outer.callers;
    this.#precedence = outer.precedence;
    this.#rule = outer.rule;
  }

  sync(state: State): void {
    this.#state = state;
    if (this.#recovering) return;
    const { tokens, ends } = this.#network.nextTokens(state);
    if (ends || tokens.has(this.#current().kind)) return;
    if (state.kind === 'starLoopBack' || state.kind === 'plusLoopBack') {
      this.#reportUnwanted();
      this.#skipUntil(new Set([...this.#expected(), ...this.#recoverySet()]), Number.POSITIVE_INFINITY);
    } else if (state.kind !== 'basic' && !this.#deleteToken()) throw this.#mismatch();
  }

  #parseRule(rule: string): void {
    this.#enter();
    try {
      this.#network.bodyOf(rule).walk(this);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.#report(error.message, error.token);
      this.#recover();
    }
    this.#depths.set(rule, (this.#depths.get(rule) ?? 0) - 1);
  }

  #enter(): void {
    const depth = (this.#depths.get(this.#rule) ?? 0) + 1;
    this.#depths.set(this.#rule, depth);
    // Deep texts are given up a little before ANTLR does: the rules of the grammar nest in JavaScript's stack here.
    if (depth > maxDepth || (this.#callers?.depth ?? 0) > maxCalls) this.#giveUp(noOffset, `expression recursion limit exceeded: ${maxDepth}`);
  }

  /** Skips to a token that some caller can go on with. */
  #recover(): void {
    this.#countRecovery();
    let skippable = maxSkippedTokens;
    if (this.#lastErrorAt === this.#at && this.#lastErrorStates.has(this.#state)) {
      this.#at++;
      skippable--;
    }
    this.#lastErrorAt = this.#at;
    this.#lastErrorStates.add(this.#state);
    this.#skipUntil(this.#recoverySet(), skippable);
  }

  #skipUntil(tokens: ReadonlySet<TokenKind>, limit: number): void {
    for (let skipped = 0; this.#current().kind !== 'end' && !tokens.has(this.#current().kind); skipped++) {
      if (skipped >= limit) this.#giveUp(noOffset, `error recovery token lookahead limit exceeded: ${maxSkippedTokens}`);
      this.#at++;
    }
  }

  /** Deletes one token when the next one fits. */
  #deleteToken(): boolean {
    const next = this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)]?.kind ?? 'end';
    if (!this.#expected().has(next)) return false;
    this.#reportUnwanted();
    this.#at++;
    this.#matched();
    return true;
  }

  /** Goes on as if the expected token stood here, when the current one fits after it. */
  #insertsToken(): boolean {
    const after = this.#state.edges[0]?.to ?? this.#state;
    if (!this.#expectedAt(after).has(this.#current().kind)) return false;
    if (!this.#recovering) {
      this.#recovering = true;
      this.#notify(`missing ${named(this.#expected())} at ${this.#shown(this.#current())}`, this.#current());
    }
    return true;
  }

  #reportUnwanted(): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.#notify(`extraneous input ${this.#shown(this.#current())} expecting ${named(this.#expected())}`, this.#current());
  }

  #mismatch(): Mismatch {
    return new Mismatch(`mismatched input ${this.#shown(this.#current())} expecting ${named(this.#expected())}`, this.#current());
  }

  #noViable(at: number): never {
    const start = this.#current();
    const offending = this.#tokens[Math.min(at, this.#tokens.length - 1)] ?? start;
    const input = start.kind === 'end' ? '<EOF>' : this.#textOf(this.#at, at);
    const message = `no viable alternative at input ${quoted(input)}`;
    throw new Mismatch(message.replace(/no viable alternative at input '.(true|false|null)'/, "mismatched input '$1' expecting IDENTIFIER"), offending);
  }

  /** The text from one token to another with the blanks between them, but without what the lexer refused. */
  #textOf(from: number, to: number): string {
    let text = '';
    let end = this.#tokens[from]?.start ?? 0;
    for (const { kind, start, end: next, text: own } of this.#tokens.slice(from, to + 1)) {
      if (kind === 'end') break;
      const between = this.#source.slice(end, start);
      text += (/^(?:[\t \r\n\f]|\/\/[^\n]*)*$/.test(between) ? between : '') + own;
      end = next;
    }
    return text;
  }

  /** Tokens that may come next here, looking through the callers. */
  #expected(): ReadonlySet<TokenKind> {
    return this.#expectedAt(this.#state);
  }

  #expectedAt(state: State): ReadonlySet<TokenKind> {
    const expected = new Set<TokenKind>();
    let { tokens, ends } = this.#network.nextTokens(state);
    for (const kind of tokens) expected.add(kind);
    for (let caller = this.#callers; caller !== undefined && ends; caller = caller.outer) {
      ({ tokens, ends } = this.#network.nextTokens(caller.after));
      for (const kind of tokens) expected.add(kind);
    }
    if (ends) expected.add('end');
    return expected;
  }

  /** Tokens that any caller can go on with. */
  #recoverySet(): ReadonlySet<TokenKind> {
    const tokens = new Set<TokenKind>();
    for (let caller = this.#callers; caller !== undefined; caller = caller.outer) {
      for (const kind of this.#network.nextTokens(caller.after).tokens) tokens.add(kind);
    }
    return tokens;
  }

  #report(message: string, token: Token): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.#notify(message, token);
  }

  #matched(): void {
    this.#recovering = false;
    this.#lastErrorStates = new Set();
    this.#lastErrorAt = -1;
  }

  #countRecovery(): void {
    if (this.#recoveries === maxRecoveries) {
      this.#giveUp(this.#current().start, `Syntax error: error recovery attempt limit exceeded: ${maxRecoveries}`);
    }
    this.#recoveries++;
  }

  #notify(message: string, token: Token): void {
    if (this.#errors.length >= maxReports) this.#giveUp(token.start, `Syntax error: More than ${maxReports} syntax errors`);
    this.#errors.push({ offset: token.start, message: `Syntax error: ${message}` });
  }

  #giveUp(offset: number, message: string): never {
    this.#errors.push({ offset, message });
    throw new GiveUp();
  }

  #current(): Token {
    const token = this.#tokens[Math.min(this.#at, this.#tokens.length - 1)];
    if (token === undefined) throw new GiveUp();
    return token;
  }

  #shown(token: Token): string {
    return quoted(token.text);
  }
}

function named(tokens: ReadonlySet<TokenKind>): string {
  const names = [...tokenNames].filter(([kind]) => tokens.has(kind)).map(([, name]) => name);
  return names.length === 1 ? (names[0] ?? '') : `{${names.join(', ')}}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\t', String.raw`\t`).replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`)}'`;
}
