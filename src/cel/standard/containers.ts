/** `in`, `size`, and the declarations of indexing and of the operators the evaluator itself implements. */
import type { FunctionDeclaration, Overload } from '../library.ts';
import { boolType, bytesType, intType, listType, mapType, stringType, type Type, typeParam } from '../type.ts';
import { CelError, type CelList, type CelMap, type CelValue, codePointLength, typeNameOf } from '../value.ts';
import { celEquals } from './equality.ts';
import { receivers } from './mismatch.ts';

const paramA = typeParam('A');
const paramB = typeParam('B');
const listOfA = listType(paramA);
const mapOfAB = mapType(paramA, paramB);

const sizes: readonly (readonly [string, Type, (value: never) => bigint])[] = [
  ['bytes', bytesType, (bytes: Uint8Array) => BigInt(bytes.length)],
  ['list', listOfA, (list: CelList) => BigInt(list.size())],
  ['map', mapOfAB, (map: CelMap) => BigInt(map.size())],
  ['string', stringType, (text: string) => BigInt(codePointLength(text))],
];

export const containerFunctions: readonly FunctionDeclaration[] = [
  {
    name: '@in',
    overloads: [
      { id: 'in_list', member: false, args: [paramA, listOfA], result: boolType, call: (value, list: CelList) => listContains(list, value) },
      { id: 'in_map', member: false, args: [paramA, mapOfAB], result: boolType, call: (key, map: CelMap) => map.has(key) },
    ],
    mismatch: () => 'no such overload',
  },
  { name: 'size', overloads: sizes.flatMap(sizeOverloads), mismatch: ([value = null]) => noSize(value) },
];

/** Operators whose evaluation the evaluator builds in: only their types are declared here. */
export const builtInOperators: readonly FunctionDeclaration[] = [
  operator('_?_:_', 'conditional', [boolType, paramA, paramA], paramA),
  operator('_&&_', 'logical_and', [boolType, boolType], boolType),
  operator('_||_', 'logical_or', [boolType, boolType], boolType),
  {
    name: '!_',
    overloads: [{ id: 'logical_not', member: false, args: [boolType], result: boolType, call: (value) => !(value as boolean) }],
    mismatch: () => 'no such overload',
  },
  operator('@not_strictly_false', 'not_strictly_false', [boolType], boolType),
  operator('_==_', 'equals', [paramA, paramA], boolType),
  operator('_!=_', 'not_equals', [paramA, paramA], boolType),
  {
    name: '_[_]',
    overloads: [{ ...builtIn('index_list', [listOfA, intType], paramA) }, { ...builtIn('index_map', [mapOfAB, paramA], paramB) }],
  },
];

export function listContains(list: CelList, value: CelValue): boolean {
  const size = list.size();
  let refused = false;
  for (let index = 0; index < size; index++) {
    try {
      if (list.isOfObject === true ? celEquals(list.get(index), value) : celEquals(value, list.get(index))) return true;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      refused = true;
    }
  }
  // What cannot be compared is not in a list, but a list of the object itself says so.
  if (refused && list.isOfObject === true) throw new CelError('no such overload');
  return false;
}

function sizeOverloads([name, type, call]: (typeof sizes)[number]): readonly Overload[] {
  return [
    { id: `size_${name}`, member: false, args: [type], result: intType, call: call as NonNullable<Overload['call']> },
    { id: `${name}_size`, member: true, args: [type], result: intType, call: call as NonNullable<Overload['call']> },
  ];
}

function noSize(value: CelValue): string {
  return receivers.has(typeNameOf(value)) ? 'no such overload' : 'no such overload: size';
}

function operator(name: string, id: string, args: readonly Type[], result: Type): FunctionDeclaration {
  return { name, overloads: [builtIn(id, args, result)] };
}

function builtIn(id: string, args: readonly Type[], result: Type): Overload {
  return {
    id,
    member: false,
    args,
    result,
    call: (...values) => {
      throw new CelError(`no such overload: ${id}(${values.map(typeNameOf).join(', ')})`);
    },
  };
}
