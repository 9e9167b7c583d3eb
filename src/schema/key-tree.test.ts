import { expect, test } from 'vitest';
import { type KeyStep, KeyTree } from '#schema/key-tree.ts';

function walk(tree: KeyTree<string>, keys: readonly string[]): KeyStep<string> {
  let step = tree.root;
  for (const key of keys) step = step.next(key) ?? tree.add(step, key);
  return step;
}

test('the same keys in the same order lead to the same step, any others elsewhere', () => {
  const tree = new KeyTree<string>();
  const orders = [[], ['a'], ['b'], ['c'], ['a', 'b'], ['b', 'a'], ['a', 'c'], ['__proto__']];
  for (const order of orders) walk(tree, order).found = order.join();
  expect(orders.map((order) => walk(tree, order).found)).toEqual(orders.map((order) => order.join()));
  expect(walk(tree, ['a', 'b', 'c']).found).toBeUndefined();
});

test('a tree that has grown too far starts again', () => {
  const tree = new KeyTree<string>();
  const first = walk(tree, ['first']);
  for (let index = 0; index < 10_000; index++) walk(tree, [`key-${index}`]);
  expect(walk(tree, ['first'])).not.toBe(first);
});
