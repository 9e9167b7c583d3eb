/**
 * ANTLR's adaptive prediction (ALL(*)): which alternative of a decision the tokens ahead can still mean. First without looking at the callers; when that is
 * ambiguous, again with the real stack of callers.
 */
import type { Token, TokenKind } from './lexer.ts';
import type { Edge, Network, State } from './transition-network.ts';

/** The callers of the current rule, innermost first: where parsing goes on after each. */
export interface CallStack {
  readonly after: State;
  readonly outer: CallStack | undefined;
  /** Numbers equal stacks equally. */
  readonly key: string;
}

/** The tokens mean no alternative; `at` is the position of the first that does not fit. */
export class NoViableAlternative {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

export function pushCall(after: State, outer: CallStack | undefined): CallStack {
  return { after, outer, key: `${after.id},${outer?.key ?? ''}` };
}

export interface Decision {
  readonly network: Network;
  readonly state: State;
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly callers: CallStack | undefined;
  /** Precedence of the current call of a left-recursive rule. */
  readonly precedence: number;
}

export function predictAlternative(decision: Decision): number {
  const local = search(decision, false);
  return local === 'conflict' ? (search(decision, true) as number) : local;
}

/** One way to have read the tokens so far. */
interface Config {
  readonly state: State;
  readonly alternative: number;
  readonly stack: CallStack | undefined;
  /** It has left the rule of the decision without knowing its caller. */
  readonly escaped: boolean;
}

type Configs = Map<string, Config>;

function search(decision: Decision, full: boolean): number | 'conflict' {
  let configs = startConfigs(decision, full);
  for (let at = decision.at; ; at++) {
    const kind = decision.tokens[Math.min(at, decision.tokens.length - 1)]?.kind ?? 'end';
    const reached = advance(decision, configs, kind, full);
    if (reached.size === 0) return finishedAlternative(configs) ?? fail(at);
    const verdict = full ? fullVerdict(reached) : localVerdict(reached);
    if (verdict !== undefined) return verdict;
    if (kind === 'end') return Math.min(...[...reached.values()].map((config) => config.alternative));
    configs = reached;
  }
}

function fail(at: number): never {
  throw new NoViableAlternative(at);
}

function startConfigs(decision: Decision, full: boolean): Configs {
  const configs: Configs = new Map();
  decision.state.edges.forEach((edge, index) => {
    const config = { state: edge.to, alternative: index + 1, stack: full ? decision.callers : undefined, escaped: false };
    close(decision, configs, config, full, full ? depthOf(decision.callers) : 0);
  });
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
  return `${config.state.id}/${config.stack?.key ?? ''}`;
}

function advance(decision: Decision, configs: Configs, kind: TokenKind, full: boolean): Configs {
  const reached: Configs = new Map();
  for (const config of configs.values()) {
    for (const edge of config.state.edges) {
      if (edge.on?.has(kind) === true) close(decision, reached, { ...config, state: edge.to }, full, undefined);
    }
  }
  return reached;
}

/** Adds a config and all that are reached from it without a token. `depth` is that of the decision's own rule, while predicates of it count. */
function close(decision: Decision, configs: Configs, config: Config, full: boolean, depth: number | undefined): void {
  const key = `${place(config)}/${config.alternative}`;
  if (configs.has(key)) return;
  configs.set(key, config);
  if (config.state.kind === 'stop') {
    leaveRule(decision, configs, config, full);
    return;
  }
  for (const edge of config.state.edges) {
    if (edge.on !== undefined || !passes(decision, edge, config, depth)) continue;
    const next =
      edge.call === undefined
        ? { ...config, state: edge.to }
        : { ...config, state: decision.network.startOf(edge.call), stack: pushCall(edge.to, config.stack) };
    close(decision, configs, next, full, depth);
  }
}

/** Precedence is known only within the rule of the decision, before any token. */
function passes(decision: Decision, edge: Edge, config: Config, depth: number | undefined): boolean {
  if (edge.precedence === undefined || depth === undefined || config.escaped) return true;
  return config.state.rule !== decision.state.rule || depthOf(config.stack) !== depth || edge.precedence >= decision.precedence;
}

function leaveRule(decision: Decision, configs: Configs, config: Config, full: boolean): void {
  if (config.stack !== undefined) {
    close(decision, configs, { ...config, state: config.stack.after, stack: config.stack.outer }, full, undefined);
    return;
  }
  if (full) return;
  for (const after of decision.network.followsOf(config.state.rule)) close(decision, configs, { ...config, state: after, escaped: true }, full, undefined);
}

function depthOf(stack: CallStack | undefined): number {
  let depth = 0;
  for (let current = stack; current !== undefined; current = current.outer) depth++;
  return depth;
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
  const stacks = new Map<string, { readonly state: State; readonly alternative: number; readonly keys: string[] }>();
  for (const { state, alternative, stack } of configs.values()) {
    const key = `${state.id}/${alternative}`;
    const entry = stacks.get(key) ?? { state, alternative, keys: [] };
    entry.keys.push(stack?.key ?? '');
    stacks.set(key, entry);
  }
  const groups = new Map<string, Set<number>>();
  for (const { state, alternative, keys } of stacks.values()) {
    const key = `${state.id}/${keys.toSorted().join(';')}`;
    groups.set(key, (groups.get(key) ?? new Set()).add(alternative));
  }
  return [...groups.values()];
}

/** When no token fits any more: the first alternative that was complete without its caller. */
function finishedAlternative(configs: Configs): number | undefined {
  const finished = [...configs.values()].filter((config) => config.escaped || (config.state.kind === 'stop' && config.stack === undefined));
  return finished.length === 0 ? undefined : Math.min(...finished.map((config) => config.alternative));
}
