import { HpackDecoder } from '#base/http2/hpack/decoder.ts';
import { sizeOfField } from '#base/http2/hpack/dynamic-table.ts';

const headerTableBytes = 4096;

/** The names and values in the header blocks of a connection: each block builds on those before it. */
export class FieldDecoder {
  readonly #decoder = new HpackDecoder(headerTableBytes);
  readonly #mostBytes: number;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Undefined: more than a head may have. */
  decode(block: Buffer): string[] | undefined {
    const fields: string[] = [];
    let size = 0;
    this.#decoder.decode(block, (name, value) => {
      size += sizeOfField(name, value);
      if (size <= this.#mostBytes) fields.push(name, value);
    });
    return size <= this.#mostBytes ? fields : undefined;
  }
}
