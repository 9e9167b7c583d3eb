/** Calls that a macro replaces: finding the macro and giving it what it builds nodes with. */
import type { Expr } from '../ast.ts';
import type { Macro, MacroExpander } from '../library.ts';
import type { NodeFactory } from './node-factory.ts';
import type { ParseError } from './source.ts';

/** The hidden name of the accumulator: no identifier of a source can spell it. */
export const accumulatorName = '@result';

export type Expansion = { readonly expr: Expr | undefined } | { readonly error: ParseError };

/** Macros by name, number of arguments and call style. */
export function macroTable(macros: readonly Macro[]): ReadonlyMap<string, Macro> {
  return new Map(macros.map((macro) => [macroKey(macro.name, macro.argumentCount, macro.member), macro]));
}

export function macroFor(macros: ReadonlyMap<string, Macro>, name: string, argumentCount: number, member: boolean): Macro | undefined {
  return macros.get(macroKey(name, argumentCount, member)) ?? macros.get(macroKey(name, undefined, member));
}

export function expandMacro(nodes: NodeFactory, macro: Macro, callId: number, target: Expr | undefined, args: readonly Expr[]): Expansion {
  try {
    return { expr: macro.expand(new Expander(nodes, callId), target, args) };
  } catch (error) {
    if (error instanceof MacroFailure) return { error };
    throw error;
  }
}

function macroKey(name: string, argumentCount: number | undefined, member: boolean): string {
  return `${name}:${argumentCount ?? '*'}:${member}`;
}

class MacroFailure implements ParseError {
  readonly offset: number;
  readonly message: string;
  constructor(offset: number, message: string) {
    this.offset = offset;
    this.message = message;
  }
}

class Expander implements MacroExpander {
  readonly accumulator = accumulatorName;
  readonly #nodes: NodeFactory;
  readonly #offset: number;

  constructor(nodes: NodeFactory, callId: number) {
    this.#nodes = nodes;
    this.#offset = nodes.positions.get(callId) ?? 0;
  }

  nextId(): number {
    return this.#nodes.id(this.#offset);
  }

  copy(expr: Expr): Expr {
    return this.#nodes.copy(expr);
  }

  constant(value: Extract<Expr, { kind: 'constant' }>['value']): Expr {
    return this.#nodes.constant(this.#offset, value);
  }

  ident(name: string): Expr {
    return { kind: 'ident', id: this.nextId(), name };
  }

  call(name: string, ...args: Expr[]): Expr {
    return this.#nodes.call(this.nextId(), name, args);
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return this.#nodes.call(this.nextId(), name, args, target);
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', id: this.nextId(), elements, optionalIndices: [] };
  }

  fail(node: Expr, message: string): never {
    throw new MacroFailure(this.#nodes.offsetOf(node), message);
  }
}
