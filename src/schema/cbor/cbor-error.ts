import { isUtf8 } from 'node:buffer';

/** CBOR that cannot be read, in the words of the original's decoder. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

export function checkedUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new CborError('cbor: invalid UTF-8 string');
  return bytes.toString();
}
