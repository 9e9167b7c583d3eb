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

export type TransformationType = 'to_storage' | 'from_storage';

/** Hears of every value of one resource, once for each prefix that it has. */
export interface TransformationObserver {
  /** Milliseconds. */
  now(): number;
  transformed(type: TransformationType, prefix: string, startedMs: number, error?: unknown): void;
}

export const unobserved: TransformationObserver = { now: () => 0, transformed: () => {} };

export interface PrefixedTransformer {
  /** Empty: the bytes are taken as they are. */
  readonly prefix: Buffer;
  readonly transformer: Transformer;
}

export function prefixed(prefix: string, transformer: Transformer): PrefixedTransformer {
  return { prefix: Buffer.from(prefix), transformer };
}

/** The first encrypts; whoever knows the prefix decrypts, in order. `unmatched` is said where none does. */
export function prefixTransformers(
  unmatched: string,
  all: readonly [PrefixedTransformer, ...PrefixedTransformer[]],
  observer: TransformationObserver = unobserved,
): Transformer {
  const [{ prefix, transformer: first }] = all;
  const shown = prefix.toString();
  return {
    encrypt(data, key) {
      const startedMs = observer.now();
      const sealed = (value: Uint8Array) => {
        observer.transformed('to_storage', shown, startedMs);
        return prefix.length === 0 ? value : Buffer.concat([prefix, value]);
      };
      const failed = (error: unknown): never => {
        observer.transformed('to_storage', shown, startedMs, error);
        throw error;
      };
      const made = attempted(() => first.encrypt(data, key), failed);
      return made instanceof Promise ? made.then(sealed, failed) : sealed(made);
    },
    decrypt: (data, key) => decryptFrom(all, unmatched, { data, key, index: 0, problems: [], observer, startedMs: observer.now() }),
  };
}

function attempted<T>(attempt: () => T, failed: (error: unknown) => never): T {
  try {
    return attempt();
  } catch (error) {
    return failed(error);
  }
}

interface Attempt {
  readonly data: Uint8Array;
  readonly key: string;
  readonly index: number;
  readonly problems: readonly Error[];
  readonly observer: TransformationObserver;
  readonly startedMs: number;
}

/** Providers may share a prefix while one is rotated to and another away from: a failure leaves the others their turn. */
function decryptFrom(all: readonly PrefixedTransformer[], unmatched: string, attempt: Attempt): MaybePromise<Decrypted> {
  const { data, key, index, problems, observer, startedMs } = attempt;
  const next = all[index];
  if (next === undefined) throw unreadable(attempt, unmatched);
  const { prefix, transformer } = next;
  if (!startsWith(data, prefix)) return decryptFrom(all, unmatched, { ...attempt, index: index + 1 });
  const found = ({ data: plain, isStale }: Decrypted): Decrypted => {
    observer.transformed('from_storage', prefix.length === 0 ? 'identity' : prefix.toString(), startedMs);
    return { data: plain, isStale: isStale || index !== 0 };
  };
  const goOn = (error: unknown) => {
    // What lies there encrypted is not the plain provider's to judge.
    if (prefix.length === 0) return decryptFrom(all, unmatched, { ...attempt, index: index + 1 });
    observer.transformed('from_storage', prefix.toString(), startedMs, error);
    return decryptFrom(all, unmatched, { ...attempt, index: index + 1, problems: [...problems, error as Error] });
  };
  try {
    const opened = transformer.decrypt(data.subarray(prefix.length), key);
    return opened instanceof Promise ? opened.then(found, goOn) : found(opened);
  } catch (error) {
    return goOn(error);
  }
}

function unreadable({ problems, observer, startedMs }: Attempt, unmatched: string): Error {
  const [first] = problems;
  if (first !== undefined) return new Error(aggregated(problems.map(({ message }) => message)), { cause: first });
  const error = new Error(unmatched);
  observer.transformed('from_storage', 'unknown', startedMs, error);
  return error;
}

function startsWith(data: Uint8Array, prefix: Uint8Array): boolean {
  return data.length >= prefix.length && prefix.every((byte, at) => data[at] === byte);
}

/** As Go prints an aggregate: each text once. */
export function aggregated(problems: readonly string[]): string {
  const texts = [...new Set(problems)];
  return texts.length === 1 ? (texts[0] as string) : `[${texts.join(', ')}]`;
}
