import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyOrders, MemberStack } from '#schema/key-orders.ts';

test('what is found is what was made for these keys in this order, however many there are', () => {
  const orders = new KeyOrders((keys) => keys.join());
  const stack = new MemberStack();
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'constructor', '10'), fc.constantFrom(1, null, undefined), { maxKeys: 6 });
  fc.assert(
    fc.property(fc.array(object, { maxLength: 40 }), (objects) => {
      for (const members of objects) {
        const start = stack.top;
        stack.push(members);
        const defined = Object.keys(members).filter((key) => members[key] !== undefined);
        expect(orders.find(stack, start)).toBe(defined.join());
        expect(stack.values.slice(start, stack.top)).toEqual(defined.map((key) => members[key]));
        stack.top = start + (start % 3);
      }
    }),
  );
});

test('what follows from an order is worked out once', () => {
  let made = 0;
  const orders = new KeyOrders(() => ++made);
  const stack = new MemberStack();
  const find = (object: Record<string, unknown>) => {
    stack.top = 0;
    stack.push(object);
    return orders.find(stack, 0);
  };
  const objects = Array.from({ length: 20 }, (_, index) => ({ [`key-${index}`]: 1, last: 2 }));
  const first = objects.map(find);
  expect(objects.map(find)).toEqual(first);
  expect(made).toBe(objects.length);
});
