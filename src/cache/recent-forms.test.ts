import { expect, test } from 'vitest';
import { RecentForms } from '#cache/recent-forms.ts';

test('the forms made first go when the budget is spent', () => {
  const forms = new RecentForms<string, number>(10);
  forms.set('a', 1, 4);
  forms.set('b', 2, 4);
  forms.set('c', 3, 4);
  expect(['a', 'b', 'c'].map((key) => forms.get(key))).toEqual([undefined, 2, 3]);
});

test('a form made again or deleted is not counted twice', () => {
  const forms = new RecentForms<string, number>(10);
  for (let i = 0; i < 5; i++) forms.set('a', i, 4);
  forms.set('b', 2, 4);
  forms.delete('a');
  forms.delete('a');
  forms.set('c', 3, 6);
  expect(['a', 'b', 'c'].map((key) => forms.get(key))).toEqual([undefined, 2, 3]);
});

test('one that is larger than the whole budget is not kept', () => {
  const forms = new RecentForms<string, number>(10);
  forms.set('a', 1, 11);
  expect(forms.get('a')).toBeUndefined();
});

test('after clear there is room again', () => {
  const forms = new RecentForms<string, number>(10);
  forms.set('a', 1, 10);
  forms.clear();
  forms.set('b', 2, 10);
  expect([forms.get('a'), forms.get('b')]).toEqual([undefined, 2]);
});
