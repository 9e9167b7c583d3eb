/** Optional values: cel-go's OptionalTypes, known to Kubernetes 1.28 and later. */
import type { Expr } from '../ast.ts';
import type { FunctionDeclaration, Library, Macro, Overload } from '../library.ts';
import { bind } from '../macro/fold.ts';
import { boolType, dynType, intType, listType, mapType, optionalType, stringType, type Type, typeParam } from '../type.ts';
import { ArrayList, CelError, type CelList, type CelValue, Optional, type Result, Uint } from '../value.ts';

const paramK = typeParam('K');
const paramV = typeParam('V');
const optionalV = optionalType(paramV);
const listV = listType(paramV);
const mapKV = mapType(paramK, paramV);
const listOptionalV = listType(optionalV);

const functions: readonly FunctionDeclaration[] = [
  { name: 'optional.of', overloads: [{ id: 'optional_of', member: false, args: [paramV], result: optionalV, call: (value) => Optional.of(value) }] },
  {
    name: 'optional.ofNonZeroValue',
    overloads: [
      {
        id: 'optional_ofNonZeroValue',
        member: false,
        args: [paramV],
        result: optionalV,
        call: (value) => (isZero(value) ? Optional.none : Optional.of(value)),
      },
    ],
  },
  { name: 'optional.none', overloads: [{ id: 'optional_none', member: false, args: [], result: optionalV, call: () => Optional.none }] },
  { name: 'value', overloads: [{ id: 'optional_value', member: true, args: [optionalV], result: paramV, call: valueOf }] },
  {
    name: 'hasValue',
    overloads: [{ id: 'optional_hasValue', member: true, args: [optionalV], result: boolType, call: (optional: Optional) => optional.value !== undefined }],
  },
  { name: 'or', overloads: [{ id: 'optional_or_optional', member: true, args: [optionalV, optionalV], result: optionalV, callLazily: or }] },
  { name: 'orValue', overloads: [{ id: 'optional_orValue_value', member: true, args: [optionalV, paramV], result: paramV, callLazily: orValue }] },
  { name: '_?._', overloads: [typed('select_optional_field', [dynType, stringType], optionalV)] },
  {
    name: '_[?_]',
    overloads: [
      typed('list_optindex_optional_int', [listV, intType], optionalV),
      typed('optional_list_optindex_optional_int', [optionalType(listV), intType], optionalV),
      typed('map_optindex_optional_value', [mapKV, paramK], optionalV),
      typed('optional_map_optindex_optional_value', [optionalType(mapKV), paramK], optionalV),
    ],
  },
  {
    name: '_[_]',
    overloads: [
      typed('optional_list_index_int', [optionalType(listV), intType], optionalV),
      typed('optional_map_index_value', [optionalType(mapKV), paramK], optionalV),
    ],
  },
  { name: 'last', overloads: [{ id: 'list_last', member: true, args: [listV], result: optionalV, call: (list: CelList) => elementAt(list, list.size() - 1) }] },
  { name: 'first', overloads: [{ id: 'list_first', member: true, args: [listV], result: optionalV, call: (list: CelList) => elementAt(list, 0) }] },
  { name: 'optional.unwrap', overloads: [{ id: 'optional_unwrap', member: false, args: [listOptionalV], result: listV, call: unwrap }] },
  { name: 'unwrapOpt', overloads: [{ id: 'optional_unwrapOpt', member: true, args: [listOptionalV], result: listV, call: unwrap }] },
];

const macros: readonly Macro[] = [
  mapping('optMap', (expander, bound) => expander.call('optional.of', bound)),
  mapping('optFlatMap', (_expander, bound) => bound),
];

export const optionals: Library = { name: 'cel.lib.optional', introduced: 28, functions, macros, types: [optionalType(dynType)] };

/** `target.optMap(name, body)`: the body with the value bound to the name, or none. */
function mapping(name: string, wrap: (expander: Parameters<Macro['expand']>[0], bound: Expr) => Expr): Macro {
  return {
    name,
    member: true,
    argumentCount: 2,
    expand: (expander, target, [variable, body]) => {
      if (target === undefined || variable === undefined || body === undefined) return undefined;
      if (variable.kind !== 'ident') return expander.fail(variable, `${name}() variable name must be a simple identifier`);
      const value = expander.memberCall('value', expander.copy(target));
      const mapped = wrap(expander, bind(expander, variable.name, value, body));
      return expander.call('_?_:_', expander.memberCall('hasValue', target), mapped, expander.call('optional.none'));
    },
  };
}

function valueOf(optional: Optional): Result {
  return optional.value === undefined ? new CelError('optional.none() dereference') : optional.value;
}

function or(left: () => Result, right: () => Result): Result {
  const optional = left();
  return optional instanceof Optional && optional.value === undefined ? right() : optional;
}

function orValue(left: () => Result, right: () => Result): Result {
  const optional = left();
  if (!(optional instanceof Optional)) return optional;
  return optional.value === undefined ? right() : optional.value;
}

function elementAt(list: CelList, index: number): Optional {
  return list.size() === 0 ? Optional.none : Optional.of(list.get(index));
}

function unwrap(list: CelList): CelValue {
  const values: CelValue[] = [];
  for (const element of list) {
    if (!(element instanceof Optional)) throw new CelError('value is not optional');
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
}

/** The zero value of its type: false, 0, empty, null. An empty optional is not one to cel-go. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (typeof value !== 'object') return false;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Uint) return value.value === 0n;
  switch (value.kind) {
    case 'list':
    case 'map':
      return value.isOfObject !== true && value.size() === 0;
    case 'duration':
      return value.nanos === 0n;
    case 'timestamp':
      return value.nanos === yearOne;
    default:
      return false;
  }
}

/** Go's zero time: 0001-01-01T00:00:00Z. */
const yearOne = -62_135_596_800_000_000_000n;

/** Selection and indexing are built into the evaluator: only their types are declared. */
function typed(id: string, args: readonly Type[], result: Type): Overload {
  return {
    id,
    member: false,
    args,
    result,
    call: () => {
      throw new CelError('no such overload');
    },
  };
}
