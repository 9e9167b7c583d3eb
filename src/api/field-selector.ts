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

/** Throws the 400 of the original when the text is no selector. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text)
    .toSorted()
    .filter((term) => term !== '');
  const requirements = terms.map((term) => parseTerm(term, text));
  // As in the original, an operator without field and value asks for nothing.
  return fieldSelectorOf(requirements.filter(({ field, value }) => field !== '' || value !== ''));
}

export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  if (requirements.length === 0) return everyField;
  const texts = requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`);
  return {
    requirements,
    text: [...new Set(texts)].toSorted().join(','),
    matches: fieldTestOf(requirements),
  };
}

/** Requirements of one field are taken together: an object costs as much as there are fields to select by, not requirements. */
function fieldTestOf(requirements: readonly FieldRequirement[]): FieldSelector['matches'] {
  if (requirements.length < many) {
    return (fields) => requirements.every(({ field, operator, value }) => ((fields[field] ?? '') === value) === (operator === '='));
  }
  const equal = new Map<string, string>();
  const excluded = new Map<string, Set<string>>();
  for (const { field, operator, value } of requirements) {
    if (operator === '!=') excluded.set(field, (excluded.get(field) ?? new Set()).add(value));
    else if ((equal.get(field) ?? value) !== value) return () => false;
    else equal.set(field, value);
  }
  const [wanted, unwanted] = [[...equal], [...excluded]];
  return (fields) => wanted.every(([field, value]) => (fields[field] ?? '') === value) && unwanted.every(([field, values]) => !values.has(fields[field] ?? ''));
}

/** From here on it pays to sort requirements by field. */
const many = 16;

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
