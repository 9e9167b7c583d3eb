import { expect, test } from 'vitest';
import { sizesOf } from '#cel/cost/declared-sizes.ts';
import { maximumCardinality, staticDefinitionLimit, staticRuleLimit } from '#cel/cost/limits.ts';
import { overBudget } from '#cel/cost/over-budget.ts';
import { stringType } from '#cel/type.ts';

const hint = '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

test.each([
  [10_000_001, staticRuleLimit, '1.000000x'],
  [14_999_999, staticRuleLimit, '1.500000x'],
  [15_000_000, staticRuleLimit, '1.5x'],
  [1_110_000_000, staticDefinitionLimit, '11.1x'],
  [1_000_000_001, staticRuleLimit, 'more than 100x'],
])('%d exceeds %d by factor of %s', (cost, limit, factor) => {
  expect(overBudget('estimated rule cost', cost, limit)).toBe(`estimated rule cost exceeds budget by factor of ${factor} ${hint}`);
});

test('sizes are found along the path, whatever the variable', () => {
  const text = { maxElements: 30 };
  const sizes = sizesOf({ maxElements: 0, fields: new Map([['names', { maxElements: 5, element: text }]]) });
  const at = (...path: readonly string[]) => sizes({ path, type: stringType, expr: undefined, size: undefined });
  expect(at('self', 'names')).toEqual({ min: 0, max: 5 });
  expect(at('oldSelf', 'names', '@items')).toEqual({ min: 0, max: 30 });
  expect(at('self', 'names', '@keys')).toBeUndefined();
  expect(at('self', 'other')).toBeUndefined();
  expect(sizes({ path: undefined, type: stringType, expr: undefined, size: undefined })).toBeUndefined();
});

test('data without size could occur three million times in a request', () => {
  expect(maximumCardinality(0)).toBe(3 * 1024 * 1024);
  expect(maximumCardinality(2)).toBe(1024 * 1024);
});
