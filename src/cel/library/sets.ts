// cel.lib.ext.sets: lists taken as sets.
import { declare, global } from '#cel/library/declare.ts';
import type { Library } from '#cel/library.ts';
import { listContains } from '#cel/standard/containers.ts';
import { boolType, listType, typeParam } from '#cel/type.ts';
import type { CelList } from '#cel/value.ts';

const list = listType(typeParam('T'));

export const setsLibrary: Library = {
  name: 'cel.lib.ext.sets',
  introduced: 29,
  functions: [
    declare('sets.contains', global('list_sets_contains_list', [list, list], boolType, contains)),
    declare(
      'sets.equivalent',
      global('list_sets_equivalent_list', [list, list], boolType, (a: CelList, b: CelList) => contains(a, b) && contains(b, a)),
    ),
    declare('sets.intersects', global('list_sets_intersects_list', [list, list], boolType, intersects)),
  ],
};

function contains(all: CelList, some: CelList): boolean {
  for (const element of some) if (!listContains(all, element)) return false;
  return true;
}

function intersects(a: CelList, b: CelList): boolean {
  for (const element of a) if (listContains(b, element)) return true;
  return false;
}
