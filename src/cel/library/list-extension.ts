// cel.lib.ext.lists in version 3: slice, flatten, sort, sortBy, distinct, reverse and lists.range.
import type { Expr } from '#cel/ast.ts';
import { declare, global, member } from '#cel/library/declare.ts';
import type { Library, Macro, MacroExpander } from '#cel/library.ts';
import { bind, fold, iterationVariable } from '#cel/macro/fold.ts';
import { appending } from '#cel/macro/standard-macros.ts';
import { compareValues } from '#cel/standard/comparison.ts';
import { celEquals } from '#cel/standard/equality.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  stringType,
  timestampType,
  type Type,
  typeParam,
  uintType,
} from '#cel/type.ts';
import { ArrayList, CelError, type CelList, type CelValue, isList, isMap, typeNameOf } from '#cel/value.ts';

const list = listType(typeParam('T'));
const dynamic = listType(dynType);
const comparable: readonly Type[] = [intType, uintType, doubleType, boolType, durationType, timestampType, stringType, bytesType];
const comparableNames: ReadonlySet<string> = new Set(comparable.map(({ name }) => name));

/** What the macro sortBy becomes; no expression can write the name. */
const sortByKeys = '@sortByAssociatedKeys';

export const listExtension: Library = {
  name: 'cel.lib.ext.lists',
  introduced: 34,
  macros: [{ name: 'sortBy', member: true, argumentCount: 2, expand: sortBy }],
  functions: [
    declare('slice', member('list_slice', [list, intType, intType], list, slice)),
    declare(
      'flatten',
      { ...member('list_flatten', [listType(list)], list, (nested) => flatten(nested, 1n, '')), unguarded: true },
      { ...member('list_flatten_int', [dynamic, intType], dynamic, (nested, depth) => flatten(nested, depth, shownType(depth))), unguarded: true },
    ),
    {
      ...declare(
        'sort',
        ...comparable.map((type) => member(`list_${type.name}_sort`, [listType(type)], listType(type), (values: CelList) => sorted(values, values))),
      ),
      mismatch: notComparable,
    },
    {
      ...declare(sortByKeys, ...comparable.map((type) => member(`list_${type.name}_sortByAssociatedKeys`, [list, listType(type)], list, sorted))),
      mismatch: notComparable,
    },
    declare(
      'lists.range',
      global('lists_range', [intType], listType(intType), (count: bigint) => new RangeList(count)),
    ),
    declare(
      'reverse',
      member('list_reverse', [list], list, (values: CelList) => new ArrayList([...values].reverse())),
    ),
    declare('distinct', member('list_distinct', [list], list, distinct)),
  ],
};

/** The whole numbers from 0, made when they are asked for: the size alone may exceed the budget of the evaluation. */
class RangeList implements CelList {
  readonly kind = 'list';
  readonly #count: number;
  constructor(count: bigint) {
    this.#count = count < 0n ? 0 : Number(count);
  }
  size(): number {
    return this.#count;
  }
  get(index: number): CelValue {
    return BigInt(index);
  }
  *[Symbol.iterator](): Iterator<CelValue> {
    for (let index = 0; index < this.#count; index++) yield BigInt(index);
  }
}

function slice(values: CelList, start: bigint, end: bigint): CelList {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new CelError(`${call}, negative indexes not supported`);
  if (start > end) throw new CelError(`${call}, start index must be less than or equal to end index`);
  if (BigInt(values.size()) < end) throw new CelError(`${call}, list is length ${values.size()}`);
  return new ArrayList(Array.from({ length: Number(end - start) }, (_, index) => values.get(Number(start) + index)));
}

/** Lists that are flat already are taken too, which type guards would refuse. */
function flatten(values: CelValue, depth: CelValue, shown: string): CelList {
  if (!isList(values) || typeof depth !== 'bigint') throw new CelError(`no such overload: ${shownType(values)}.flatten(${shown})`);
  if (depth < 0n) throw new CelError('level must be non-negative');
  return new ArrayList([...flattened(values, depth)]);
}

/** cel-go's name of the type of a value, parameters included. */
function shownType(value: CelValue): string {
  if (isList(value)) return 'list(dyn)';
  return isMap(value) ? 'map(dyn, dyn)' : typeNameOf(value);
}

function* flattened(values: CelList, depth: bigint): Generator<CelValue> {
  for (const value of values) {
    if (depth > 0n && isList(value)) yield* flattened(value, depth - 1n);
    else yield value;
  }
}

/** The values in the order of their keys. */
function sorted(values: CelList, keys: CelList): CelList {
  const size = values.size();
  if (size !== keys.size()) {
    throw new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${size} and ${keys.size()} elements respectively`,
    );
  }
  if (size === 0) return values;
  const keyed = Array.from({ length: size }, (_, index) => ({ key: keys.get(index), value: values.get(index) }));
  const type = typeNameOf(keys.get(0));
  if (!comparableNames.has(type)) throw new CelError('list elements must be comparable');
  if (keyed.some(({ key }) => typeNameOf(key) !== type)) throw new CelError('list elements must have the same type');
  return new ArrayList(keyed.sort((a, b) => order(a.key, b.key)).map(({ value }) => value));
}

/** Which overload it is hangs on the first element. */
function notComparable([list = null]: readonly CelValue[]): string {
  return isList(list) ? 'list elements must be comparable' : 'no such overload';
}

/** NaN is neither less nor more. */
function order(a: CelValue, b: CelValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return compareValues(a, b);
}

function distinct(values: CelList): CelList {
  const seen: CelValue[] = [];
  for (const value of values) if (!seen.some((other) => celEquals(value, other))) seen.push(value);
  return new ArrayList(seen);
}

const sortableKinds: ReadonlySet<Expr['kind']> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

/** `values.sortBy(x, key)` binds the values and sorts them by the keys made of them. */
function sortBy(expander: MacroExpander, target: Expr | undefined, [name, key]: readonly Expr[]): ReturnType<Macro['expand']> {
  if (target === undefined || name === undefined || key === undefined) return undefined;
  if (!sortableKinds.has(target.kind))
    return expander.fail(target, 'sortBy can only be applied to a list, identifier, comprehension, call or select expression');
  const input = '@__sortBy_input__';
  const variable = iterationVariable(expander, name, 'argument is not an identifier');
  const keys = fold(expander, expander.ident(input), [variable], appending(expander, undefined, key));
  return bind(expander, input, target, expander.memberCall(sortByKeys, expander.ident(input), keys));
}
