/** The macros of the language: has, all, exists, exists_one, map, filter. */
import type { Expr } from '../ast.ts';
import type { Macro, MacroExpander } from '../library.ts';
import { fold, iterationVariable, quantifier } from './fold.ts';

export const standardMacros: readonly Macro[] = [
  { name: 'has', member: false, argumentCount: 1, expand: has },
  ...(['all', 'exists', 'exists_one'] as const).map((name) => ({ name, member: true, argumentCount: 2, expand: quantifierOver(name) })),
  { name: 'map', member: true, argumentCount: 2, expand: map },
  { name: 'map', member: true, argumentCount: 3, expand: map },
  { name: 'filter', member: true, argumentCount: 2, expand: filter },
];

function has(expander: MacroExpander, _target: Expr | undefined, [argument]: readonly Expr[]): Expr | undefined {
  if (argument === undefined) return undefined;
  if (argument.kind !== 'select') return expander.fail(argument, 'invalid argument to has() macro');
  return { ...argument, id: expander.nextId(), testOnly: true };
}

function quantifierOver(name: 'all' | 'exists' | 'exists_one'): Macro['expand'] {
  return (expander, target, [name1, predicate]) => {
    if (target === undefined || name1 === undefined || predicate === undefined) return undefined;
    const variable = iterationVariable(expander, name1, 'argument must be a simple name');
    return fold(expander, target, [variable], quantifier(expander, name, predicate));
  };
}

/** `range.map(x, transform)` and `range.map(x, predicate, transform)`. */
function map(expander: MacroExpander, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const [name, predicate] = args;
  const transform = args.at(-1);
  if (target === undefined || name === undefined || predicate === undefined || transform === undefined) return undefined;
  const variable = iterationVariable(expander, name, 'argument is not an identifier');
  return fold(expander, target, [variable], appending(expander, args.length === 3 ? predicate : undefined, transform));
}

function filter(expander: MacroExpander, target: Expr | undefined, [name, predicate]: readonly Expr[]): Expr | undefined {
  if (target === undefined || name === undefined || predicate === undefined) return undefined;
  const variable = iterationVariable(expander, name, 'argument is not an identifier');
  return fold(expander, target, [variable], appending(expander, predicate, name));
}

/** A fold that appends one element per step, or only where a predicate holds. */
export function appending(expander: MacroExpander, predicate: Expr | undefined, element: Expr): ReturnType<typeof quantifier> {
  const accumulator = (): Expr => expander.ident(expander.accumulator);
  const init = expander.list();
  const condition = expander.constant(true);
  const append = expander.call('_+_', accumulator(), expander.list(element));
  const step = predicate === undefined ? append : expander.call('_?_:_', predicate, append, accumulator());
  return { init, condition, step, result: accumulator() };
}
