// What the server would select, decided on an object that we have.
import { parseLabelSelector } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';

/** `spec.nodeName`: any field, not only those that the server can select by. */
export type FieldPath = string;

export interface Wanted {
  readonly labelSelector?: string;
  readonly fields?: Readonly<Record<FieldPath, string>>;
}

/** An absent field is the empty text, as for the server. */
export function isSelected(object: KubernetesObject, { labelSelector = '', fields = {} }: Wanted): boolean {
  if (labelSelector !== '' && !parseLabelSelector(labelSelector).matches(object.metadata.labels)) return false;
  return Object.entries(fields).every(([path, value]) => textAt(object, path) === value);
}

function textAt(object: KubernetesObject, path: FieldPath): string {
  let at: unknown = object;
  for (const name of path.split('.')) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  return at === undefined || at === null ? '' : String(at);
}
