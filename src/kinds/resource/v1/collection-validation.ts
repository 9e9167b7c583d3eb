// Lists with a limit: when it is exceeded nothing else is said about the list.
import type { FieldErrors } from '#api/field-error.ts';

type ItemRule<T> = (item: T, path: string, errors: FieldErrors) => void;

export function validateList<T>(items: readonly T[] | undefined, maximum: number, rule: ItemRule<T>, path: string, errors: FieldErrors): boolean {
  const list = items ?? [];
  if (list.length > maximum) {
    errors.tooMany(path, list.length, maximum);
    return false;
  }
  list.forEach((item, index) => rule(item, `${path}[${index}]`, errors));
  return true;
}

/** A list whose items are told apart by `identity`; duplicates are reported after everything else. */
export function validateSet<T>(
  items: readonly T[] | undefined,
  maximum: number,
  rule: ItemRule<T>,
  identity: (item: T) => unknown,
  path: string,
  errors: FieldErrors,
): void {
  if (!validateList(items, maximum, rule, path, errors)) return;
  const seen = new Set<string>();
  items?.forEach((item, index) => {
    const shown = identity(item);
    const key = JSON.stringify(shown);
    if (seen.has(key)) errors.duplicate(`${path}[${index}]`, shown);
    seen.add(key);
  });
}
