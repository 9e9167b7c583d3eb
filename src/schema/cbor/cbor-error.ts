/** CBOR that cannot be read, in the words of the original's decoder. */
export class CborError extends Error {
  override readonly name = 'CborError';
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function checkedUtf8(bytes: Buffer): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new CborError('cbor: invalid UTF-8 string');
  }
}
