// The CRC-32 of texts put together, from those of the parts: polynomials over bits, the lowest power in the highest bit.

const polynomial = 0xedb88320;
const one = 0x80000000;
/** What one byte more multiplies by: x to the 8th. */
const byteShift = 0x00800000;

function product(a: number, b: number): number {
  let sum = 0;
  let power = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) sum ^= power;
    power = power & 1 ? (power >>> 1) ^ polynomial : power >>> 1;
  }
  return sum;
}

/** What a CRC is multiplied by when `length` bytes follow. */
export function shiftOver(length: number): number {
  let shift = one;
  let square = byteShift;
  for (let left = length; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shift = product(shift, square);
    square = product(square, square);
  }
  return shift;
}

/** `shift`: of the length of the text that `added` is of. */
export function combineCrc32(crc: number, added: number, shift: number): number {
  return (product(shift, crc) ^ added) >>> 0;
}
