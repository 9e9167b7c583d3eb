// The text of a string as it stands in JSON, without its quotes.

const quote = 0x22;
const ampersand = 0x26;
const lessThan = 0x3c;
const greaterThan = 0x3e;
const backslash = 0x5c;

/** Whether it has no escapes, so that its bytes are those of the string. */
export function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return false;
  return true;
}

/** Whether all who write JSON write it in the same way: quotes are the only escapes, and nothing is there that Go escapes. */
export function isPlainName(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === backslash) {
      if (bytes[++at] !== quote) return false;
    } else if (byte >= 0x80 || byte === lessThan || byte === greaterThan || byte === ampersand) return false;
  }
  return true;
}

export function plainText(bytes: Buffer, start: number, end: number): Buffer {
  return Buffer.from(stringIn(bytes, start, end));
}

export function stringIn(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return isPlainText(bytes, start, end) ? text : (JSON.parse(`"${text}"`) as string);
}
