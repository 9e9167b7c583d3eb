// What the writer that is going to be killed tells the one who checks, line by line, each before or after the fact.
import { createHash } from 'node:crypto';

/** Everything needed to recognise a value again; the rest of it is filling, so that a torn value shows. */
export interface Stamp {
  readonly key: string;
  readonly writer: string;
  readonly sequence: number;
  /** Written with a time to live, far longer than the test. */
  readonly expires: boolean;
}

export type JournalLine =
  /** `stamp` is missing for a deletion. */
  | { readonly event: 'trying'; readonly key: string; readonly stamp?: Stamp }
  | { readonly event: 'written'; readonly key: string; readonly revision: number; readonly stamp?: Stamp }
  | { readonly event: 'watched'; readonly revision: number }
  | { readonly event: 'compacting'; readonly before: number };

export function encodeValue(stamp: Stamp, size: number): Buffer {
  const head = Buffer.from(JSON.stringify({ stamp, size }));
  const body = Buffer.alloc(size, head);
  const sum = createHash('sha1').update(head).update(body).digest();
  return Buffer.concat([Buffer.from([head.length >> 8, head.length & 0xff]), head, body, sum]);
}

/** Throws when the value is not exactly as it was written. */
export function decodeValue(value: Uint8Array): Stamp {
  const bytes = Buffer.from(value);
  const end = 2 + bytes.readUInt16BE(0);
  const { stamp, size } = JSON.parse(bytes.toString('utf8', 2, end)) as { stamp: Stamp; size: number };
  if (!bytes.equals(encodeValue(stamp, size))) throw new Error(`a torn value at ${stamp.key}`);
  return stamp;
}

export function sameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.key === b?.key && a?.writer === b?.writer && a?.sequence === b?.sequence;
}
