import { describe, expect, test } from 'vitest';
import { labelSelectorFrom, parseLabelSelector } from '#api/label-selector.ts';

const nameHint =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

const valueHint =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('a parsed label selector', () => {
  test.each([
    ['', { a: 'b' }, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a=', { a: '' }, true],
    ['a=', {}, false],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (x,y)', { a: 'y' }, true],
    ['a in (x,y)', {}, false],
    ['a in ()', { a: '' }, true],
    ['a in (x,)', { a: '' }, true],
    ['a in (,x)', { a: '' }, true],
    ['a in (x,,y)', { a: '' }, true],
    ['a notin (x)', {}, true],
    ['a notin (x)', { a: 'x' }, false],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['! a', { a: '' }, false],
    ['a>1', { a: '2' }, true],
    ['a>1', { a: '1' }, false],
    ['a>1', { a: 'x' }, false],
    ['a>1', {}, false],
    ['a<1', { a: '-5' }, true],
    ['a>9223372036854775806', { a: '9223372036854775807' }, true],
    ['a<1', { a: '-9223372036854775809' }, false],
    [' a = b , c ', { a: 'b', c: '' }, true],
    ['a=b,c=d', { a: 'b' }, false],
    ['in in (in)', { in: 'in' }, true],
    ['a=notin', { a: 'notin' }, true],
    ['example.com/x=1', { 'example.com/x': '1' }, true],
    ['constructor', {}, false],
  ])('%j on %j: %j', (text, labels, expected) => {
    expect(parseLabelSelector(text).matches(labels as Record<string, string>)).toBe(expected);
  });

  test('matches an object without labels as one with none', () => {
    expect(parseLabelSelector('!a').matches(undefined)).toBe(true);
    expect(parseLabelSelector('a').matches(undefined)).toBe(false);
  });

  test('has the same text however it was written', () => {
    expect(parseLabelSelector('b in (y, x,x) , a == 1').text).toBe(parseLabelSelector('a=1,b in (x,y),a=1').text);
    expect(parseLabelSelector('b in (y,x),a==1,!c,d,e>1,f<2,g!=3,h notin ()').text).toBe('a=1,b in (x,y),!c,d,e>1,f<2,g!=3,h notin ()');
  });

  test('lists its requirements by key', () => {
    expect(parseLabelSelector('b,a=1').requirements).toEqual([
      { key: 'a', operator: '=', values: ['1'] },
      { key: 'b', operator: 'exists', values: [] },
    ]);
  });
});

test.each([
  [',x=1', "found ',', expected: !, identifier, or 'end of string'"],
  ['x=1,', "found '', expected: identifier after ','"],
  ['x=1,=', "found '=', expected: identifier after ','"],
  ['x=a b', "found 'b', expected: ',' or 'end of string'"],
  ['!x=1', "found '=', expected: ',' or 'end of string'"],
  ['!!x', "unable to parse requirement: found '!', expected: identifier"],
  ['x>(1)', "unable to parse requirement: found '(', expected: identifier"],
  ['x in 1', "unable to parse requirement: found '1' expected: '('"],
  ['x in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
  ['x in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ['x in (,', "unable to parse requirement: found '', expected: ',', or identifier"],
  ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['x===1', "unable to parse requirement: found '=', expected: identifier"],
  ['a b=c', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
  ['x>y', "unable to parse requirement: values[0]: Invalid value: \"y\": for 'Gt', 'Lt' operators, the value must be an integer"],
  ['-x', `unable to parse requirement: <nil>: Invalid value: "-x": name part ${nameHint}`],
  [
    'a/b/c',
    `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${nameHint} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
  ],
  ['/x', 'unable to parse requirement: <nil>: Invalid value: "/x": prefix part must be non-empty'],
  ['a/', `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; name part ${nameHint}`],
  [`${'a'.repeat(64)}`, `unable to parse requirement: <nil>: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 bytes`],
  [`x=${'v'.repeat(64)}`, `unable to parse requirement: values[0][x]: Invalid value: "${'v'.repeat(64)}": must be no more than 63 bytes`],
  ['x in (-,.)', `unable to parse requirement: [values[0][x]: Invalid value: "-": ${valueHint}, values[1][x]: Invalid value: ".": ${valueHint}]`],
])('%j is refused with the words of the original', (text, message) => {
  expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ code: 400, reason: 'BadRequest', message }));
});

describe('a label selector object', () => {
  test('selects by labels and expressions', () => {
    const selector = labelSelectorFrom({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['a', 'b'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'new', operator: 'Exists' },
        { key: 'zone', operator: 'NotIn', values: ['x'] },
      ],
    });
    expect(selector.matches({ app: 'web', tier: 'a', new: '' })).toBe(true);
    expect(selector.matches({ app: 'web', tier: 'a' })).toBe(false);
    expect(selector.text).toBe('app=web,new,!old,tier in (a,b),zone notin (x)');
  });

  test('selects everything when empty and nothing when absent', () => {
    expect(labelSelectorFrom({}).matches({ a: 'b' })).toBe(true);
    expect(labelSelectorFrom(undefined).matches({})).toBe(false);
    expect(labelSelectorFrom(undefined).text).not.toBe(labelSelectorFrom({}).text);
  });

  test.each([
    [{ key: 'a', operator: 'Near' }, '"Near" is not a valid label selector operator'],
    [{ key: 'a', operator: 'In' }, "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"],
    [{ key: 'a', operator: 'Exists', values: ['x'] }, 'values: Invalid value: ["x"]: values set must be empty for exists and does not exist'],
  ])('%j is refused', (expression, message) => {
    expect(() => labelSelectorFrom({ matchExpressions: [expression] })).toThrow(expect.objectContaining({ message }));
  });
});

describe('a selector of many requirements', () => {
  // The same requirements, short enough to be tried one by one, and so often that they are sorted by key.
  const often = (text: string) => parseLabelSelector(Array.from({ length: 20 }, () => text).join(','));
  const selectors = ['a=b', 'a!=b', 'a in (b,c)', 'a notin (b,c)', 'a', '!a', 'a>1', 'a<5', 'a=b,a=c', 'a>1,a<5', 'a,!a', 'a in (b,c),a notin (c),d'];
  const objects = [{}, { a: 'b' }, { a: 'c' }, { a: 'c', d: '' }, { a: 'b', d: '' }, { a: '3' }, { a: '7' }, { a: '' }, { d: 'e' }];

  test.each(selectors)('%s selects what a short one selects', (text) => {
    for (const labels of objects) expect(often(text).matches(labels), JSON.stringify(labels)).toBe(parseLabelSelector(text).matches(labels));
  });
});
