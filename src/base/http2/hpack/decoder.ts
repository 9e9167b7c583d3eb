import { ConnectionError, errorCodes } from '#base/http2/protocol.ts';
import { DynamicTable, type HeaderField } from '#base/http2/hpack/dynamic-table.ts';
import { decodeHuffman } from '#base/http2/hpack/huffman.ts';
import { staticTable } from '#base/http2/hpack/static-table.ts';

export type TakeField = (name: string, value: string) => void;

/** More than any index, length or size that means something; larger ones are refused before they overflow. */
const largestInteger = 2 ** 28;

/** Reads the header blocks of one direction of a connection, in their order. Names and values are Latin-1, as they came. */
export class HpackDecoder {
  readonly #table: DynamicTable;
  /** What we have allowed the peer to use. */
  readonly #tableLimit: number;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(tableLimit: number) {
    this.#tableLimit = tableLimit;
    this.#table = new DynamicTable(tableLimit);
  }

  /** Throws a ConnectionError when the block cannot be read: all later ones would be wrong too. */
  decode(block: Buffer, take: TakeField): void {
    this.#block = block;
    this.#at = 0;
    let begun = false;
    while (this.#at < block.length) {
      const first = block[this.#at] as number;
      if ((first & 0xe0) === 0x20) {
        if (begun) throw broken('the size of the table changes within a block');
        this.#resize();
        continue;
      }
      begun = true;
      if (first & 0x80) take(...this.#field(this.#integer(7)));
      else this.#literal(first, take);
    }
  }

  #resize(): void {
    const limit = this.#integer(5);
    if (limit > this.#tableLimit) throw broken('the table becomes larger than allowed');
    this.#table.resize(limit);
  }

  #literal(first: number, take: TakeField): void {
    const indexed = (first & 0x40) !== 0;
    const index = this.#integer(indexed ? 6 : 4);
    const name = index === 0 ? this.#text() : this.#field(index)[0];
    const value = this.#text();
    if (indexed) this.#table.add(name, value);
    take(name, value);
  }

  #field(index: number): HeaderField {
    const field = index <= staticTable.length ? staticTable[index - 1] : this.#table.at(index - staticTable.length - 1);
    if (field === undefined) throw broken('there is no such entry');
    return field;
  }

  #text(): string {
    const isHuffman = (this.#byte() & 0x80) !== 0;
    const length = this.#integer(7);
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#block.length) throw broken('a text is cut off');
    if (!isHuffman) return this.#block.toString('latin1', start, this.#at);
    const out = Buffer.allocUnsafe(Math.ceil((length * 8) / 5));
    const read = decodeHuffman(this.#block, start, this.#at, out);
    if (read < 0) throw broken('a text is no Huffman code');
    return out.toString('latin1', 0, read);
  }

  /** The first byte of a thing; reading its integer goes past it. */
  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw broken('the block is cut off');
    return byte;
  }

  /** RFC 7541, 5.1: in the last `bits` of this byte, and in bytes of seven bits if they do not suffice. */
  #integer(bits: number): number {
    const most = (1 << bits) - 1;
    let value = this.#byte() & most;
    this.#at++;
    if (value < most) return value;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.#byte();
      this.#at++;
      value += (byte & 127) * shift;
      if (value > largestInteger || shift > largestInteger) throw broken('a number is too large');
      if (byte < 128) return value;
    }
  }
}

function broken(what: string): ConnectionError {
  return new ConnectionError(errorCodes.compression, what);
}
