// Poly1305 (RFC 8439, 2.5), which node:crypto has only inside an AEAD of its own. Numbers of 130 bits are six limbs of 22: products and their sums
// stay below 2^53.
const LIMBS = 6;
const RADIX = 2 ** 22;
/** 2^132 is 4 * 2^130, and 2^130 is 5 modulo the prime. */
const WRAP = 20;
const BLOCK = 16;
const TAG = 16;

export function poly1305(message: Uint8Array, key: Uint8Array): Buffer {
  const r = limbsOf(clamped(key.subarray(0, BLOCK)), 0);
  const sum = new Float64Array(LIMBS);
  for (let at = 0; at < message.length; at += BLOCK) {
    const block = limbsOf(message.subarray(at, at + BLOCK), 1);
    for (let i = 0; i < LIMBS; i++) sum[i] = limb(sum, i) + limb(block, i);
    multiply(sum, r);
  }
  return tagOf(sum, key.subarray(BLOCK, 2 * BLOCK));
}

function limb(numbers: Float64Array, index: number): number {
  return numbers[index] as number;
}

function clamped(bytes: Uint8Array): Uint8Array {
  const r = Uint8Array.from(bytes);
  for (const at of [3, 7, 11, 15]) r[at] = (r[at] as number) & 15;
  for (const at of [4, 8, 12]) r[at] = (r[at] as number) & 252;
  return r;
}

/** Little endian, with `last` as one more byte behind them. */
function limbsOf(bytes: Uint8Array, last: 0 | 1): Float64Array {
  const limbs = new Float64Array(LIMBS);
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at === bytes.length ? last : (bytes[at] as number);
    const index = Math.floor((at * 8) / 22);
    const shifted = byte * 2 ** (at * 8 - index * 22);
    limbs[index] = limb(limbs, index) + (shifted % RADIX);
    if (shifted >= RADIX) limbs[index + 1] = limb(limbs, index + 1) + Math.floor(shifted / RADIX);
  }
  return limbs;
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
