// Lists, maps and bytes that a client sent empty are left out of an object as if they were never sent. Go can tell them apart until the object
// is stored, and its messages show the difference; so we remember it beside the object. So it is with quantities that were left
// out or spelled otherwise than they are stored. Trap: a copy made by a spread knows nothing of it. Code
// that copies a struct which rules or field tracking will see calls `copyGivenEmpty` (clone and withOwners do); where it is forgotten, an empty
// list that was sent is shown as null and owned by nobody, nothing worse.
const given = new WeakMap<object, readonly string[]>();

export function noteGivenEmpty(owner: object, field: string): void {
  given.set(owner, [...(given.get(owner) ?? []), field]);
}

export function copyGivenEmpty(from: object, to: object): void {
  const fields = given.get(from);
  if (fields !== undefined) given.set(to, fields);
}

export function wasGivenEmpty(owner: object, field: string): boolean {
  return given.get(owner)?.includes(field) === true && isStillEmpty(owner, field);
}

/** A default may have come in its place. */
function isStillEmpty(owner: object, field: string): boolean {
  const value = (owner as Readonly<Record<string, unknown>>)[field];
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** One of its own fields was sent empty. */
export function hasGivenEmpty(owner: object): boolean {
  return given.get(owner)?.some((field) => isStillEmpty(owner, field)) === true;
}

/** Something in it was sent empty. */
export function holdsGivenEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return hasGivenEmpty(value) || Object.values(value).some(holdsGivenEmpty);
}

/** What is neither a schema nor a list where one of them is wanted: Go keeps a union without a member, which is no error. */
export function withoutMember(): unknown[] {
  const none: unknown[] = [];
  noteGivenEmpty(none, 'member');
  return none;
}

export function isWithoutMember(value: object): boolean {
  return wasGivenEmpty(value, 'member');
}
