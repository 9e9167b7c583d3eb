// Text that was bytes and need not have been UTF-8. Go's strings are bytes: it shows those that are no UTF-8 as `\xff` where it quotes, and as
// U+FFFD in JSON. Here a byte that is part of no character is a lone surrogate (U+DC00 plus the byte), which no UTF-8 can bring in.
import { isUtf8 } from 'node:buffer';

const firstLone = 0xdc80;
const lastLone = 0xdcff;

export function textOfBytes(bytes: Buffer, from = 0, to = bytes.length): string {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\ufffd') ? textWithLoneBytes(bytes.subarray(from, to)) : text;
}

/** The byte that a UTF-16 unit stands for; undefined for a unit of real text. */
export function loneByte(unit: number): number | undefined {
  return unit >= firstLone && unit <= lastLone ? unit - 0xdc00 : undefined;
}

function textWithLoneBytes(bytes: Buffer): string {
  // Never more units than bytes: a character of four bytes is two of them.
  const units = Buffer.allocUnsafe(bytes.length * 2);
  let end = 0;
  const put = (unit: number) => (end = units.writeUInt16LE(unit, end));
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    const first = bytes[at] as number;
    if (size === 0) put(0xdc00 + first);
    else if (size === 1) put(first);
    else end += units.write(bytes.toString('utf8', at, at + size), end, 'utf16le');
    at += Math.max(size, 1);
  }
  return units.toString('utf16le', 0, end);
}

/** 0 where no well-formed character begins. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
