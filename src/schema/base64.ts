// Base64 as Go's StdEncoding reads it: padded, line breaks ignored, and errors that name the offending byte.

export class Base64Error extends Error {
  override readonly name = 'Base64Error';
  constructor(offset: number) {
    super(`illegal base64 data at input byte ${offset}`);
  }
}

const plain = /^[A-Za-z0-9+/]*$/;

/** The same bytes, in the one spelling Go writes. */
export function canonicalBase64(text: string): string {
  if (text.length % 4 === 0 && plain.test(text)) return text;
  const input = Buffer.from(text);
  check(input);
  return Buffer.from(text.replace(/[\r\n]/g, ''), 'base64').toString('base64');
}

function check(input: Buffer): void {
  let at = 0;
  while (at < input.length) at = quantum(input, at);
}

/** Reads one group of four; returns where the next begins. */
function quantum(input: Buffer, start: number): number {
  let at = start;
  for (let count = 0; count < 4; ) {
    if (at === input.length) {
      if (count === 0) return at;
      throw new Base64Error(at - count);
    }
    const byte = input[at++] ?? 0;
    if (isDigit(byte)) count++;
    else if (byte === 0x3d) return padding(input, at, count);
    else if (!isBreak(byte)) throw new Base64Error(at - 1);
  }
  return at;
}

function padding(input: Buffer, afterFirst: number, count: number): number {
  if (count < 2) throw new Base64Error(afterFirst - 1);
  let at = afterFirst;
  if (count === 2) {
    at = skipBreaks(input, at);
    if (at === input.length) throw new Base64Error(input.length);
    if (input[at] !== 0x3d) throw new Base64Error(at - 1);
    at++;
  }
  at = skipBreaks(input, at);
  if (at < input.length) throw new Base64Error(at);
  return at;
}

function skipBreaks(input: Buffer, from: number): number {
  let at = from;
  while (at < input.length && isBreak(input[at] ?? 0)) at++;
  return at;
}

function isBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function isDigit(byte: number): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2f;
}
