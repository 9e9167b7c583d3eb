import { expect, test } from 'vitest';
import { documentOf, objectsIn } from '#cli/state/state-file.ts';

const tricky = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'tricky', namespace: 'default' },
  data: {
    yes: 'no',
    on: '0123',
    number: '1_000',
    date: '2020-01-01',
    lines: 'a\n---\nb\n',
    empty: '',
    sexagesimal: '12:30:45',
    dash: '-',
    long: 'x '.repeat(200),
  },
};

test('what is written reads back the same, whatever its texts look like', () => {
  expect([...objectsIn(`# a comment\n${documentOf(tricky)}${documentOf(tricky)}`)]).toEqual([tricky, tricky]);
});

test('texts that YAML 1.1 would take for booleans are quoted, because kubectl reads that', () => {
  expect(documentOf(tricky)).toContain('"yes": "no"');
});

test('lists are taken apart, empty documents left out', () => {
  expect([...objectsIn(`---\n---\n${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [tricky] })}`)]).toEqual([tricky]);
});

test.each([
  ['a: b', 'the document at line 1 is no object'],
  ['---\nkind: X\n---\n- 1\n', 'the document at line 1 is no object'],
  [`${documentOf(tricky)}---\n{`, /the document at line \d\d is no YAML/],
  ['just text', 'the document at line 1 is no object'],
])('%j is refused with its place', (text, why) => {
  expect(() => [...objectsIn(text)]).toThrow(why);
});
