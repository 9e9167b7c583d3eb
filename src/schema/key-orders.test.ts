import { expect, test } from 'vitest';
import { KeyOrders, MemberStack } from '#schema/key-orders.ts';

function finder() {
  let made = 0;
  const orders = new KeyOrders((keys) => {
    made += 1;
    return keys.join();
  });
  const find = (object: Record<string, unknown>) => {
    const stack = new MemberStack();
    stack.push(object);
    return orders.find(stack, 0);
  };
  return { find, made: () => made };
}

test('what follows from the keys is worked out once for each order', () => {
  const { find, made } = finder();
  expect([find({ a: 1, b: 2 }), find({ a: 3, b: 4 }), find({ b: 1, a: 2 }), find({ a: 1, x: undefined, b: 2 })]).toEqual(['a,b', 'a,b', 'b,a', 'a,b']);
  expect(made()).toBe(2);
});

test('many keys are not remembered', () => {
  const { find, made } = finder();
  const large = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
  expect(find(large)).toBe(Object.keys(large).join());
  expect(find(large)).toBe(Object.keys(large).join());
  expect(made()).toBe(2);
});
