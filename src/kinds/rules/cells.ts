// Cells of Tables that many kinds share.
import { type LabelSelectorObject, labelSelectorFrom } from '#api/label-selector.ts';
import type { Column } from '#resource/column.ts';
import type { ObjectMeta } from '#api/object.ts';
import { ageOf } from '#kinds/rules/age.ts';

interface WithMetadata {
  readonly metadata: ObjectMeta;
}

export function nameColumn<T extends WithMetadata>(): Column<T> {
  return { name: 'Name', type: 'string', format: 'name', read: ({ metadata }) => metadata.name ?? '' };
}

export function ageColumn<T extends WithMetadata>(): Column<T> {
  return { name: 'Age', type: 'string', read: ({ metadata }, context) => ageOf(metadata.creationTimestamp, context) };
}

/** `a=b,c=d`, sorted. */
export function labelsCell(labels: Readonly<Record<string, string>> | undefined): string {
  const keys = Object.keys(labels ?? {}).toSorted();
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${labels?.[key]}`).join(',');
}

export function selectorCell(selector: LabelSelectorObject | undefined): string {
  try {
    const { text } = labelSelectorFrom(selector);
    return text === '' ? '<none>' : text;
  } catch {
    return '<error>';
  }
}

interface WithContainers {
  readonly containers?: readonly { readonly name: string; readonly image?: string | undefined }[] | undefined;
}

export function containerNamesCell(spec: WithContainers | undefined): string {
  return (spec?.containers ?? []).map(({ name }) => name).join(',');
}

export function imagesCell(spec: WithContainers | undefined): string {
  return (spec?.containers ?? []).map(({ image }) => image ?? '').join(',');
}
