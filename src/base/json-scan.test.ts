import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findValue, pathOf } from '#base/json-scan.ts';

function find(text: string, path: string): unknown {
  const json = Buffer.from(text);
  const span = findValue(json, 0, pathOf(path));
  return span && JSON.parse(json.toString('utf8', span.start, span.end));
}

test('a member is found by its path', () => {
  const text = '{"kind":"Pod","metadata":{"name":"a","labels":{"x":"1"}},"spec":{"containers":[{"nodeName":"no"}],"nodeName":"yes"}}';
  expect(find(text, 'metadata.labels')).toEqual({ x: '1' });
  expect(find(text, 'spec.nodeName')).toBe('yes');
});

test.each(['spec', 'metadata.nam', 'metadata.name.x', 'labels', 'metadata.labels.y'])('%s is not there', (path) => {
  expect(find('{"metadata":{"name":"spec","labels":{"x":"spec"}}}', path)).toBeUndefined();
});

test('escapes and white space do not confuse it', () => {
  expect(find(' { "a\\"" : "\\\\" , "b" : [ { "c" : "}" } , "\\"" ] , "d" : 1.5e3 } ', 'd')).toBe(1500);
});

test('whatever the document, the value found is the one a parser sees', () => {
  const name = fc.constantFrom('a', 'b', 'metadata', 'labels', '"', '\\', 'é', '');
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, true, false),
      tie('list'),
      tie('object'),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(name, tie('value'), { maxKeys: 5 }),
  }));
  fc.assert(
    fc.property(
      tree.object,
      fc.array(fc.constantFrom('a', 'b', 'metadata', 'labels'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom(0, 2),
      (object, path, indent) => {
        const expected = path.reduce<unknown>(
          (at, key) =>
            typeof at === 'object' && at !== null && !Array.isArray(at) && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined,
          object,
        );
        const text = JSON.stringify(object, undefined, indent);
        expect(find(text, path.join('.'))).toEqual(expected === undefined ? undefined : JSON.parse(JSON.stringify(expected)));
      },
    ),
    { numRuns: 500 },
  );
});

test('strings of every length end where they end, whatever is escaped in them', () => {
  for (let length = 0; length < 60; length++) {
    for (const tail of ['', '\\', '\\\\', '"', '\\"', '"\\', '""}]', '\\\\\\"x']) {
      const text = 'x'.repeat(length) + tail;
      expect(find(JSON.stringify({ a: text, [text]: 1, b: text, c: [text, 2] }), 'c')).toEqual([text, 2]);
    }
  }
});

test('a string that never ends ends with the document', () => {
  for (const text of ['{"a":"', `{"a":"${'x'.repeat(50)}`, `{"a":"${'x'.repeat(50)}\\"`]) {
    expect(findValue(Buffer.from(text), 0, pathOf('a'))).toEqual({ start: 5, end: text.length });
  }
});
