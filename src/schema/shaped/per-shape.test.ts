import { expect, test } from 'vitest';
import { Shape } from '#base/shapes/shape.ts';
import { PerShape, ShapeBudget } from '#schema/shaped/per-shape.ts';

const shapes = Array.from({ length: 20 }, (_, i) => new Shape(Buffer.from(`{"n":${i}}`), []));

function askOften<T extends { readonly byteLength: number }>(made: PerShape<T>, shape: Shape): (T | undefined)[] {
  return Array.from({ length: 20 }, () => made.of(shape));
}

test('something is made of a shape once enough of its objects have come, and not again', () => {
  let times = 0;
  const made = new PerShape(() => ({ byteLength: 10, time: ++times }), new ShapeBudget(1000));
  const found = askOften(made, shapes[0] as Shape);
  expect(found.slice(0, 7)).toEqual(Array.from({ length: 7 }, () => undefined));
  expect(found.slice(7)).toEqual(Array.from({ length: 13 }, () => ({ byteLength: 10, time: 1 })));
});

test('a shape of which nothing can be made is tried once', () => {
  let times = 0;
  const made = new PerShape(() => {
    times++;
    return undefined;
  }, new ShapeBudget(1000));
  expect(askOften(made, shapes[0] as Shape).every((one) => one === undefined)).toBe(true);
  expect(times).toBe(1);
});

test('what is made stays within the budget that all share', () => {
  const budget = new ShapeBudget(100);
  const made = [new PerShape(() => ({ byteLength: 10 }), budget), new PerShape(() => ({ byteLength: 10 }), budget)];
  for (const shape of shapes) for (const one of made) askOften(one, shape);
  expect(budget.generation).toBe(3);
  expect(made[0]?.of(shapes[0] as Shape)).toBeUndefined();
});
