/** The syntax tree after macro expansion. Every node has an id; positions, checked types and references hang on the ids. */
import type { Type } from './type.ts';
import type { CelValue } from './value.ts';

export type Expr = ConstantExpr | IdentExpr | SelectExpr | CallExpr | ListExpr | MapExpr | StructExpr | ComprehensionExpr;

export interface ConstantExpr {
  readonly kind: 'constant';
  readonly id: number;
  /** null, boolean, bigint (int), Uint, number (double), string or Uint8Array. */
  readonly value: CelValue;
}

export interface IdentExpr {
  readonly kind: 'ident';
  readonly id: number;
  /** With a leading dot when the source has one: `.x`. */
  readonly name: string;
}

export interface SelectExpr {
  readonly kind: 'select';
  readonly id: number;
  readonly operand: Expr;
  readonly field: string;
  /** `has(a.b)`: asks for presence. */
  readonly testOnly: boolean;
}

/** Calls and operators; operators carry cel-go's names: `_+_`, `_[_]`, `_?._`, `@in`, `_?_:_`, `!_`, `-_`, `_&&_` … */
export interface CallExpr {
  readonly kind: 'call';
  readonly id: number;
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr {
  readonly kind: 'list';
  readonly id: number;
  readonly elements: readonly Expr[];
  /** Positions of elements written `?x`. */
  readonly optionalIndices: readonly number[];
}

export interface MapEntry {
  readonly id: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr {
  readonly kind: 'map';
  readonly id: number;
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: number;
  readonly field: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr {
  readonly kind: 'struct';
  readonly id: number;
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

/** What the macros become: a fold over a list, or over the keys (and values) of a map. */
export interface ComprehensionExpr {
  readonly kind: 'comprehension';
  readonly id: number;
  readonly range: Expr;
  /** The element, or the index or key when there is a second variable. */
  readonly variable: string;
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly accumulatorInit: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export interface ParsedAst {
  readonly root: Expr;
  readonly source: string;
  /** Node id → UTF-16 offset in the source. */
  readonly positions: ReadonlyMap<number, number>;
}

/** What a checked identifier or call refers to. */
export interface Reference {
  /** The resolved name of an identifier: the variable, type or constant. */
  readonly name: string;
  /** The value when the identifier names a constant. */
  readonly value?: CelValue;
  /** Ids of the overloads a call may mean; one when the types decide it. */
  readonly overloadIds: readonly string[];
}

export interface CheckedAst extends ParsedAst {
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
}
