// The text of a list, written piece by piece into buffers of the caller: items between a head and a tail.
import type { ListFrame } from '#api/stored-form.ts';

/** An item of any form. */
export interface Listable {
  /** Of its JSON. */
  readonly byteLength: number;
  /** No other item has it, so what was made of one with this serial can be used again. */
  readonly serial?: number | undefined;
}

/** An object that can write itself. */
export interface ListedItem extends Listable {
  /** Without its first `skip` bytes; returns the end. */
  copyTo(target: Uint8Array, at: number, skip: number): number;
}

/** What is written piece by piece. */
export interface Text {
  /** Writes on; returns how many bytes. 0 only at the end. */
  fill(target: Buffer): number;
}

/** How items of a list are written, each with what stands between it and the one before it. */
export interface ItemWriter<I> {
  /** Two writers with the same name write the same of an item. */
  readonly name: string;
  /** What `write` writes of it next. */
  length(item: I, isFirst: boolean): number;
  /** The same for who only wants to know, where that costs less. */
  knownLength?(item: I, isFirst: boolean): number;
  /** Whether that is known from a list before. */
  knows?(item: I): boolean;
  /** Only after `length` of the same; returns the end. */
  write(item: I, isFirst: boolean, target: Buffer, at: number): number;
}

export interface List<I> {
  readonly items: readonly I[];
  readonly writer: ItemWriter<I>;
  /** What stands around items of this length. */
  readonly frame: (itemsLength: number) => Frame;
}

export interface Frame {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** Of the JSON of the items that one piece is made of: those of which little is written may have to be parsed. */
const sourceBytesPerPiece = 256 * 1024;

const openBrace = 0x7b;
const comma = 0x2c;

/** Objects as they are stored. */
export function storedList({ head, tail, skip }: ListFrame, items: readonly ListedItem[]): List<ListedItem> {
  const frame = { head: Buffer.from(head), tail: Buffer.from(tail) };
  return { items, writer: storedWriter(skip), frame: () => frame };
}

/** Stored objects. What each has up to `skip`, its brace included, is left out; the brace is written again. */
export function storedWriter(skip: number): ItemWriter<ListedItem> {
  return {
    name: `stored ${skip}`,
    length: ({ byteLength }, isFirst) => byteLength - skip + (isFirst ? 1 : 2),
    write: (item, isFirst, target, start) => {
      let at = start;
      if (!isFirst) target[at++] = comma;
      target[at++] = openBrace;
      return item.copyTo(target, at, skip);
    },
  };
}

export class ListText<I extends Listable> implements Text {
  readonly #items: readonly I[];
  readonly #writer: ItemWriter<I>;
  readonly #tail: Uint8Array;
  #next = 0;
  /** What must be written before the next item. */
  #rest: Uint8Array;

  constructor({ items, writer }: Pick<List<I>, 'items' | 'writer'>, { head, tail }: Frame) {
    this.#rest = head;
    this.#tail = tail;
    this.#items = items;
    this.#writer = writer;
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
    const [items, writer] = [this.#items, this.#writer];
    const end = target.length;
    let at = start;
    for (let source = 0; this.#next < items.length && source < sourceBytesPerPiece; this.#next++) {
      const item = items[this.#next] as I;
      source += item.byteLength;
      if (at + writer.length(item, this.#next === 0) > end) break;
      at = writer.write(item, this.#next === 0, target, at);
    }
    return at;
  }

  /** One that does not fit into the caller's buffer at all. */
  #largeItem(): Buffer {
    const item = this.#items[this.#next] as I;
    const isFirst = this.#next++ === 0;
    const bytes = Buffer.allocUnsafe(this.#writer.length(item, isFirst));
    return bytes.subarray(0, this.#writer.write(item, isFirst, bytes, 0));
  }
}
