import { expect, test } from 'vitest';
import { eachInOrder } from '#base/each-in-order.ts';

test('steps that wait for nothing are all done in the same turn', () => {
  const seen: string[] = [];
  expect(eachInOrder(['a', 'b'], (item, index) => void seen.push(`${item}${index}`))).toBeUndefined();
  expect(seen).toEqual(['a0', 'b1']);
});

test('the next step begins when the one before it has ended', async () => {
  const seen: string[] = [];
  await eachInOrder([1, 2, 3], async (item) => {
    seen.push(`begin ${item}`);
    await Promise.resolve();
    seen.push(`end ${item}`);
  });
  expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
});

test('a step that fails ends it', async () => {
  const seen: number[] = [];
  const failing = eachInOrder([1, 2, 3], async (item) => {
    seen.push(item);
    if (item === 2) throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(seen).toEqual([1, 2]);
});
