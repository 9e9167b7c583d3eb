// One buffer for work on one object after another, so that none of them is allocated just to be thrown away.
import type { Splice } from '#api/stored-form.ts';

const KEPT_BYTES = 256 << 10;

export class Scratch {
  #bytes = Buffer.allocUnsafeSlow(16 << 10);

  /** `bytes` with `text` in its place. True until the next call. */
  spliced(bytes: Uint8Array, { start, end, text }: Splice): Buffer {
    const length = bytes.length - (end - start) + text.length;
    const target = this.#room(length);
    target.set(bytes.subarray(0, start));
    target.write(text, start, 'latin1');
    target.set(bytes.subarray(end), start + text.length);
    return target;
  }

  #room(length: number): Buffer {
    if (length > KEPT_BYTES) return Buffer.allocUnsafeSlow(length);
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(Math.min(KEPT_BYTES, length * 2));
    return this.#bytes.subarray(0, length);
  }
}
