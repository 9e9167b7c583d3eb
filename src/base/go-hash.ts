// Hashes in the names of objects, as the original makes them: Go's hash/fnv, then written in letters and digits that spell no words.

const offset = 0x811c_9dc5;
const prime = 0x0100_0193;

/** FNV-1a in 32 bits. `hash` is where an earlier part ended. */
export function fnv32a(bytes: Uint8Array, hash = offset): number {
  let value = hash;
  for (let index = 0; index < bytes.length; index++) value = Math.imul(value ^ (bytes[index] as number), prime);
  return value >>> 0;
}

/** FNV-1 in 32 bits. */
export function fnv32(bytes: Uint8Array, hash = offset): number {
  let value = hash;
  for (let index = 0; index < bytes.length; index++) value = Math.imul(value, prime) ^ (bytes[index] as number);
  return value >>> 0;
}

/** Of them the server makes up names. */
export const safeLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** Each character by one of the safe letters, as rand.SafeEncodeString of the original. */
export function safeEncoded(text: string): string {
  return text.replaceAll(/[^]/g, (character) => safeLetters[character.charCodeAt(0) % safeLetters.length] as string);
}
