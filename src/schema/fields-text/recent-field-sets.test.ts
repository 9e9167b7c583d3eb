import { expect, test } from 'vitest';
import { RecentFieldSets } from '#schema/fields-text/recent-field-sets.ts';

const set = (name: string) => `{"f:metadata":{"f:labels":{"f:${name}":{}}}}`;

test('a set that was met is known again wherever it stands, and no other', () => {
  const sets = new RecentFieldSets();
  const bytes = Buffer.from(`x${set('a')}`);
  expect(sets.at(bytes, 1)).toBeUndefined();
  sets.add(bytes, 1, bytes.length, set('a'));
  expect(sets.at(Buffer.from(`--${set('a')},"x":1`), 2)).toMatchObject({ text: set('a'), length: set('a').length });
  expect(sets.at(Buffer.from(`--${set('b')},"x":1`), 2)).toBeUndefined();
  expect(sets.at(Buffer.from(set('a').slice(0, -1)), 0)).toBeUndefined();
});

test('sets that have not been met for long are forgotten', () => {
  const sets = new RecentFieldSets();
  for (let index = 0; index < 100; index++) sets.add(Buffer.from(set(`${index}`)), 0, set(`${index}`).length, set(`${index}`));
  const known = Array.from({ length: 100 }, (_, index) => sets.at(Buffer.from(set(`${index}`)), 0)?.text);
  expect(known.filter((text) => text !== undefined)).toEqual(Array.from({ length: 16 }, (_, index) => set(`${84 + index}`)));
});
