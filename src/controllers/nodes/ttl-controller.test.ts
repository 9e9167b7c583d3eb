import { expect, test } from 'vitest';
import { nextStep } from '#controllers/nodes/ttl-controller.ts';

test('the step follows the size of the cluster, and stays where two steps overlap', () => {
  expect(nextStep(0, 100)).toBe(0);
  expect(nextStep(0, 101)).toBe(1);
  expect(nextStep(1, 90)).toBe(1);
  expect(nextStep(1, 89)).toBe(0);
  expect(nextStep(0, 5_000)).toBe(4);
  expect(nextStep(4, 10)).toBe(0);
});
