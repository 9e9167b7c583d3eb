// One buffer for work on one object after another, so that none of them is allocated just to be thrown away.
import { type Splice, spliceInto, splicedLength } from '#api/stored-form.ts';

const KEPT_BYTES = 256 << 10;

export class Scratch {
  #bytes = Buffer.allocUnsafeSlow(16 << 10);

  /** `bytes` with `splice` in its place. True until the next call. */
  spliced(bytes: Uint8Array, splice: Splice): Buffer {
    return spliceInto(this.#room(splicedLength(bytes, splice)), bytes, splice);
  }

  /** The bytes of an item. True until the next call. */
  copyOf(item: { readonly byteLength: number; copyTo(target: Uint8Array, at: number): number }): Buffer {
    const bytes = this.#room(item.byteLength);
    item.copyTo(bytes, 0);
    return bytes;
  }

  #room(length: number): Buffer {
    if (length > KEPT_BYTES) return Buffer.allocUnsafeSlow(length);
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(Math.min(KEPT_BYTES, length * 2));
    return this.#bytes.subarray(0, length);
  }
}
