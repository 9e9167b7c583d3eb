/** Comprehensions over index and element or key and value: cel-go's ext.TwoVarComprehensions, known to Kubernetes 1.32 and later. */
import type { Expr } from '../ast.ts';
import type { FunctionDeclaration, Library, Macro, MacroExpander } from '../library.ts';
import { mapType, typeParam } from '../type.ts';
import { CelError, type CelMap } from '../value.ts';
import { formatValue } from '../standard/format-value.ts';
import { unsupportedKey, ValueMap } from '../standard/value-map.ts';
import { type Fold, fold, hidesAccumulator, quantifier } from './fold.ts';
import { appending } from './standard-macros.ts';

type FoldOver = (expander: MacroExpander, variable: string, predicate: Expr | undefined, transform: Expr) => Fold;

const insertMap = mapType(typeParam('K'), typeParam('V'));

/** What transformMap and transformMapEntry fold with: no source can spell the name. */
const mapInsert: FunctionDeclaration = {
  name: 'cel.@mapInsert',
  overloads: [
    {
      id: '@mapInsert_map_key_value',
      member: false,
      args: [insertMap, typeParam('K'), typeParam('V')],
      result: insertMap,
      call: (map: CelMap, key, value) => inserted(map, [[key, value]]),
    },
    {
      id: '@mapInsert_map_map',
      member: false,
      args: [insertMap, insertMap],
      result: insertMap,
      call: (map: CelMap, added: CelMap) =>
        inserted(
          map,
          [...added.keys()].map((key) => [key, added.get(key) ?? null]),
        ),
    },
  ],
};

export const twoVariableComprehensions: Library = {
  name: 'cel.lib.ext.comprev2',
  introduced: 32,
  functions: [mapInsert],
  macros: [
    ...(['all', 'exists', 'existsOne', 'exists_one'] as const).map((name) =>
      macro(name, 3, (expander, _variable, _predicate, body) => quantifier(expander, name, body)),
    ),
    ...[3, 4].flatMap((count) => [
      macro('transformList', count, (expander, _variable, predicate, transform) => appending(expander, predicate, transform)),
      macro('transformMap', count, (expander, variable, predicate, transform) => inserting(expander, predicate, [expander.ident(variable), transform])),
      macro('transformMapEntry', count, (expander, _variable, predicate, transform) => inserting(expander, predicate, [transform])),
    ]),
  ],
};

function macro(name: string, argumentCount: number, foldOver: FoldOver): Macro {
  return {
    name,
    member: true,
    argumentCount,
    expand: (expander, target, args) => {
      const [name1, name2, third, fourth] = args;
      if (target === undefined || name1 === undefined || name2 === undefined || third === undefined) return undefined;
      const [variable, variable2] = variables(expander, name1, name2);
      const body = fourth === undefined ? foldOver(expander, variable, undefined, third) : foldOver(expander, variable, third, fourth);
      return fold(expander, target, [variable, variable2], body);
    },
  };
}

function variables(expander: MacroExpander, first: Expr, second: Expr): readonly [string, string] {
  if (first.kind !== 'ident') return expander.fail(first, 'argument must be a simple name');
  if (second.kind !== 'ident') return expander.fail(second, 'argument must be a simple name');
  if (first.name === second.name) return expander.fail(second, `duplicate variable name: ${first.name}`);
  for (const argument of [first, second]) {
    if (hidesAccumulator(expander, argument.name)) return expander.fail(argument, 'iteration variable overwrites accumulator variable');
  }
  return [first.name, second.name];
}

function inserting(expander: MacroExpander, predicate: Expr | undefined, entry: readonly Expr[]): Fold {
  const accumulator = (): Expr => expander.ident(expander.accumulator);
  const insert = expander.call(mapInsert.name, accumulator(), ...entry);
  return {
    init: { kind: 'map', id: expander.nextId(), entries: [] },
    condition: expander.constant(true),
    step: predicate === undefined ? insert : expander.call('_?_:_', predicate, insert, accumulator()),
    result: accumulator(),
  };
}

function inserted(map: CelMap, entries: readonly (readonly [Parameters<CelMap['get']>[0], Parameters<CelMap['get']>[0]])[]): CelMap {
  const builder = ValueMap.growing(map);
  for (const [key, value] of entries) {
    if (builder.has(key)) throw new CelError(`insert failed: key ${formatValue(key)} already exists`);
    if (!builder.insert(key, value)) throw unsupportedKey;
  }
  return builder;
}
