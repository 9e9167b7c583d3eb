// What a list or a watch wants to see, prepared for deciding quickly.
import { everyField, type FieldSelector, fieldTestsOf, requiredFieldValue } from '#api/field-selector.ts';
import { everyLabel, type LabelSelector } from '#api/label-selector.ts';
import type { StoredItem } from '#cache/cache-item.ts';
import { type KeyRange, rangeOf } from '#store/store.ts';

export interface Selection {
  /** '' for all, and for resources without namespaces. */
  readonly namespace: string;
  readonly name?: string | undefined;
  readonly labels?: LabelSelector | undefined;
  readonly fields?: FieldSelector | undefined;
}

/** What a match must have, for finding candidates: the key, or else the name, an indexed field, a label, the namespace. */
export interface Matcher {
  /** Equal for selections that select the same. */
  readonly text: string;
  readonly range: KeyRange;
  readonly key: string | undefined;
  readonly name: string | undefined;
  readonly index: IndexedValue | undefined;
  /** `app=web`. */
  readonly label: string | undefined;
  readonly namespace: string;
  /** Every item of the range matches. */
  readonly everything: boolean;
  matches(item: StoredItem): boolean;
}

export interface IndexedValue {
  /** Position in `indexedFields`. */
  readonly index: number;
  readonly value: string;
}

export interface SelectionScope {
  readonly prefix: string;
  readonly namespaced: boolean;
  readonly indexedFields: readonly string[];
}

export function matcherOf(selection: Selection, scope: SelectionScope): Matcher {
  const { labels = everyLabel, fields = everyField } = selection;
  const name = selection.name ?? requiredFieldValue(fields, 'metadata.name');
  const namespace = namespaceOf(selection.namespace, fields, scope);
  const start = namespace === '' ? scope.prefix : `${scope.prefix}${namespace}/`;
  return {
    get text() {
      return JSON.stringify([selection.namespace, selection.name, labels.text, fields.text]);
    },
    range: rangeOf(start),
    key: name !== undefined && (namespace !== '' || !scope.namespaced) ? start + name : undefined,
    name,
    index: indexedValue(fields, scope.indexedFields),
    label: requiredLabel(labels),
    namespace,
    everything: labels === everyLabel && fields === everyField && name === undefined,
    matches: testOf({ start, name, labels, fields }, scope),
  };
}

function namespaceOf(asked: string, fields: FieldSelector, { namespaced }: SelectionScope): string {
  if (!namespaced) return '';
  return asked === '' ? (requiredFieldValue(fields, 'metadata.namespace') ?? '') : asked;
}

function indexedValue(fields: FieldSelector, indexedFields: readonly string[]): IndexedValue | undefined {
  for (const [index, field] of indexedFields.entries()) {
    const value = requiredFieldValue(fields, field);
    if (value !== undefined) return { index, value };
  }
  return undefined;
}

function requiredLabel({ requirements }: LabelSelector): string | undefined {
  const exact = requirements.find(({ operator, values }) => operator === '=' || (operator === 'in' && values.length === 1));
  return exact && `${exact.key}=${exact.values[0]}`;
}

type Test = (item: StoredItem) => boolean;

interface Wanted {
  /** What the key begins with. */
  readonly start: string;
  readonly name: string | undefined;
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
}

/** The cheap tests first: what the key says, then labels and indexed fields; other fields need the parsed object. */
function testOf({ start, name, labels, fields }: Wanted, scope: SelectionScope): Test {
  const tests: Test[] = [];
  if (start !== scope.prefix) tests.push((item) => item.key.startsWith(start));
  if (name !== undefined) tests.push((item) => item.key.endsWith(`/${name}`));
  if (labels !== everyLabel) tests.push((item) => labels.matches(item.labels));
  const costly: Test[] = [];
  for (const [field, test] of fieldTestsOf(fields.requirements)) {
    const read = cheapField(field, scope.indexedFields);
    if (read) tests.push((item) => test(read(item)));
    else costly.push((item) => test(item.fields[field] ?? ''));
  }
  tests.push(...costly);
  const [first] = tests;
  return first !== undefined && tests.length === 1 ? first : (item) => tests.every((test) => test(item));
}

function cheapField(field: string, indexedFields: readonly string[]): ((item: StoredItem) => string) | undefined {
  if (field === 'metadata.name') return (item) => item.name;
  if (field === 'metadata.namespace') return (item) => item.namespace;
  const index = indexedFields.indexOf(field);
  return index < 0 ? undefined : (item) => item.indexed[index] ?? '';
}
