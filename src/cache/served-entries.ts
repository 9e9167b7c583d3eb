// What the store returned as the cache takes it in: JSON of the resource's form. The same entries where the store keeps nothing else.
import type { StoredForm } from '#api/stored-form.ts';
import { isEncrypted, readEncryptedData, UnreadableError, unreadableObject } from '#api/unreadable-error.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Change, Entry } from '#store/store.ts';

export function servedEntries(form: StoredForm, entries: readonly Entry[]): MaybePromise<readonly Entry[]> {
  if (form.fromStore === undefined || entries.length === 0) return entries;
  return andThen(form.fromStore(entries), (values) => entries.map((entry, i) => ({ ...entry, value: valueAt(values, i) })));
}

/** Of a request for this very object. */
export async function servedEntry(form: StoredForm, entry: Entry): Promise<Entry> {
  try {
    if (form.fromStore === undefined && isEncrypted(entry.value)) throw new UnreadableError(entry.key, '', readEncryptedData);
    const [served = entry] = await servedEntries(form, [entry]);
    return served;
  } catch (error) {
    throw error instanceof UnreadableError ? unreadableObject(error) : error;
  }
}

/** Deletions have no value. */
export function servedChanges(form: StoredForm, changes: readonly Change[]): MaybePromise<readonly Change[]> {
  const writes = changes.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  if (form.fromStore === undefined || writes.length === 0) return changes;
  return andThen(form.fromStore(writes), (values) => {
    let next = 0;
    return changes.map((change) => {
      const { key, revision, value, previous } = change;
      return value === undefined ? change : { key, revision, value: valueAt(values, next++), previous };
    });
  });
}

function valueAt(values: readonly Uint8Array[], index: number): Uint8Array {
  const value = values[index];
  if (value === undefined) throw new Error('a stored form has lost an object');
  return value;
}
