// How the objects of one resource lie in the store, and how they are served. A stored object has no resourceVersion: that is the revision
// of the write, unknown before. Only a StoredForm knows where it stands; cache, write loop, quota and answers ask it.
import type { KubernetesObject } from '#api/object.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

export interface StoredForm {
  /** JSON of an object in the storage version, without resourceVersion and selfLink. */
  encode(object: KubernetesObject): Buffer;
  /** The same with what it says about its resourceVersion: for the answer to a creation that is only rehearsed. */
  encodeWhole(object: KubernetesObject): Buffer;
  /** The object of JSON as it is served or as `encode` made it, keeping nothing of the bytes. Integers beyond 2^53 stay exact. */
  parse(json: Buffer): KubernetesObject;
  /** Where the resourceVersion of a write goes in what `encode` made. */
  placeOfVersion(json: Uint8Array, revision: number): Splice;
  /** Where another resourceVersion goes in JSON that is served. */
  placeOfOtherVersion(json: Uint8Array, revision: number): Splice;
  /** What a list writes around its items, and how many bytes it leaves out at the beginning of each (the brace is written again). */
  listFrame(metadata: object): ListFrame;
  /** The same list as an object, for all other representations. */
  listObject(items: readonly KubernetesObject[], metadata: object): object;
  /** From JSON to what the store keeps, where that is something else: encrypted, protobuf. */
  readonly toStore?: (json: Buffer, key: string) => MaybePromise<Uint8Array>;
  /**
   * From what the store keeps to JSON as `encode` makes it, in the same order, where the two may differ: encrypted, protobuf, an older version,
   * fields that the schema has dropped or defaults since. The cache asks before it takes anything in, many at a time where it can.
   */
  readonly fromStore?: (stored: readonly StoredBytes[]) => MaybePromise<readonly Uint8Array[]>;
  /** Whether the object would lie in the store otherwise if it were written today: then a write without a change is performed all the same. */
  readonly isStale?: (stored: StoredBytes) => MaybePromise<boolean>;
}

export interface StoredBytes {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Bytes are added (`start === end`) or exchanged. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  /** What stands there, in latin1. */
  readonly text: string;
}

export interface ListFrame {
  readonly head: string;
  readonly tail: string;
  readonly skip: number;
}

export function spliced(bytes: Uint8Array, splice: Splice): Buffer {
  return spliceInto(Buffer.allocUnsafe(splicedLength(bytes, splice)), bytes, splice);
}

export function splicedLength(bytes: Uint8Array, { start, end, text }: Splice): number {
  return bytes.length - (end - start) + text.length;
}

/** Writes what `spliced` returns to the beginning of `target`. */
export function spliceInto(target: Buffer, bytes: Uint8Array, { start, end, text }: Splice): Buffer {
  target.set(bytes.subarray(0, start));
  target.write(text, start, 'latin1');
  target.set(bytes.subarray(end), start + text.length);
  return target;
}
