// The provider that stores bytes as they are. It refuses what another provider has encrypted.
import { isEncrypted, readEncryptedData } from '#api/unreadable-error.ts';
import type { Transformer } from '#encryption/transformer.ts';

export const identity: Transformer = {
  encrypt: (data) => data,
  decrypt(data) {
    if (isEncrypted(data)) throw new Error(readEncryptedData);
    return { data, isStale: false };
  },
};
