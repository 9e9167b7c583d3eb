/**
 * A grammar as a network of states, in the form ANTLR gives it (its ATN): what may follow where is read off it, and the words of ANTLR's error messages are
 * decided by it. Each piece of grammar also knows how ANTLR's generated parser walks it.
 */
import type { TokenKind } from './lexer.ts';

export type StateKind = 'basic' | 'block' | 'plusBlock' | 'starBlock' | 'loopEntry' | 'starLoopBack' | 'plusLoopBack' | 'stop';

export interface State {
  readonly id: number;
  readonly kind: StateKind;
  readonly rule: string;
  edges: readonly Edge[];
}

export interface Edge {
  readonly to: State;
  /** Tokens that pass; an edge without them passes at once. */
  readonly on?: ReadonlySet<TokenKind>;
  /** A rule to be parsed first; `to` is where parsing goes on afterwards. */
  readonly call?: string;
  /** Passes only within a call of at most this precedence. */
  readonly precedence?: number;
}

/** What walks the network, piece by piece. */
export interface Walker {
  /** Whether the next token is among these. */
  sees(tokens: ReadonlySet<TokenKind>): boolean;
  /** At a state: mends the input if nothing that may stand here follows. */
  sync(state: State): void;
  /** The number, from 1, of the alternative of a decision. */
  predict(decision: State): number;
  match(state: State, tokens: ReadonlySet<TokenKind>): void;
  call(state: State, rule: string, precedence: number): void;
  noAlternative(state: State): never;
}

export interface Piece {
  readonly start: State;
  walk(walker: Walker): void;
}

/** A piece of grammar, put in front of what follows it. */
export type Part = (network: Network, next: State) => Piece;

export class Network {
  readonly #rules = new Map<string, { readonly start: State; readonly stop: State; readonly body: Piece }>();
  readonly #first = new Map<string, ReadonlySet<TokenKind>>();
  readonly #callers = new Map<string, State[]>();
  #rule = '';
  #states = 0;

  constructor(rules: Readonly<Record<string, Part>>) {
    for (const [name, part] of Object.entries(rules)) {
      this.#rule = name;
      const stop = this.state('stop');
      const body = part(this, stop);
      this.#rules.set(name, { start: body.start, stop, body });
    }
  }

  state(kind: StateKind, edges: readonly Edge[] = []): State {
    return { id: this.#states++, kind, rule: this.#rule, edges };
  }

  callState(rule: string, next: State): State {
    this.#callers.set(rule, [...(this.#callers.get(rule) ?? []), next]);
    return this.state('basic', [{ to: next, call: rule }]);
  }

  startOf(rule: string): State {
    return this.#of(rule).start;
  }

  bodyOf(rule: string): Piece {
    return this.#of(rule).body;
  }

  /** Where parsing goes on after a rule, wherever it was called. */
  followsOf(rule: string): readonly State[] {
    return this.#callers.get(rule) ?? [];
  }

  /** Tokens that may come next within the rule; `ends` tells that the rule may be over. No rule of the grammar is empty. */
  nextTokens(state: State): { readonly tokens: ReadonlySet<TokenKind>; readonly ends: boolean } {
    const tokens = new Set<TokenKind>();
    const seen = new Set<State>();
    let ends = false;
    const visit = (current: State): void => {
      if (seen.has(current)) return;
      seen.add(current);
      if (current.kind === 'stop') ends = true;
      for (const edge of current.edges) {
        if (edge.on !== undefined) for (const token of edge.on) tokens.add(token);
        else if (edge.call !== undefined) for (const token of this.#firstOf(edge.call)) tokens.add(token);
        else visit(edge.to);
      }
    };
    visit(state);
    return { tokens, ends };
  }

  #firstOf(rule: string): ReadonlySet<TokenKind> {
    const known = this.#first.get(rule);
    if (known !== undefined) return known;
    const { tokens } = this.nextTokens(this.startOf(rule));
    this.#first.set(rule, tokens);
    return tokens;
  }

  #of(rule: string): { readonly start: State; readonly stop: State; readonly body: Piece } {
    const found = this.#rules.get(rule);
    if (found === undefined) throw new RangeError(`no rule ${rule}`);
    return found;
  }
}

export function token(...kinds: readonly TokenKind[]): Part {
  const on = new Set(kinds);
  return (network, next) => {
    const start = network.state('basic', [{ to: next, on }]);
    return { start, walk: (walker) => walker.match(start, on) };
  };
}

export function rule(name: string, precedence = 0): Part {
  return (network, next) => {
    const start = network.callState(name, next);
    return { start, walk: (walker) => walker.call(start, name, precedence) };
  };
}

export function sequence(...parts: readonly Part[]): Part {
  return (network, next) => {
    const pieces: Piece[] = [];
    let after = next;
    for (const part of parts.toReversed()) {
      const piece = part(network, after);
      pieces.unshift(piece);
      after = piece.start;
    }
    return {
      start: after,
      walk: (walker) => {
        for (const piece of pieces) piece.walk(walker);
      },
    };
  };
}

/** A continuation of a left-recursive rule: allowed within calls of at most this precedence. */
export function continuation(precedence: number, ...parts: readonly Part[]): Part {
  return (network, next) => {
    const body = sequence(...parts)(network, next);
    const start = network.state('basic', [{ to: body.start, precedence }]);
    return { start, walk: (walker) => body.walk(walker) };
  };
}

/** Decided by the next token. */
export function optional(part: Part): Part {
  return (network, next) => {
    const end = network.state('basic', [{ to: next }]);
    const body = part(network, end);
    const start = network.state('block', [{ to: body.start }, { to: end }]);
    return {
      start,
      walk: (walker) => {
        walker.sync(start);
        if (walker.sees(network.nextTokens(body.start).tokens)) body.walk(walker);
      },
    };
  };
}

/** Alternatives; `byNextToken` when the generated parser needs no prediction for them. */
export function choice(parts: readonly Part[], byNextToken = false): Part {
  return (network, next) => {
    const end = network.state('basic', [{ to: next }]);
    const bodies = parts.map((part) => part(network, end));
    const start = network.state(
      'block',
      bodies.map((body) => ({ to: body.start })),
    );
    const chosen = (walker: Walker): Piece | undefined =>
      byNextToken ? bodies.find((body) => walker.sees(network.nextTokens(body.start).tokens)) : bodies[walker.predict(start) - 1];
    return {
      start,
      walk: (walker) => {
        walker.sync(start);
        (chosen(walker) ?? walker.noAlternative(start)).walk(walker);
      },
    };
  };
}

/** Zero or more; `predicted` when the next token does not decide. Several parts are alternatives of one iteration. */
export function repeated(parts: readonly Part[], predicted: boolean): Part {
  return (network, next) => {
    const entry = network.state('loopEntry');
    const back = network.state('starLoopBack', [{ to: entry }]);
    const bodies = parts.map((part) => part(network, back));
    const block = network.state(
      'starBlock',
      bodies.map((body) => ({ to: body.start })),
    );
    entry.edges = [{ to: block }, { to: network.state('basic', [{ to: next }]) }];
    const continues = (walker: Walker): boolean => (predicted ? walker.predict(entry) === 1 : walker.sees(network.nextTokens(block).tokens));
    const iteration = (walker: Walker): void => {
      if (bodies.length > 1) walker.sync(block);
      bodies[bodies.length > 1 ? walker.predict(block) - 1 : 0]?.walk(walker);
    };
    return {
      start: entry,
      walk: (walker) => {
        walker.sync(entry);
        while (continues(walker)) {
          iteration(walker);
          walker.sync(back);
        }
      },
    };
  };
}

/** One or more. */
export function repeatedOnce(part: Part, predicted: boolean): Part {
  return (network, next) => {
    const back = network.state('plusLoopBack');
    const body = part(network, network.state('basic', [{ to: back }]));
    const block = network.state('plusBlock', [{ to: body.start }]);
    back.edges = [{ to: block }, { to: network.state('basic', [{ to: next }]) }];
    const continues = (walker: Walker): boolean => (predicted ? walker.predict(back) === 1 : walker.sees(network.nextTokens(block).tokens));
    return {
      start: block,
      walk: (walker) => {
        walker.sync(block);
        do {
          body.walk(walker);
          walker.sync(back);
        } while (continues(walker));
      },
    };
  };
}
