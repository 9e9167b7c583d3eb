import { expect, test } from 'vitest';
import { watchParent } from '#app/envtest/watch-parent.ts';

test('the parent is gone when the system names another one', () => {
  let parent = 7;
  let gone = 0;
  let look = () => {};
  watchParent(
    () => gone++,
    () => parent,
    {
      after: (_, task) => {
        look = task;
        return () => {};
      },
    },
  );
  look();
  expect(gone).toBe(0);
  parent = 1;
  look();
  expect(gone).toBe(1);
});
