// The provider secretbox: XSalsa20 and Poly1305 as NaCl's crypto_secretbox puts them together. What it writes begins with the nonce.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { tooShort } from '#encryption/aes.ts';
import { poly1305 } from '#encryption/poly1305.ts';
import { xsalsa20 } from '#encryption/salsa20.ts';
import type { Transformer } from '#encryption/transformer.ts';

const NONCE = 24;
const TAG = 16;
/** The first bytes of the stream are the key of the tag. */
const TAG_KEY = 32;

export function secretbox(secret: Uint8Array): Transformer {
  return {
    encrypt(data) {
      const nonce = randomBytes(NONCE);
      const { body, tagKey } = combined(data, secret, nonce);
      return Buffer.concat([nonce, poly1305(body, tagKey), body]);
    },
    decrypt(data) {
      if (data.length < NONCE + TAG) throw new Error(tooShort);
      const [nonce, tag, sealed] = [data.subarray(0, NONCE), data.subarray(NONCE, NONCE + TAG), data.subarray(NONCE + TAG)];
      const { body, tagKey } = combined(sealed, secret, nonce);
      // The original's words for a tag that does not fit.
      if (!timingSafeEqual(tag, poly1305(sealed, tagKey))) throw new Error('output array was not large enough for encryption');
      return { data: body, isStale: false };
    },
  };
}

function combined(data: Uint8Array, secret: Uint8Array, nonce: Uint8Array): { readonly body: Buffer; readonly tagKey: Buffer } {
  const stream = xsalsa20(Buffer.concat([Buffer.alloc(TAG_KEY), data]), secret, nonce);
  return { body: stream.subarray(TAG_KEY), tagKey: stream.subarray(0, TAG_KEY) };
}
