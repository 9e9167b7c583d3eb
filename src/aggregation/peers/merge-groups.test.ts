import { describe, expect, test } from 'vitest';
import { type Groups, mergeGroups } from '#aggregation/peers/merge-groups.ts';
import { mergedOrder } from '#aggregation/peers/merged-order.ts';

describe('one order out of several', () => {
  test.each<[string, string[][], string[]]>([
    [
      'names that are compared keep their order',
      [
        ['b', 'a'],
        ['a', 'c'],
      ],
      ['b', 'a', 'c'],
    ],
    [
      'others stand in alphabetical order',
      [
        ['a', 'c'],
        ['b', 'c'],
      ],
      ['a', 'b', 'c'],
    ],
    [
      'a list that has them all is the order',
      [
        ['c', 'a', 'b'],
        ['a', 'c'],
      ],
      ['c', 'a', 'b'],
    ],
    [
      'a contradiction makes it alphabetical',
      [
        ['b', 'a', 'd'],
        ['a', 'b', 'c'],
      ],
      ['a', 'b', 'c', 'd'],
    ],
    ['nothing of nothing', [], []],
  ])('%s', (_, lists, order) => {
    expect(mergedOrder(lists)).toEqual(order);
  });
});

const resource = (name: string, verbs: string[] = ['get'], subresources: string[] = []) => ({
  resource: name,
  responseKind: { group: '', version: '', kind: name },
  scope: 'Namespaced',
  singularResource: name,
  verbs,
  ...(subresources.length > 0 && { subresources: subresources.map((subresource) => ({ subresource, verbs: ['get'] })) }),
});
const group = (name: string, versions: Record<string, ReturnType<typeof resource>[]>) => ({
  metadata: { name },
  versions: Object.entries(versions).map(([version, resources]) => ({ version, resources, freshness: 'Current' })),
});

describe('what servers serve together', () => {
  test('is what one serves, where they serve the same', () => {
    const local: Groups = [group('b', { v1: [resource('x')] }), group('a', { v1: [resource('y')] })];
    expect(
      mergeGroups(
        new Map([
          ['one', local],
          ['two', structuredClone(local)],
        ]),
      ),
    ).toEqual(local);
    expect(mergeGroups(new Map([['one', local]]))).toBe(local);
  });

  test('has groups, versions, resources, verbs and subresources that any of them has', () => {
    const one: Groups = [group('apps', { v1: [resource('x', ['list', 'get'], ['scale'])] }), group('batch', { v1: [resource('y')] })];
    const two: Groups = [group('apps', { v2: [resource('z')], v1: [resource('x', ['get', 'create'], ['status']), resource('w')] }), group('new', { v1: [] })];
    expect(
      mergeGroups(
        new Map([
          ['two', two],
          ['one', one],
        ]),
      ),
    ).toEqual([
      group('apps', { v2: [resource('z')], v1: [resource('x', ['create', 'get', 'list'], ['scale', 'status']), resource('w')] }),
      group('batch', { v1: [resource('y')] }),
      group('new', { v1: [] }),
    ]);
  });
});
