// Bytes of an object on their way into the store and back. A prefix says which provider, and which of its keys, has made them, as the original's do.
import type { MaybePromise } from '#base/maybe-promise.ts';

export interface Transformer {
  /** `key` is where the value lies; providers that authenticate it refuse a value that was moved. */
  encrypt(data: Uint8Array, key: string): MaybePromise<Uint8Array>;
  /** Rejects or throws an Error whose message is that of the original. */
  decrypt(data: Uint8Array, key: string): MaybePromise<Decrypted>;
}

export interface Decrypted {
  readonly data: Uint8Array;
  /** Written with another key or provider than would be used today: a write without a change is performed all the same. */
  readonly isStale: boolean;
}

export interface PrefixedTransformer {
  /** Empty: the bytes are taken as they are. */
  readonly prefix: Buffer;
  readonly transformer: Transformer;
}

export function prefixed(prefix: string, transformer: Transformer): PrefixedTransformer {
  return { prefix: Buffer.from(prefix), transformer };
}

/** The first encrypts; whoever knows the prefix decrypts, in order. `unmatched` is said where none does. */
export function prefixTransformers(unmatched: string, all: readonly [PrefixedTransformer, ...PrefixedTransformer[]]): Transformer {
  const [{ prefix, transformer: first }] = all;
  const behindPrefix = (sealed: Uint8Array) => Buffer.concat([prefix, sealed]);
  return {
    encrypt(data, key) {
      if (prefix.length === 0) return first.encrypt(data, key);
      const sealed = first.encrypt(data, key);
      return sealed instanceof Promise ? sealed.then(behindPrefix) : behindPrefix(sealed);
    },
    decrypt: (data, key) => decryptFrom(all, unmatched, { data, key, index: 0, problems: [] }),
  };
}

interface Attempt {
  readonly data: Uint8Array;
  readonly key: string;
  readonly index: number;
  readonly problems: readonly string[];
}

/** Providers may share a prefix while one is rotated to and another away from: a failure leaves the others their turn. */
function decryptFrom(all: readonly PrefixedTransformer[], unmatched: string, attempt: Attempt): MaybePromise<Decrypted> {
  const { data, key, index, problems } = attempt;
  const next = all[index];
  if (next === undefined) throw new Error(problems.length === 0 ? unmatched : aggregated(problems));
  const { prefix, transformer } = next;
  if (!startsWith(data, prefix)) return decryptFrom(all, unmatched, { ...attempt, index: index + 1 });
  const found = ({ data: plain, isStale }: Decrypted): Decrypted => ({ data: plain, isStale: isStale || index !== 0 });
  // What lies there encrypted is not the plain provider's to judge.
  const goOn = (error: unknown) =>
    decryptFrom(all, unmatched, { ...attempt, index: index + 1, problems: prefix.length === 0 ? problems : [...problems, (error as Error).message] });
  try {
    const opened = transformer.decrypt(data.subarray(prefix.length), key);
    return opened instanceof Promise ? opened.then(found, goOn) : found(opened);
  } catch (error) {
    return goOn(error);
  }
}

function startsWith(data: Uint8Array, prefix: Uint8Array): boolean {
  return data.length >= prefix.length && prefix.every((byte, at) => data[at] === byte);
}

/** As Go prints an aggregate: each text once. */
export function aggregated(problems: readonly string[]): string {
  const texts = [...new Set(problems)];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
