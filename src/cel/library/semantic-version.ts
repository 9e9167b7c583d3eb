// Semantic versions as github.com/blang/semver/v4 reads them, with its wording of what is wrong.
import { goQuote } from '#base/go-text.ts';
import { type Parsed, parsed, unparsed } from '#cel/library/parsed.ts';

export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numeric identifiers are numbers: they order before texts. */
  readonly prerelease: readonly (bigint | string)[];
}

const largest = 2n ** 64n - 1n;

export function parseSemanticVersion(text: string): Parsed<SemanticVersion> {
  if (text === '') return unparsed('Version string empty');
  const [majorText, minorText, rest] = splitInThree(text);
  if (majorText === undefined || minorText === undefined || rest === undefined) return unparsed('No Major.Minor.Patch elements found');
  const major = readNumber(majorText, 'major', 'Major');
  if (!major.ok) return major;
  const minor = readNumber(minorText, 'minor', 'Minor');
  if (!minor.ok) return minor;
  const [beforeBuild, build] = cut(rest, '+');
  const [patchText, pre] = cut(beforeBuild, '-');
  const patch = readNumber(patchText, 'patch', 'Patch');
  if (!patch.ok) return patch;
  const prerelease = readPrerelease(pre);
  if (!prerelease.ok) return prerelease;
  const wrongBuild = build
    ?.split('.')
    .map(buildProblem)
    .find((problem) => problem !== undefined);
  if (wrongBuild !== undefined) return unparsed(wrongBuild);
  return parsed({ major: major.value, minor: minor.value, patch: patch.value, prerelease: prerelease.value });
}

/** Takes a leading `v`, leading zeros, and fills up what is missing of major.minor.patch, as `semver(text, true)` does. */
export function parseNormalizedVersion(text: string): Parsed<SemanticVersion> {
  const parts = splitInThree(text.startsWith('v') ? text.slice(1) : text).map(withoutLeadingZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return unparsed('short version cannot contain PreRelease/Build meta data');
  while (parts.length < 3) parts.push('0');
  return parseSemanticVersion(parts.join('.'));
}

/** Build metadata does not count. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): -1 | 0 | 1 {
  const numbers = compare(a.major, b.major) || compare(a.minor, b.minor) || compare(a.patch, b.patch);
  if (numbers !== 0) return numbers;
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return compare(b.prerelease.length, a.prerelease.length);
  const shared = Math.min(a.prerelease.length, b.prerelease.length);
  for (let index = 0; index < shared; index++) {
    const order = compareIdentifiers(a.prerelease[index] ?? '', b.prerelease[index] ?? '');
    if (order !== 0) return order;
  }
  return compare(a.prerelease.length, b.prerelease.length);
}

function splitInThree(text: string): string[] {
  const [first = '', rest] = cut(text, '.');
  if (rest === undefined) return [first];
  const [second, third] = cut(rest, '.');
  return third === undefined ? [first, second] : [first, second, third];
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function withoutLeadingZeros(part: string): string {
  if (part.length < 2) return part;
  const trimmed = part.replace(/^0+/, '');
  return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
}

function readNumber(text: string, name: string, title: string): Parsed<bigint> {
  if (!/^[0-9]*$/.test(text)) return unparsed(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  if (hasLeadingZeros(text)) return unparsed(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  return parseUnsigned(text);
}

function readPrerelease(text: string | undefined): Parsed<readonly (bigint | string)[]> {
  const identifiers: (bigint | string)[] = [];
  for (const part of text?.split('.') ?? []) {
    const identifier = readIdentifier(part);
    if (!identifier.ok) return identifier;
    identifiers.push(identifier.value);
  }
  return parsed(identifiers);
}

function readIdentifier(text: string): Parsed<bigint | string> {
  if (text === '') return unparsed('Prerelease is empty');
  if (!/^[0-9A-Za-z-]+$/.test(text)) return unparsed(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  if (!/^[0-9]+$/.test(text)) return parsed(text);
  if (hasLeadingZeros(text)) return unparsed(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
  return parseUnsigned(text);
}

function buildProblem(text: string): string | undefined {
  if (text === '') return 'Build meta data is empty';
  return /^[0-9A-Za-z-]+$/.test(text) ? undefined : `Invalid character(s) found in build meta data ${goQuote(text)}`;
}

function hasLeadingZeros(text: string): boolean {
  return text.length > 1 && text.startsWith('0');
}

/** strconv.ParseUint, base 10 and 64 bits. */
function parseUnsigned(text: string): Parsed<bigint> {
  if (text === '') return unparsed('strconv.ParseUint: parsing "": invalid syntax');
  // 2^64 has 20 digits: longer texts are not made numbers at all.
  const value = text.length > 20 ? largest + 1n : BigInt(text);
  return value > largest ? unparsed(`strconv.ParseUint: parsing ${goQuote(text)}: value out of range`) : parsed(value);
}

function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  return compare(a, b);
}

function compare<T extends bigint | string | number>(a: T, b: T): -1 | 0 | 1 {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
