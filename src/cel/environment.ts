/** An environment knows variables, types and libraries, and compiles source text to programs. */
import type { CheckedAst } from './ast.ts';
import type { Activation, EvaluationOptions, Outcome } from './evaluation.ts';
import type { CallCosts, Library } from './library.ts';
import type { Type, TypeProvider } from './type.ts';

export interface EnvironmentOptions {
  readonly libraries: readonly Library[];
  readonly variables: ReadonlyMap<string, Type>;
  readonly types?: TypeProvider;
  readonly costs?: CallCosts;
}

/** One complaint about a source text. */
export interface Issue {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 0, in code points. */
  readonly column: number;
}

/** Compilation: a program, or the issues that prevent one. `text` is all issues as the API shows them (`ERROR: <input>:1:8: …` with line and caret). */
export type Compilation =
  | { readonly program: Program; readonly issues: readonly [] }
  | { readonly program: undefined; readonly issues: readonly Issue[]; readonly text: string };

export interface Program {
  readonly ast: CheckedAst;
  readonly outputType: Type;
  /** Some call on the way may suspend (callAsync): `evaluate` must not be used. */
  readonly mayWait: boolean;
  /** Runs to the end in this turn: for programs of small estimated cost. */
  evaluate(activation: Activation, options?: EvaluationOptions): Outcome;
  /** Runs in slices, giving the event loop its turn, and waits for what is not known in turn. */
  evaluateInSlices(activation: Activation, options?: EvaluationOptions): Promise<Outcome>;
}
