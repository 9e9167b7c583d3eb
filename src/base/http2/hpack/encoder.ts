import { ByteWriter } from '#base/http2/byte-writer.ts';
import { DynamicTable, type HeaderField, sizeOfField } from '#base/http2/hpack/dynamic-table.ts';
import { staticTable } from '#base/http2/hpack/static-table.ts';

const defaultTableLimit = 4096;
/** Different in nearly every answer: they would only push others out of the table. */
const passing: ReadonlySet<string> = new Set(['audit-id', 'content-length']);

/** Writes the header blocks of one direction of a connection, in their order. Texts are Latin-1 and go without Huffman. */
export class HpackEncoder {
  readonly #table = new DynamicTable(defaultTableLimit, (field) => this.#forget(field));
  /** How many fields had been added before a field, by its text. */
  readonly #added = new Map<string, number>();
  #count = 0;
  /** The smallest limit since the last block, which the peer must be told before the one that holds now. */
  #smallest: number | undefined;

  /** The peer keeps a table of at most this size; we want no more than what is usual. */
  limitTable(bytes: number): void {
    const limit = Math.min(bytes, defaultTableLimit);
    if (limit === this.#table.limit) return;
    this.#smallest = Math.min(limit, this.#smallest ?? limit);
    this.#table.resize(limit);
  }

  /** Once before the fields of each block. */
  begin(out: ByteWriter): void {
    if (this.#smallest === undefined) return;
    if (this.#smallest < this.#table.limit) integer(out, 0x20, 5, this.#smallest);
    integer(out, 0x20, 5, this.#table.limit);
    this.#smallest = undefined;
  }

  field(out: ByteWriter, name: string, value: string): void {
    const index = this.#indexOf(name, value);
    if (index !== undefined) return integer(out, 0x80, 7, index);
    const keeps = !passing.has(name) && sizeOfField(name, value) * 2 <= this.#table.limit;
    literal(out, keeps, name, value);
    if (keeps) this.#keep(name, value);
  }

  #indexOf(name: string, value: string): number | undefined {
    const added = this.#added.get(keyOf(name, value));
    if (added !== undefined) return staticTable.length + this.#count - added;
    return staticFields.get(keyOf(name, value));
  }

  #keep(name: string, value: string): void {
    this.#added.set(keyOf(name, value), this.#count++);
    this.#table.add(name, value);
  }

  #forget([name, value]: HeaderField): void {
    this.#added.delete(keyOf(name, value));
  }
}

/** A block that holds for every request of every connection: it neither needs nor changes what the two sides have agreed on. */
export function lastingBlock(fields: readonly HeaderField[]): Buffer {
  const out = new ByteWriter(256);
  for (const [name, value] of fields) {
    const index = staticFields.get(keyOf(name, value));
    if (index === undefined) literal(out, false, name, value);
    else integer(out, 0x80, 7, index);
  }
  return Buffer.from(out.written);
}

function literal(out: ByteWriter, keeps: boolean, name: string, value: string): void {
  const index = staticNames.get(name) ?? 0;
  if (keeps) integer(out, 0x40, 6, index);
  else integer(out, 0x00, 4, index);
  if (index === 0) text(out, name);
  text(out, value);
}

function text(out: ByteWriter, value: string): void {
  integer(out, 0x00, 7, value.length);
  out.text(value);
}

function integer(out: ByteWriter, pattern: number, bits: number, value: number): void {
  const most = (1 << bits) - 1;
  if (value < most) return out.byte(pattern | value);
  out.byte(pattern | most);
  let left = value - most;
  for (; left >= 128; left = Math.floor(left / 128)) out.byte((left % 128) | 128);
  out.byte(left);
}

function keyOf(name: string, value: string): string {
  return `${name}\n${value}`;
}

const staticFields: ReadonlyMap<string, number> = new Map(staticTable.map(([name, value], i) => [keyOf(name, value), i + 1]));
/** Of several entries with a name the first, as they are written last. */
const staticNames: ReadonlyMap<string, number> = new Map(staticTable.map(([name], i): [string, number] => [name, i + 1]).reverse());
