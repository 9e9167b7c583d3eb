// The text of a list, written piece by piece into buffers of the caller: stored objects between a head and a tail.
import type { ListFrame } from '#api/stored-form.ts';

/** An object that can write itself. */
export interface ListedItem {
  readonly byteLength: number;
  /** No other item has it, so what was made of one with this serial can be used again. */
  readonly serial?: number | undefined;
  /** Without its first `skip` bytes; returns the end. */
  copyTo(target: Uint8Array, at: number, skip: number): number;
}

/** What is written piece by piece. */
export interface Text {
  /** Writes on; returns how many bytes. 0 only at the end. */
  fill(target: Buffer): number;
}

const openBrace = 0x7b;
const comma = 0x2c;

export class ListText implements Text {
  readonly #items: readonly ListedItem[];
  /** What each item has up to here, its brace included, is left out; the brace is written again. */
  readonly #skip: number;
  readonly #tail: Buffer;
  #next = 0;
  /** What must be written before the next item. */
  #rest: Uint8Array;

  constructor({ head, tail, skip }: ListFrame, items: readonly ListedItem[]) {
    this.#rest = Buffer.from(head);
    this.#tail = Buffer.from(tail);
    this.#items = items;
    this.#skip = skip;
  }

  /** Of a part of the items, with what stands around them. Only before the first `fill`. */
  length(from: number, end: number): number {
    let length = from === 0 ? this.#rest.length + this.#tail.length - (this.#items.length > 0 ? 1 : 0) : 0;
    // Each has a brace and a comma, but the last.
    for (let i = from; i < end; i++) length += (this.#items[i] as ListedItem).byteLength - this.#skip + 2;
    return length;
  }

  fill(target: Buffer): number {
    let at = 0;
    for (;;) {
      const part = Math.min(this.#rest.length, target.length - at);
      if (part > 0) target.set(part === this.#rest.length ? this.#rest : this.#rest.subarray(0, part), at);
      this.#rest = this.#rest.subarray(part);
      at += part;
      if (this.#rest.length > 0) return at;
      at = this.#writeItems(target, at);
      if (this.#next < this.#items.length) {
        if (at > 0) return at;
        this.#rest = this.#largeItem();
      } else if (this.#next++ === this.#items.length) this.#rest = this.#tail;
      else return at;
    }
  }

  #writeItems(target: Buffer, start: number): number {
    const items = this.#items;
    const end = target.length;
    let at = start;
    for (; this.#next < items.length; this.#next++) {
      const item = items[this.#next] as ListedItem;
      if (at + item.byteLength - this.#skip + 2 > end) break;
      if (this.#next > 0) target[at++] = comma;
      target[at++] = openBrace;
      at = item.copyTo(target, at, this.#skip);
    }
    return at;
  }

  /** One that does not fit into the caller's buffer at all. */
  #largeItem(): Buffer {
    const item = this.#items[this.#next] as ListedItem;
    const bytes = Buffer.allocUnsafe(item.byteLength - this.#skip + 2);
    let at = 0;
    if (this.#next > 0) bytes[at++] = comma;
    bytes[at++] = openBrace;
    this.#next++;
    return bytes.subarray(0, item.copyTo(bytes, at, this.#skip));
  }
}
