// kubernetes.format: checks of texts by name, with the problems as result.
import { nameIsLabel, nameIsLabel1035, nameIsSubdomain } from '#base/formats.ts';
import { labelKeyProblems, labelValueProblems } from '#base/label-syntax.ts';
import { declare, global, member, noSuchOverload } from '#cel/library/declare.ts';
import { parseRequestUri } from '#cel/library/go-url.ts';
import type { Library } from '#cel/library.ts';
import { listType, objectType, optionalType, stringType } from '#cel/type.ts';
import { ArrayList, type CelObject, type CelValue, Optional } from '#cel/value.ts';

export const formatType = objectType('kubernetes.NamedFormat');

/** The problems of a text; none when it is fine. */
type Check = (text: string) => readonly string[];

export class FormatValue implements CelObject {
  readonly kind = 'object';
  readonly typeName = formatType.name;
  readonly name: string;
  /** The length of the pattern that upstream checks with, or would: costs count it. */
  readonly patternLength: number;
  readonly problemsOf: Check;
  constructor(name: string, patternLength: number, problemsOf: Check) {
    this.name = name;
    this.patternLength = patternLength;
    this.problemsOf = problemsOf;
  }
  equals(other: CelValue): boolean {
    return other instanceof FormatValue ? this.name === other.name : noSuchOverload();
  }
}

const dateTimePatternLength = 71;

const formats: Readonly<Record<string, FormatValue>> = {
  dns1123Label: new FormatValue('DNS1123Label', 30, (text) => nameIsLabel(text, false)),
  dns1123Subdomain: new FormatValue('DNS1123Subdomain', 60, (text) => nameIsSubdomain(text, false)),
  dns1035Label: new FormatValue('DNS1035Label', 30, (text) => nameIsLabel1035(text, false)),
  qualifiedName: new FormatValue('QualifiedName', 60, labelKeyProblems),
  dns1123LabelPrefix: new FormatValue('DNS1123LabelPrefix', 30, (text) => nameIsLabel(text, true)),
  dns1123SubdomainPrefix: new FormatValue('DNS1123SubdomainPrefix', 60, (text) => nameIsSubdomain(text, true)),
  dns1035LabelPrefix: new FormatValue('DNS1035LabelPrefix', 30, (text) => nameIsLabel1035(text, true)),
  labelValue: new FormatValue('LabelValue', 40, labelValueProblems),
  uri: new FormatValue('URI', 1103, uriProblems),
  uuid: new FormatValue('uuid', 70, (text) => unless(isUuid(text), 'does not match the UUID format')),
  byte: new FormatValue('byte', 84, (text) => unless(isBase64(text), 'invalid base64')),
  date: new FormatValue('date', dateTimePatternLength, (text) => unless(isDate(text), 'invalid date')),
  datetime: new FormatValue('datetime', dateTimePatternLength, (text) => unless(isDateTime(text), 'invalid datetime')),
};

export const formatLibrary: Library = {
  name: 'kubernetes.format',
  introduced: 31,
  functions: [
    declare('validate', member('format-validate', [formatType, stringType], optionalType(listType(stringType)), validate)),
    declare('format.named', global('format-named', [stringType], optionalType(formatType), named)),
    ...Object.entries(formats).map(([name, format]) =>
      declare(
        `format.${name}`,
        global(`format.${name}`, [], formatType, () => format),
      ),
    ),
  ],
};

function validate(format: FormatValue, text: string): Optional {
  const problems = format.problemsOf(text);
  return problems.length === 0 ? Optional.none : Optional.of(new ArrayList(problems));
}

function named(name: string): Optional {
  return Object.hasOwn(formats, name) ? Optional.of(formats[name] ?? null) : Optional.none;
}

function unless(fine: boolean, problem: string): readonly string[] {
  return fine ? [] : [problem];
}

function uriProblems(text: string): readonly string[] {
  const uri = parseRequestUri(text);
  return uri.ok ? [] : [uri.problem];
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** What follows a second `t` is not looked at; seconds stop at 59. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time);
  return match !== null && isDate(date) && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}
