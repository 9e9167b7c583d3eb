// kubernetes.Semver, version 1: semantic versions, optionally normalized.
import { declare, global, member, noSuchOverload } from '#cel/library/declare.ts';
import { compareVersions, parseNormalizedVersion, parseSemanticVersion, type SemanticVersion } from '#cel/library/semantic-version.ts';
import type { Parsed } from '#cel/library/parsed.ts';
import type { Library } from '#cel/library.ts';
import { boolType, intType, objectType, stringType } from '#cel/type.ts';
import { CelError, type CelObject, type CelValue } from '#cel/value.ts';

export const semverType = objectType('kubernetes.Semver');

export class SemverValue implements CelObject {
  readonly kind = 'object';
  readonly typeName = semverType.name;
  readonly version: SemanticVersion;
  constructor(version: SemanticVersion) {
    this.version = version;
  }
  equals(other: CelValue): boolean {
    return other instanceof SemverValue ? compareVersions(this.version, other.version) === 0 : noSuchOverload();
  }
}

export const semverLibrary: Library = {
  name: 'kubernetes.Semver',
  introduced: 33,
  functions: [
    declare(
      'semver',
      global('string_to_semver', [stringType], semverType, (text: string) => toSemver(text, false)),
      global('string_bool_to_semver', [stringType, boolType], semverType, toSemver),
    ),
    declare(
      'isSemver',
      global('is_semver_string', [stringType], boolType, (text: string) => parse(text, false).ok),
      global('is_semver_string_bool', [stringType, boolType], boolType, (text: string, normalize: boolean) => parse(text, normalize).ok),
    ),
    declare(
      'isGreaterThan',
      member('semver_is_greater_than', [semverType, semverType], boolType, (a: SemverValue, b: SemverValue) => compare(a, b) > 0),
    ),
    declare(
      'isLessThan',
      member('semver_is_less_than', [semverType, semverType], boolType, (a: SemverValue, b: SemverValue) => compare(a, b) < 0),
    ),
    declare(
      'compareTo',
      member('semver_compare_to', [semverType, semverType], intType, (a: SemverValue, b: SemverValue) => BigInt(compare(a, b))),
    ),
    declare(
      'major',
      member('semver_major', [semverType], intType, ({ version }: SemverValue) => BigInt.asIntN(64, version.major)),
    ),
    declare(
      'minor',
      member('semver_minor', [semverType], intType, ({ version }: SemverValue) => BigInt.asIntN(64, version.minor)),
    ),
    declare(
      'patch',
      member('semver_patch', [semverType], intType, ({ version }: SemverValue) => BigInt.asIntN(64, version.patch)),
    ),
  ],
};

function parse(text: string, normalize: boolean): Parsed<SemanticVersion> {
  return normalize ? parseNormalizedVersion(text) : parseSemanticVersion(text);
}

export function toSemver(text: string, normalize: boolean): SemverValue {
  const version = parse(text, normalize);
  if (!version.ok) throw new CelError(version.problem);
  return new SemverValue(version.value);
}

function compare(a: SemverValue, b: SemverValue): -1 | 0 | 1 {
  return compareVersions(a.version, b.version);
}
