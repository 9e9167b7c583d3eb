// A part of a gzip stream that does not look back at what stands before it: such parts can be put together in any order.
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib';
import { combineCrc32, shiftOver } from '#server/answer/crc32-combine.ts';

export interface Deflated {
  readonly bytes: Buffer;
  /** Of the text, as its length is. */
  readonly crc: number;
  readonly length: number;
  /** What a CRC is multiplied by to go over the text. */
  readonly shift: number;
}

const options: ZlibOptions = { level: 1, memLevel: 8, chunkSize: 64 * 1024 };

/**
 * Up to so many bytes go as they are (the first item of a list, what stands around its items): each compressor is 256 kB outside of V8's
 * heap, and V8 collected whole heaps because of two of them in every list.
 */
const longestStored = 16 * 1024;

/** Longer texts on another thread. */
export async function deflated(text: Uint8Array): Promise<Deflated> {
  const bytes = text.length <= longestStored ? storedBlock(text) : await compressed(text);
  return { bytes, crc: crc32(text), length: text.length, shift: shiftOver(text.length) };
}

/** A block that is not the last one, its length, the complement of it, and the text (RFC 1951, 3.2.4). */
function storedBlock(text: Uint8Array): Buffer {
  const block = Buffer.allocUnsafe(5 + text.length);
  block.writeUInt8(0, 0);
  block.writeUInt16LE(text.length, 1);
  block.writeUInt16LE(~text.length & 0xffff, 3);
  block.set(text, 5);
  return block;
}

function compressed(text: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    deflateRaw(text, { ...options, finishFlush: constants.Z_FULL_FLUSH }, (error, bytes) => {
      if (error) reject(error);
      // A copy: what zlib returns is the beginning of a larger buffer.
      else resolve(Buffer.from(bytes));
    });
  });
}

/** Deflate, nothing else said; from an unknown system. */
export const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Last, with fixed codes, empty. */
const lastBlock = [0x03, 0x00];

/** What the end of a stream says about all of it. */
export class GzipSum {
  #crc = 0;
  #length = 0;

  add({ crc, length, shift }: Deflated): void {
    this.#crc = combineCrc32(this.#crc, crc, shift);
    this.#length = (this.#length + length) % 2 ** 32;
  }

  end(): Buffer {
    const end = Buffer.from([...lastBlock, 0, 0, 0, 0, 0, 0, 0, 0]);
    end.writeUInt32LE(this.#crc, lastBlock.length);
    end.writeUInt32LE(this.#length, lastBlock.length + 4);
    return end;
  }
}
