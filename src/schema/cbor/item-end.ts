// Where one item of a sequence of CBOR ends. By itself: WebSockets need no more of CBOR than this.

/** The major types, as the bits of an initial byte number them. */
export const major = { positive: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, other: 7 } as const;

/** Marks a length that is found out by reading on to the break. */
export const indefinite = 31;
export const breakByte = 0xff;

/** Where the well-formed item that begins at `start` ends. */
export function itemEnd(bytes: Buffer, start: number): number {
  let at = start;
  // What is left to read in each open container; negative ones end with a break.
  const open: number[] = [];
  for (;;) {
    const initial = bytes[at] as number;
    if (initial === breakByte) {
      at++;
      open.pop();
    } else {
      const size = argumentSize(initial & 31);
      const argument = size === 0 ? initial & 31 : Number(readArgument(bytes, at + 1, size));
      at += 1 + size;
      const kind = initial >> 5;
      const isOpen = (initial & 31) === indefinite;
      if (kind === major.tag) continue;
      if (isOpen) {
        open.push(-1);
        continue;
      }
      if (kind === major.bytes || kind === major.text) at += argument;
      else if ((kind === major.array || kind === major.map) && argument > 0) {
        open.push(kind === major.map ? argument * 2 : argument);
        continue;
      }
    }
    // One item is complete, and with it every container that it was the last item of.
    for (;;) {
      const left = open.at(-1);
      if (left === undefined) return at;
      if (left < 0) break;
      if (left > 1) {
        open[open.length - 1] = left - 1;
        break;
      }
      open.pop();
    }
  }
}

export function argumentSize(info: number): number {
  return info < 24 || info > 27 ? 0 : 1 << (info - 24);
}

export function readArgument(bytes: Buffer, at: number, size: number): number | bigint {
  switch (size) {
    case 1:
      return bytes[at] as number;
    case 2:
      return bytes.readUInt16BE(at);
    case 4:
      return bytes.readUInt32BE(at);
    default:
      return bytes.readBigUInt64BE(at);
  }
}
