// What this server has written of late, in both forms: it comes back from the store as the bytes that were sent, and need not be decoded.
import type { StoredBytes } from '#api/stored-form.ts';
import { ChurningMap } from '#base/memory/churning.ts';
import { apart } from '#base/memory/short-lived.ts';

/** Per resource. A write comes back within milliseconds; those that were refused are pushed out by others. */
const LIMIT = 256;

export class RecentWrites {
  readonly #writes = new ChurningMap<string, { readonly value: Uint8Array; readonly json: Uint8Array }>();

  add(key: string, value: Uint8Array, json: Uint8Array): void {
    this.#writes.delete(key);
    this.#writes.set(key, { value: apart(value), json: apart(json) });
    if (this.#writes.size > LIMIT) this.#writes.delete(this.#writes.keys().next().value as string);
  }

  /** The JSON of these bytes, once. */
  take({ key, value }: StoredBytes): Uint8Array | undefined {
    const write = this.#writes.get(key);
    if (write === undefined || Buffer.compare(write.value, value) !== 0) return undefined;
    this.#writes.delete(key);
    return write.json;
  }
}
