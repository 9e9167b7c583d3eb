// Deep equality of API values: what is absent, and what is there but empty, is the same.

export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isContainer(a) || !isContainer(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a) !== Array.isArray(b)) return isEmpty(a) && isEmpty(b);
  return Array.isArray(a) ? equalLists(a, b as unknown[]) : equalObjects(a as Record<string, unknown>, b as Record<string, unknown>);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!equal(a[index], b[index])) return false;
  return true;
}

function equalObjects(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const key in a) if (!equal(a[key], member(b, key))) return false;
  for (const key in b) if (!isEmpty(b[key]) && isEmpty(member(a, key))) return false;
  return true;
}

function member(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}
