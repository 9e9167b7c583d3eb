// The providers aesgcm and aescbc. What they write begins with the nonce.
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { Transformer } from '#encryption/transformer.ts';

const NONCE = 12;
const TAG = 16;
const BLOCK = 16;

export const tooShort = 'the stored data was shorter than the required size';

/** The place of the value is authenticated with it. */
export function aesGcm(secret: Uint8Array): Transformer {
  const cipher = `aes-${secret.length * 8}-gcm` as 'aes-256-gcm';
  const secretKey = createSecretKey(secret);
  return {
    encrypt(data, key) {
      const nonce = randomBytes(NONCE);
      const sealing = createCipheriv(cipher, secretKey, nonce).setAAD(Buffer.from(key));
      return Buffer.concat([nonce, sealing.update(data), sealing.final(), sealing.getAuthTag()]);
    },
    decrypt(data, key) {
      if (data.length < NONCE) throw new Error(tooShort);
      const end = data.length - TAG;
      if (end < NONCE) throw new Error(notAuthentic);
      const opening = createDecipheriv(cipher, secretKey, data.subarray(0, NONCE));
      opening.setAAD(Buffer.from(key)).setAuthTag(data.subarray(end));
      const opened = opening.update(data.subarray(NONCE, end));
      try {
        opening.final();
      } catch {
        throw new Error(notAuthentic);
      }
      return { data: opened, isStale: false };
    },
  };
}

const notAuthentic = 'cipher: message authentication failed';

/** Padded as PKCS #7 says; nothing is authenticated. */
export function aesCbc(secret: Uint8Array): Transformer {
  const cipher = `aes-${secret.length * 8}-cbc`;
  const secretKey = createSecretKey(secret);
  return {
    encrypt(data) {
      const iv = randomBytes(BLOCK);
      const sealing = createCipheriv(cipher, secretKey, iv);
      return Buffer.concat([iv, sealing.update(data), sealing.final()]);
    },
    decrypt(data) {
      if (data.length < BLOCK) throw new Error(tooShort);
      if (data.length % BLOCK !== 0) throw new Error('the stored data is not a multiple of the block size');
      const opening = createDecipheriv(cipher, secretKey, data.subarray(0, BLOCK)).setAutoPadding(false);
      const padded = Buffer.concat([opening.update(data.subarray(BLOCK)), opening.final()]);
      return { data: withoutPadding(padded), isStale: false };
    },
  };
}

function withoutPadding(padded: Buffer): Buffer {
  const count = padded.at(-1) ?? 0;
  if (count === 0 || count > padded.length) throw new Error('invalid PKCS7 data (empty or not padded)');
  if (padded.subarray(-count).some((byte) => byte !== count)) throw new Error('invalid padding on input');
  return padded.subarray(0, -count);
}
