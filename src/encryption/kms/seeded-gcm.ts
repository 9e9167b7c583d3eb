// AES-GCM with a key of its own for every value, derived from a seed (HKDF-Expand with SHA-256) and 32 random bytes that stand before the nonce: a seed
// may be used for any number of values.
import { createHmac, randomBytes } from 'node:crypto';
import { aesGcm, tooShort } from '#encryption/aes.ts';
import { andThen } from '#base/and-then.ts';
import type { Transformer } from '#encryption/transformer.ts';

const INFO = 32;
export const seedLength = 32;

export function seededGcm(seed: Uint8Array): Transformer {
  if (seed.length < seedLength) throw new Error(`invalid seed length ${seed.length} used for key generation`);
  // As long as one block of the hash, the first of HKDF-Expand is all that is needed.
  const derived = (info: Uint8Array) => aesGcm(createHmac('sha256', seed).update(info).update(Uint8Array.of(1)).digest());
  return {
    encrypt(data, key) {
      const info = randomBytes(INFO);
      return andThen(derived(info).encrypt(data, key), (sealed) => Buffer.concat([info, sealed]));
    },
    decrypt(data, key) {
      if (data.length < INFO) throw new Error(tooShort);
      return derived(data.subarray(0, INFO)).decrypt(data.subarray(INFO), key);
    },
  };
}
