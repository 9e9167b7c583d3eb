// A stored object that cannot be read: its key is not known any more, or its bytes were damaged. It stays where it is.
import { ApiError, internalError, tooManyRequests } from '#api/api-error.ts';
import { goQuote } from '#base/go-text.ts';

export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  /** As the original's reflectors show the type: `*core.Secret`. */
  readonly goType: string;
  readonly reason: string;

  constructor(key: string, goType: string, reason: string) {
    super(`unable to transform key ${goQuote(key)}: ${reason}`);
    this.goType = goType;
    this.reason = reason;
  }
}

/** Of a request for this very object. */
export function unreadableObject(error: UnreadableError): ApiError {
  return internalError(error.reason, error);
}

/** Of a request that needs all objects of the resource; the cache tries again meanwhile. */
export function unreadableResource(error: UnreadableError): ApiError {
  const { message, details } = tooManyRequests(`storage is (re)initializing: failed to list ${error.goType}: ${error.message}`, retryAfterSeconds);
  return new ApiError(429, 'TooManyRequests', message, { ...(details && { details }), cause: error });
}

const retryAfterSeconds = 20;

/** Whether a refusal was for want of a readable object. */
export function isForUnreadable(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof UnreadableError;
}

const encryptedPrefix = Buffer.from('k8s:enc:');

/** Whether an encryption provider has made these bytes. Objects begin with `{`, or with `k8s` and a zero byte. */
export function isEncrypted(stored: Uint8Array): boolean {
  return stored.length >= encryptedPrefix.length && encryptedPrefix.every((byte, at) => stored[at] === byte);
}

/** Why what is encrypted cannot be read without a rule for its resource. */
export const readEncryptedData = 'identity transformer tried to read encrypted data';
