// Field selectors: `metadata.name=a,spec.nodeName!=b`. Which fields a resource knows is the resource's business.
import { badRequest } from '#api/api-error.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export interface FieldSelector {
  /** All of them must hold. */
  readonly requirements: readonly FieldRequirement[];
  /** Canonical: two selectors with the same text select the same objects. Empty: everything. */
  readonly text: string;
  /** A field that an object does not have counts as empty. */
  matches(fields: Readonly<Record<string, string>>): boolean;
}

export const everyField: FieldSelector = { requirements: [], text: '', matches: () => true };

/** The original has no limit but the size of a head. */
const mostRequirements = 10_000;

/** Throws the 400 of the original when the text is no selector. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text);
  if (terms.length > mostRequirements) throw badRequest(`a field selector may have at most ${mostRequirements} requirements`);
  const requirements = terms.toSorted().map((term) => parseTerm(term, text));
  // As in the original, an operator without field and value asks for nothing.
  return fieldSelectorOf(requirements.filter(({ field, value }) => field !== '' || value !== ''));
}

export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  if (requirements.length === 0) return everyField;
  const tests = fieldTestsOf(requirements);
  let text: string | undefined;
  return {
    requirements,
    get text() {
      text ??= textOf(requirements);
      return text;
    },
    matches: (fields) => tests.every(([field, test]) => test(fields[field] ?? '')),
  };
}

function textOf(requirements: readonly FieldRequirement[]): string {
  const texts = requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`);
  return [...new Set(texts)].toSorted().join(',');
}

export type FieldTest = (value: string) => boolean;

/** What is required of each field, taken together: an object costs as much as there are fields to select by, not requirements. */
export function fieldTestsOf(requirements: readonly FieldRequirement[]): readonly (readonly [field: string, test: FieldTest])[] {
  const byField = new Map<string, FieldRequirement[]>();
  for (const requirement of requirements) {
    const known = byField.get(requirement.field);
    if (known === undefined) byField.set(requirement.field, [requirement]);
    else known.push(requirement);
  }
  return [...byField].map(([field, its]) => [field, testOf(its)]);
}

function testOf(requirements: readonly FieldRequirement[]): FieldTest {
  const [only, ...more] = requirements;
  if (only !== undefined && more.length === 0) return only.operator === '=' ? (value) => value === only.value : (value) => value !== only.value;
  const wanted = new Set(requirements.filter(({ operator }) => operator === '=').map(({ value }) => value));
  const unwanted = new Set(requirements.filter(({ operator }) => operator === '!=').map(({ value }) => value));
  // No value is two at once.
  return (value) => !unwanted.has(value) && (wanted.size === 0 || (wanted.size === 1 && wanted.has(value)));
}

/** The value that a match must have in this field, if the selector says so. */
export function requiredFieldValue(selector: FieldSelector, field: string): string | undefined {
  return selector.requirements.find((requirement) => requirement.field === field && requirement.operator === '=')?.value;
}

export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function splitTerms(text: string): string[] {
  return text.match(/(?:\\[\s\S]|[^,\\]|\\$)+/g) ?? [];
}

function parseTerm(term: string, whole: string): FieldRequirement {
  const found = /^([\s\S]*?)(!=|==|=)([\s\S]*)$/.exec(term);
  if (found === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = found;
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescapeValue(value) };
}

function unescapeValue(text: string): string {
  return text.replace(/\\([\s\S]?)|[,=]/gu, (match, escaped: string | undefined) => {
    if (escaped === undefined) throw badRequest(`invalid field selector: unescaped character in value: ${match.codePointAt(0)}`);
    if (!/^[\\,=]$/.test(escaped)) throw badRequest(`invalid field selector: invalid escape sequence: ${match}`);
    return escaped;
  });
}
