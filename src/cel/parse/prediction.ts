/**
 * ANTLR's adaptive prediction (ALL(*)): which alternative of a decision the tokens ahead can still mean. First without looking at the callers; when that is
 * ambiguous, again with the real stack of callers.
 */
import type { Token, TokenKind } from './lexer.ts';
import type { Edge, Network, State } from './transition-network.ts';

/** The callers of the current rule, innermost first: where parsing goes on after each. Equal stacks are one object. */
export interface CallStack {
  readonly after: State;
  readonly outer: CallStack | undefined;
  readonly id: number;
  readonly depth: number;
  readonly inner: Map<State, CallStack>;
}

/** The tokens mean no alternative; `at` is the position of the first that does not fit. */
export class NoViableAlternative {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

export interface Decision {
  readonly state: State;
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly callers: CallStack | undefined;
  /** Precedence of the current call of a left-recursive rule. */
  readonly precedence: number;
}

/** Remembered steps are dropped beyond these numbers: expressions choose how many there are. */
const maxSteps = 20_000;
const maxStacks = 50_000;

/** Predictions without callers depend on the tokens alone and are remembered as an automaton, as ANTLR does. */
export class Predictor {
  readonly #network: Network;
  #outermost = new Map<State, CallStack>();
  #stacks = 0;
  #starts = new Map<string, Step>();
  #steps = 0;

  constructor(network: Network) {
    this.#network = network;
  }

  push(after: State, outer: CallStack | undefined): CallStack {
    const siblings = outer?.inner ?? this.#outermost;
    const known = siblings.get(after);
    if (known !== undefined) return known;
    const stack = { after, outer, id: ++this.#stacks, depth: (outer?.depth ?? 0) + 1, inner: new Map<State, CallStack>() };
    siblings.set(after, stack);
    return stack;
  }

  /** Before a text is explained: what earlier texts left behind is dropped when it is much. */
  begin(): void {
    if (this.#steps < maxSteps && this.#stacks < maxStacks) return;
    this.#outermost = new Map();
    this.#starts = new Map();
    this.#steps = 0;
    this.#stacks = 0;
  }

  predict(decision: Decision): number {
    const key = `${decision.state.id}/${decision.precedence}`;
    let step: Step | undefined = this.#starts.get(key);
    if (step === undefined) {
      step = { configs: startConfigs(this.#network, this, decision, false), next: new Map() };
      this.#starts.set(key, step);
    }
    for (let at = decision.at; ; at++) {
      const kind = kindAt(decision, at);
      let outcome: Outcome | undefined = step.next.get(kind);
      if (outcome === undefined) {
        outcome = this.#stepped(step.configs, kind);
        step.next.set(kind, outcome);
        this.#steps++;
      }
      if (outcome === 'conflict') return this.#predictWithCallers(decision);
      if (outcome === 'none') throw new NoViableAlternative(at);
      if (typeof outcome === 'number') return outcome;
      step = outcome;
    }
  }

  #stepped(configs: Configs, kind: TokenKind): Outcome {
    const reached = advance(this.#network, this, configs, kind, false);
    if (reached.size === 0) return finishedAlternative(configs) ?? 'none';
    const verdict = localVerdict(reached);
    if (verdict !== undefined) return verdict;
    return kind === 'end' ? smallestAlternative(reached) : { configs: reached, next: new Map() };
  }

  #predictWithCallers(decision: Decision): number {
    let configs = startConfigs(this.#network, this, decision, true);
    for (let at = decision.at; ; at++) {
      const kind = kindAt(decision, at);
      const reached = advance(this.#network, this, configs, kind, true);
      if (reached.size === 0) {
        const finished = finishedAlternative(configs);
        if (finished === undefined) throw new NoViableAlternative(at);
        return finished;
      }
      const verdict = fullVerdict(reached);
      if (verdict !== undefined) return verdict;
      if (kind === 'end') return smallestAlternative(reached);
      configs = reached;
    }
  }
}

/** A state of the automaton: where a token leads, or what it decides. */
interface Step {
  readonly configs: Configs;
  readonly next: Map<TokenKind, Outcome>;
}

type Outcome = Step | number | 'conflict' | 'none';

/** One way to have read the tokens so far. */
interface Config {
  readonly state: State;
  readonly alternative: number;
  readonly stack: CallStack | undefined;
  /** It has left the rule of the decision without knowing its caller. */
  readonly escaped: boolean;
}

type Configs = Map<string, Config>;

function kindAt(decision: Decision, at: number): TokenKind {
  return decision.tokens[Math.min(at, decision.tokens.length - 1)]?.kind ?? 'end';
}

function smallestAlternative(configs: Configs): number {
  return Math.min(...[...configs.values()].map((config) => config.alternative));
}

function startConfigs(network: Network, predictor: Predictor, decision: Decision, full: boolean): Configs {
  const configs: Configs = new Map();
  const closure = new Closure(network, predictor, configs, full, {
    rule: decision.state.rule,
    precedence: decision.precedence,
    depth: full ? depthOf(decision.callers) : 0,
  });
  decision.state.edges.forEach((edge, index) =>
    closure.add({ state: edge.to, alternative: index + 1, stack: full ? decision.callers : undefined, escaped: false }, true),
  );
  if (!full && decision.state.kind === 'loopEntry') dropShadowed(configs);
  return configs;
}

/** Leaving a left-recursive loop to continue it one level up is the same as continuing it here: ANTLR's precedence filter. */
function dropShadowed(configs: Configs): void {
  const first = new Set([...configs.values()].filter((config) => config.alternative === 1).map(place));
  for (const [key, config] of configs) {
    if (config.alternative !== 1 && config.state.edges.some((edge) => edge.on !== undefined) && first.has(place(config))) configs.delete(key);
  }
}

function place(config: Config): string {
  return `${config.state.id}/${config.stack?.id ?? 0}`;
}

function advance(network: Network, predictor: Predictor, configs: Configs, kind: TokenKind, full: boolean): Configs {
  const reached: Configs = new Map();
  const closure = new Closure(network, predictor, reached, full, undefined);
  for (const config of configs.values()) {
    for (const edge of config.state.edges) {
      if (edge.on?.has(kind) === true) closure.add({ ...config, state: edge.to }, false);
    }
  }
  return reached;
}

/** Precedence is known only within the rule of the decision, before any token. */
interface KnownPrecedence {
  readonly rule: string;
  readonly precedence: number;
  readonly depth: number;
}

/** Configs with all that are reached from them without a token. */
class Closure {
  readonly #network: Network;
  readonly #predictor: Predictor;
  readonly #configs: Configs;
  readonly #full: boolean;
  readonly #known: KnownPrecedence | undefined;

  constructor(network: Network, predictor: Predictor, configs: Configs, full: boolean, known: KnownPrecedence | undefined) {
    this.#network = network;
    this.#predictor = predictor;
    this.#configs = configs;
    this.#full = full;
    this.#known = known;
  }

  add(config: Config, within: boolean): void {
    const key = `${place(config)}/${config.alternative}`;
    if (this.#configs.has(key)) return;
    this.#configs.set(key, config);
    if (config.state.kind === 'stop') {
      this.#leaveRule(config);
      return;
    }
    for (const edge of config.state.edges) {
      if (edge.on !== undefined || (within && !this.#passes(edge, config))) continue;
      const { call } = edge;
      if (call === undefined) this.add({ ...config, state: edge.to }, within);
      else this.add({ ...config, state: this.#network.startOf(call), stack: this.#predictor.push(edge.to, config.stack) }, within);
    }
  }

  #passes(edge: Edge, config: Config): boolean {
    if (edge.precedence === undefined || this.#known === undefined) return true;
    const { rule, precedence, depth } = this.#known;
    return config.state.rule !== rule || depthOf(config.stack) !== depth || edge.precedence >= precedence;
  }

  #leaveRule(config: Config): void {
    if (config.stack !== undefined) this.add({ ...config, state: config.stack.after, stack: config.stack.outer }, false);
    else if (!this.#full) {
      for (const after of this.#network.followsOf(config.state.rule)) this.add({ ...config, state: after, escaped: true }, false);
    }
  }
}

function depthOf(stack: CallStack | undefined): number {
  return stack?.depth ?? 0;
}

/** Decided, in conflict, or undefined: more tokens are needed. */
function localVerdict(configs: Configs): number | 'conflict' | undefined {
  const unique = uniqueAlternative(configs);
  if (unique !== undefined) return unique;
  const byState = new Map<number, Set<number>>();
  for (const { state, alternative } of configs.values()) byState.set(state.id, (byState.get(state.id) ?? new Set()).add(alternative));
  const conflicting = alternativesByPlace(configs).some((alternatives) => alternatives.size > 1);
  return conflicting && ![...byState.values()].some((alternatives) => alternatives.size === 1) ? 'conflict' : undefined;
}

function fullVerdict(configs: Configs): number | undefined {
  const unique = uniqueAlternative(configs);
  if (unique !== undefined) return unique;
  const smallest = new Set(alternativesByPlace(configs).map((alternatives) => Math.min(...alternatives)));
  return smallest.size === 1 ? [...smallest][0] : undefined;
}

function uniqueAlternative(configs: Configs): number | undefined {
  const alternatives = new Set([...configs.values()].map((config) => config.alternative));
  return alternatives.size === 1 ? [...alternatives][0] : undefined;
}

/** Alternatives that have come to the same state with the same callers. */
function alternativesByPlace(configs: Configs): readonly Set<number>[] {
  const stacks = new Map<string, { readonly state: State; readonly alternative: number; readonly ids: number[] }>();
  for (const { state, alternative, stack } of configs.values()) {
    const key = `${state.id}/${alternative}`;
    const entry = stacks.get(key) ?? { state, alternative, ids: [] };
    entry.ids.push(stack?.id ?? 0);
    stacks.set(key, entry);
  }
  const groups = new Map<string, Set<number>>();
  for (const { state, alternative, ids } of stacks.values()) {
    const key = `${state.id}/${ids.toSorted((a, b) => a - b).join(';')}`;
    groups.set(key, (groups.get(key) ?? new Set()).add(alternative));
  }
  return [...groups.values()];
}

/** When no token fits any more: the first alternative that was complete without its caller. */
function finishedAlternative(configs: Configs): number | undefined {
  const finished = [...configs.values()].filter((config) => config.escaped || (config.state.kind === 'stop' && config.stack === undefined));
  return finished.length === 0 ? undefined : Math.min(...finished.map((config) => config.alternative));
}
