import { expect, test } from 'vitest';
import { compareVersions, parseNormalizedVersion, parseSemanticVersion } from '#cel/library/semantic-version.ts';

// Every expectation was asked of github.com/blang/semver through the real library.
test.each([
  ['', 'Version string empty'],
  ['1.2', 'No Major.Minor.Patch elements found'],
  ['v1.2.3', 'Invalid character(s) found in major number "v1"'],
  ['01.2.3', 'Major number must not contain leading zeroes "01"'],
  ['1.2.c', 'Invalid character(s) found in patch number "c"'],
  ['1..3', 'strconv.ParseUint: parsing "": invalid syntax'],
  ['99999999999999999999.1.1', 'strconv.ParseUint: parsing "99999999999999999999": value out of range'],
  ['1.2.3-', 'Prerelease is empty'],
  ['1.2.3-01', 'Numeric PreRelease version must not contain leading zeroes "01"'],
  ['1.2.3-a_b', 'Invalid character(s) found in prerelease "a_b"'],
  ['1.2.3+', 'Build meta data is empty'],
  ['1.2.3+a_b', 'Invalid character(s) found in build meta data "a_b"'],
])('%s is no version: %s', (text, problem) => {
  expect(parseSemanticVersion(text)).toEqual({ ok: false, problem });
});

test('versions order by number, then by prerelease, whatever their build', () => {
  const inOrder = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '1.0.1', '1.1.0', '2.0.0'];
  for (const [a, left] of inOrder.entries())
    for (const [b, right] of inOrder.entries()) expect(compareVersions(version(left), version(right))).toBe(Math.sign(a - b));
  expect(compareVersions(version('1.0.0+x'), version('1.0.0+y'))).toBe(0);
});

test.each([
  ['v1.2.3', '1.2.3'],
  ['v1', '1.0.0'],
  ['01.01.01', '1.1.1'],
  ['1.2.00', '1.2.0'],
  ['1.2.03-a', '1.2.3-a'],
])('%s normalizes to %s', (text, normal) => {
  expect(parseNormalizedVersion(text)).toEqual(parseSemanticVersion(normal));
});

test('a short version with a prerelease cannot be normalized', () => {
  expect(parseNormalizedVersion('1.2-a')).toEqual({ ok: false, problem: 'short version cannot contain PreRelease/Build meta data' });
});

function version(text: string) {
  const result = parseSemanticVersion(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}
