// Poly1305 (RFC 8439, 2.5), which node:crypto has only inside an AEAD of its own. Numbers of 130 bits are six limbs of 22: products and their sums
// stay below 2^53.
const LIMBS = 6;
const RADIX = 2 ** 22;
/** 2^132 is 4 * 2^130, and 2^130 is 5 modulo the prime. */
const WRAP = 20;
const BLOCK = 16;
const TAG = 16;

export function poly1305(message: Uint8Array, key: Uint8Array): Buffer {
  const r = new Float64Array(LIMBS);
  addBlock(r, clamped(key.subarray(0, BLOCK)), 0, 0);
  const sum = new Float64Array(LIMBS);
  const whole = message.length - (message.length % BLOCK);
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  for (let at = 0; at < whole; at += BLOCK) {
    addBlock(sum, view, at, 1);
    multiply(sum, r);
  }
  if (whole < message.length) {
    // A last block that is shorter has the bit behind it in itself.
    const last = new DataView(new ArrayBuffer(BLOCK));
    message.subarray(whole).forEach((byte, at) => last.setUint8(at, byte));
    last.setUint8(message.length - whole, 1);
    addBlock(sum, last, 0, 0);
    multiply(sum, r);
  }
  return tagOf(sum, key.subarray(BLOCK, 2 * BLOCK));
}

function limb(numbers: Float64Array, index: number): number {
  return numbers[index] as number;
}

function clamped(bytes: Uint8Array): DataView {
  const r = Uint8Array.from(bytes);
  for (const at of [3, 7, 11, 15]) r[at] = (r[at] as number) & 15;
  for (const at of [4, 8, 12]) r[at] = (r[at] as number) & 252;
  return new DataView(r.buffer);
}

const MASK = RADIX - 1;

/** Adds 16 bytes, little endian, and the bit behind them. */
function addBlock(sum: Float64Array, bytes: DataView, at: number, bit: 0 | 1): void {
  const [a, b, c, d] = [bytes.getUint32(at, true), bytes.getUint32(at + 4, true), bytes.getUint32(at + 8, true), bytes.getUint32(at + 12, true)];
  sum[0] = limb(sum, 0) + (a & MASK);
  sum[1] = limb(sum, 1) + (((a >>> 22) | (b << 10)) & MASK);
  sum[2] = limb(sum, 2) + (((b >>> 12) | (c << 20)) & MASK);
  sum[3] = limb(sum, 3) + ((c >>> 2) & MASK);
  sum[4] = limb(sum, 4) + (((c >>> 24) | (d << 8)) & MASK);
  sum[5] = limb(sum, 5) + (d >>> 14) + bit * 2 ** 18;
}

const product = new Float64Array(LIMBS);

/** `sum` becomes `sum * r`, reduced so far that the next block fits. */
function multiply(sum: Float64Array, r: Float64Array): void {
  for (let i = 0; i < LIMBS; i++) {
    let total = 0;
    for (let j = 0; j < LIMBS; j++) total += j <= i ? limb(sum, j) * limb(r, i - j) : limb(sum, j) * limb(r, i + LIMBS - j) * WRAP;
    product[i] = total;
  }
  carry(product);
  sum.set(product);
}

/** Twice: what goes around from the highest limb may carry once more. */
function carry(limbs: Float64Array): void {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < LIMBS; i++) {
      const over = Math.floor(limb(limbs, i) / RADIX);
      limbs[i] = limb(limbs, i) - over * RADIX;
      if (i + 1 < LIMBS) limbs[i + 1] = limb(limbs, i + 1) + over;
      else limbs[0] = limb(limbs, 0) + over * WRAP;
    }
  }
}

const prime = 2n ** 130n - 5n;

function tagOf(sum: Float64Array, pad: Uint8Array): Buffer {
  let whole = 0n;
  for (let i = LIMBS - 1; i >= 0; i--) whole = (whole << 22n) + BigInt(limb(sum, i));
  const padded = (whole % prime) + BigInt(`0x${Buffer.from(pad).reverse().toString('hex')}`);
  const hex = (padded & (2n ** 128n - 1n)).toString(16).padStart(2 * TAG, '0');
  return Buffer.from(hex, 'hex').reverse();
}
