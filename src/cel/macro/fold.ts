/** Comprehensions as macros build them: variables, and the four expressions of a fold. */
import type { Expr } from '../ast.ts';
import type { MacroExpander } from '../library.ts';

/** cel-go's name for the accumulator before it was hidden; still refused as a variable. */
const formerAccumulatorName = '__result__';

export interface Fold {
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export function fold(expander: MacroExpander, range: Expr, [variable, variable2]: readonly [string, string?], { init, condition, step, result }: Fold): Expr {
  return {
    kind: 'comprehension',
    id: expander.nextId(),
    range,
    variable,
    variable2,
    accumulator: expander.accumulator,
    accumulatorInit: init,
    condition,
    step,
    result,
  };
}

/** The name an iteration variable is given, refused when it is no plain name or hides the accumulator. */
export function iterationVariable(expander: MacroExpander, argument: Expr, message: string): string {
  if (argument.kind !== 'ident') return expander.fail(argument, message);
  if (hidesAccumulator(expander, argument.name)) return expander.fail(argument, 'iteration variable overwrites accumulator variable');
  return argument.name;
}

export function hidesAccumulator(expander: MacroExpander, name: string): boolean {
  return name === expander.accumulator || name === formerAccumulatorName;
}

/** The folds of all, exists and exists_one over a predicate. */
export function quantifier(expander: MacroExpander, name: 'all' | 'exists' | 'exists_one' | 'existsOne', predicate: Expr): Fold {
  const accumulator = (): Expr => expander.ident(expander.accumulator);
  switch (name) {
    case 'all':
      return {
        init: expander.constant(true),
        condition: expander.call('@not_strictly_false', accumulator()),
        step: expander.call('_&&_', accumulator(), predicate),
        result: accumulator(),
      };
    case 'exists':
      return {
        init: expander.constant(false),
        condition: expander.call('@not_strictly_false', expander.call('!_', accumulator())),
        step: expander.call('_||_', accumulator(), predicate),
        result: accumulator(),
      };
    default:
      return {
        init: expander.constant(0n),
        condition: expander.constant(true),
        step: expander.call('_?_:_', predicate, expander.call('_+_', accumulator(), expander.constant(1n)), accumulator()),
        result: expander.call('_==_', accumulator(), expander.constant(1n)),
      };
  }
}

/** A local variable: a fold over nothing whose accumulator is the variable (cel.bind, optMap). */
export function bind(expander: MacroExpander, variable: string, value: Expr, body: Expr): Expr {
  return {
    kind: 'comprehension',
    id: expander.nextId(),
    range: expander.list(),
    variable: '#unused',
    variable2: undefined,
    accumulator: variable,
    accumulatorInit: value,
    condition: expander.constant(false),
    step: expander.ident(variable),
    result: body,
  };
}
