// Field sets that come as bytes of their own, as in protobuf: one that was met before is recognised by its bytes and stays the text it is,
// unparsed (fields-text.ts). Paid for by the cells of `npm run bench` that update in protobuf.
import { sharedMemo } from '#base/shared-memos.ts';
import { RecentFieldSets } from '#schema/fields-text/recent-field-sets.ts';
import { writeJson } from '#schema/json/json-text.ts';

const recent = sharedMemo(new RecentFieldSets());

/** Undefined for bytes that have to be parsed. */
export function recognizedSet(bytes: Buffer): string | undefined {
  const set = recent.at(bytes, 0);
  return set?.length === bytes.length ? set.text : undefined;
}

/** What the bytes say. Text that we would write otherwise is parsed again when it comes again: its value is what counts. */
export function keepSet(bytes: Buffer, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const text = bytes.toString();
  if (writeJson(value) === text) recent.add(bytes, 0, bytes.length, text);
}
