/** How functions, macros and constants are declared to an environment: the standard functions and the Kubernetes libraries all come in this form. */
import type { CheckedAst, Expr } from './ast.ts';
import type { Type } from './type.ts';
import type { CelValue, Result } from './value.ts';

/**
 * One signature of a function with its body. The evaluator calls the body only with arguments whose runtime types match `args`, so a body may declare the
 * narrow types: `call: (text: string, prefix: string) => text.startsWith(prefix)`. It answers a value, or returns or throws a CelError; returning is cheaper.
 * Exactly one of `call`, `callLazily`, `callAsync` is given.
 */
export interface Overload {
  /** cel-go's overload id, e.g. `string_index_of_string`: references, costs and tests know it. */
  readonly id: string;
  /** `receiver.name(args)`; the receiver is then the first of `args`. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  call?(...args: CelValue[]): Result;
  /** A non-strict body: gets its arguments unevaluated (`optional.or`). */
  callLazily?(...args: (() => Result)[]): Result;
  /**
   * A body whose answer is not known in turn (an authorizer's check). The evaluation is suspended until the promise settles and then run again with the
   * answer remembered under `key`: same key, same answer within one evaluation. A rejection with a CelError is the call's error.
   */
  callAsync?: AsyncBody;
  /** Only values of unknown type reach it: the checker does not know it (cel-go's functions that ask the value for a trait). */
  readonly undeclared?: boolean;
  /** The body checks its arguments itself (cel-go's DisableTypeGuards). */
  readonly unguarded?: boolean;
  /**
   * Asked once per call node when a program is built, with the arguments that are constant: may answer a body that need not do the work again (a compiled
   * pattern). A thrown CelError refuses the program, as cel-go does with wrong constant patterns.
   */
  prepare?(constants: readonly (CelValue | undefined)[]): PreparedBody | undefined;
}

export interface PreparedBody {
  call(...args: CelValue[]): Result;
}

/** Methods, not function properties, so that bodies may declare narrow parameter types. */
export interface AsyncBody {
  key(...args: CelValue[]): string;
  start(...args: CelValue[]): Promise<CelValue>;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The error when no overload takes the arguments at run time; `no such overload: name(types)` when absent. */
  mismatch?(args: readonly CelValue[]): string;
}

/** A complaint about one node of an expression. */
export interface NodeProblem {
  readonly nodeId: number;
  readonly message: string;
}

/** A named value known to the checker, e.g. an enum member or a type name. */
export interface Constant {
  readonly name: string;
  readonly type: Type;
  readonly value: CelValue;
}

/** What a macro builds its expansion with: new nodes positioned at the macro's call. */
export interface MacroExpander {
  /** A fresh id for a node positioned at the macro's call. */
  nextId(): number;
  /** A copy with fresh ids, for a subtree that appears more than once. */
  copy(expr: Expr): Expr;
  constant(value: CelValue): Expr;
  ident(name: string): Expr;
  call(name: string, ...args: Expr[]): Expr;
  memberCall(name: string, target: Expr, ...args: Expr[]): Expr;
  list(...elements: Expr[]): Expr;
  /** The name of the hidden accumulator variable: `@result`. */
  readonly accumulator: string;
  /** Refuses the expansion with an error at a node. */
  fail(node: Expr, message: string): never;
}

export interface Macro {
  readonly name: string;
  /** Written `target.name(…)`. */
  readonly member: boolean;
  /** Number of arguments, or undefined for any. */
  readonly argumentCount: number | undefined;
  /** The expansion; undefined leaves the call as it is. */
  expand(expander: MacroExpander, target: Expr | undefined, args: readonly Expr[]): Expr | undefined;
}

/**
 * A set of declarations with the Kubernetes version that introduced it. New expressions are compiled with what the compatibility version (one minor behind
 * the server's) knows, stored ones with everything: see apiserver's pkg/cel/environment.
 */
export interface Library {
  /** cel-go's library name, e.g. `kubernetes.quantity`. */
  readonly name: string;
  /** Minor of the first Kubernetes 1.x whose compatibility version knows it; 0 for always. */
  readonly introduced: number;
  /** Minor of the first Kubernetes 1.x that no longer has it. */
  readonly removed?: number;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  readonly constants?: readonly Constant[];
  /** Complaints about a checked expression (cel-go's ASTValidator). */
  readonly validate?: (ast: CheckedAst) => readonly NodeProblem[];
  /** Names of opaque types the library declares, usable as type values in expressions. */
  readonly types?: readonly Type[];
}

/** The libraries a compatibility version 1.`minor` knows. */
export function librariesKnownTo(minor: number, libraries: readonly Library[]): readonly Library[] {
  return libraries.filter((library) => library.introduced <= minor && (library.removed === undefined || minor < library.removed));
}

/**
 * What calls cost at run time, asked once per call node when a program is built (cel-go's ActualCostEstimator, then its defaults). `overloadId` is empty
 * when more than one overload is possible. Undefined leaves cel-go's default for the overload: 1 unless it is one of the linear standard functions.
 */
export interface CallCosts {
  find(functionName: string, overloadId: string): ActualCost | undefined;
  /** The cost hangs on the arguments alone and the work is more than linear: a call that exceeds the limit must not even begin. */
  isUpfront?(overloadId: string): boolean;
}

/** Cost of one call, from its arguments (receiver first) and result. Undefined falls back to the default. */
export type ActualCost = (args: readonly CelValue[], result: CelValue) => number | undefined;
