// The text of a string as it stands in JSON, without its quotes.

const backslash = 0x5c;

/** Whether it has no escapes, so that its bytes are those of the string. */
export function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash) return false;
  return true;
}

export function plainText(bytes: Buffer, start: number, end: number): Buffer {
  return Buffer.from(stringIn(bytes, start, end));
}

export function stringIn(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return isPlainText(bytes, start, end) ? text : (JSON.parse(`"${text}"`) as string);
}
