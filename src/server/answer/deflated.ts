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

/** On another thread. */
export function deflated(text: Uint8Array): Promise<Deflated> {
  return new Promise((resolve, reject) => {
    deflateRaw(text, { ...options, finishFlush: constants.Z_FULL_FLUSH }, (error, bytes) => {
      if (error) reject(error);
      // A copy: what zlib returns is the beginning of a larger buffer.
      else resolve({ bytes: Buffer.from(bytes), crc: crc32(text), length: text.length, shift: shiftOver(text.length) });
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
