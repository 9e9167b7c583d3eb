import { describe, expect, test } from 'vitest';
import * as formats from '#base/formats.ts';

const a = (length: number) => 'a'.repeat(length);

/** The start of each problem is enough to tell which it is. */
function table(name: string, check: (value: string) => readonly string[], good: readonly string[], bad: readonly (readonly [string, ...string[]])[]): void {
  describe(name, () => {
    test.each(good)('may be %j', (value) => {
      expect(check(value)).toEqual([]);
    });
    test.each(bad)('may not be %j', (value, ...starts) => {
      const problems = check(value);
      expect(problems).toHaveLength(starts.length);
      for (const [index, start] of starts.entries()) expect(problems[index]?.startsWith(start)).toBe(true);
    });
  });
}

const label = 'a lowercase RFC 1123 label must consist of';
const subdomain = 'a lowercase RFC 1123 subdomain must consist of';
table(
  'a DNS label',
  formats.dns1123LabelProblems,
  ['a', '0-a', a(63)],
  [
    ['', label],
    ['-a', label],
    ['A', label],
    ['a.b', 'must not contain dots'],
    [a(64), 'must be no more than 63 characters'],
    ['ä', label],
  ],
);
table(
  'a DNS subdomain',
  formats.dns1123SubdomainProblems,
  ['a', 'a.b-c.0', a(253)],
  [
    ['a..b', subdomain],
    ['.a', subdomain],
    ['a_b', subdomain],
    [a(254), 'must be no more than 253 characters'],
  ],
);
table(
  'a DNS subdomain with underscores',
  formats.dns1123SubdomainUnderscoreProblems,
  ['_a.b_c', 'a'],
  [
    ['a_', subdomain],
    ['A', subdomain],
  ],
);
table(
  'a driver name',
  formats.dns1123SubdomainCaselessProblems,
  ['Example.COM'],
  [
    ['a b', 'an RFC 1123 subdomain'],
    [a(254), 'must be no more than 253 bytes'],
  ],
);
table(
  'an old DNS label',
  formats.dns1035LabelProblems,
  ['a1'],
  [
    ['1a', 'a DNS-1035 label'],
    [a(64), 'must be no more than 63 characters'],
  ],
);
table(
  'a wildcard name',
  formats.wildcardDns1123SubdomainProblems,
  ['*.a.b'],
  [
    ['a.b', 'a wildcard DNS-1123 subdomain'],
    ['*.*.a', 'a wildcard DNS-1123 subdomain'],
  ],
);
table(
  'a path segment',
  formats.pathSegmentProblems,
  ['a:b', '...'],
  [
    ['.', "may not be '.'"],
    ['..', "may not be '..'"],
    ['a/%', "may not contain '/'", "may not contain '%'"],
  ],
);
table(
  'a C identifier',
  formats.cIdentifierProblems,
  ['_a1'],
  [
    ['1a', 'a valid C identifier'],
    ['', 'a valid C identifier'],
  ],
);
table(
  'a percentage',
  formats.percentProblems,
  ['0%', '150%'],
  [
    ['5', 'a valid percent string'],
    ['-1%', 'a valid percent string'],
    ['1.5%', 'a valid percent string'],
  ],
);
table('a header name', formats.httpHeaderNameProblems, ['X-a'], [['a_b', 'a valid HTTP header']]);
table(
  'the name of a variable',
  formats.environmentNameProblems,
  ['a b', '1', '$'],
  [
    ['', 'environment variable name must be non-empty'],
    ['a=b', 'a valid environment variable name'],
    ['\t', 'a valid environment variable name'],
  ],
);
table(
  'a config key',
  formats.configKeyProblems,
  ['a.b_c-D', '.a'],
  [
    ['.', "must not be '.'"],
    ['..', "must not be '..'"],
    ['..a', "must not start with '..'"],
    ['a/b', 'a valid config key'],
    [a(254), 'must be no more than 253 characters'],
  ],
);
table(
  'a decimal integer',
  formats.decimalIntegerProblems,
  ['0', '-1', '10'],
  [
    ['', 'must be non-empty'],
    ['-0', 'must be a valid decimal'],
    ['01', 'must be a valid decimal'],
    ['+1', 'must be a valid decimal'],
  ],
);
table(
  'a generated label',
  (value) => formats.nameIsLabel(value, true),
  ['a-', 'a'],
  [
    ['-', label],
    ['-a', label],
  ],
);

describe('a path with a domain', () => {
  test.each([
    ['example.com/a/b', []],
    ['example.com', ['must be a domain-prefixed path (such as "acme.io/foo")']],
    ['/a', ['must be a domain-prefixed path (such as "acme.io/foo")']],
    ['a/', ['must be a domain-prefixed path (such as "acme.io/foo")']],
  ])('%j', (value, problems) => {
    expect(formats.domainPrefixedPathProblems(value).map(({ problem }) => problem)).toEqual(problems);
  });

  test('is reported part by part', () => {
    expect(formats.domainPrefixedPathProblems('A/b c').map(({ value }) => value)).toEqual(['A', 'b c']);
  });
});

test('patterns do not take long for hostile texts', () => {
  const hostile = [`${'a.'.repeat(50_000)}!`, `${'a-'.repeat(50_000)}!`, `${'_'.repeat(100_000)}!`];
  for (const text of hostile) {
    expect(formats.dns1123SubdomainProblems(text)).toHaveLength(2);
    expect(formats.dns1123SubdomainUnderscoreProblems(text)).toHaveLength(2);
  }
});
