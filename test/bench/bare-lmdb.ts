// The embedded store beside bare LMDB: durable creations per second of the same bytes, by as many writers, on the same disk.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { rangeOf, type Store } from '#store/store.ts';

export type Write = (key: string, value: Buffer) => Promise<unknown>;

export interface Rates {
  readonly bare: number;
  readonly store: number;
}

export interface Writing {
  readonly writers: number;
  readonly writes: number;
  readonly value: Buffer;
}

const rounds = 3;
export const podRange = rangeOf('/registry/pods/');

/** The rounds alternate, so that a slow moment of the machine hits both; the best of each counts. */
export async function besideBareLmdb(scratch: string, writing: Writing): Promise<Rates> {
  const rates = { bare: 0, store: 0 };
  for (let round = 0; round < rounds; round++) {
    rates.bare = Math.max(rates.bare, await withBare(join(scratch, `bare-${writing.writers}-${round}`), (write) => rateOf(write, writing)));
    rates.store = Math.max(rates.store, await withStore(join(scratch, `store-${writing.writers}-${round}`), (store) => rateOf(creating(store), writing)));
  }
  return rates;
}

async function withBare(path: string, work: (write: Write) => Promise<number>): Promise<number> {
  const root = open({ path, encoding: 'binary' });
  try {
    return await work(async (key, value) => {
      await root.put(key, value);
      await root.flushed;
    });
  } finally {
    await root.close();
    rmSync(path, { recursive: true });
  }
}

async function withStore(path: string, work: (store: Store) => Promise<number>): Promise<number> {
  const store = await openEmbeddedStore(path);
  try {
    return await work(store);
  } finally {
    await store.close();
    rmSync(path, { recursive: true });
  }
}

export function creating(store: Store): Write {
  return async (key, value) => {
    const result = await store.compareAndSet(key, 0, value);
    if (!result.committed) throw new Error(`${key} was there already`);
  };
}

/** Per second. */
export async function rateOf(write: Write, { writers, writes, value }: Writing): Promise<number> {
  let next = 0;
  const started = performance.now();
  const writer = async () => {
    while (next < writes) await write(podKey(next++), value);
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return (writes / (performance.now() - started)) * 1000;
}

/** In no order, as the names of real pods are. */
function podKey(i: number): string {
  return `${podRange.start}default/web-${(Math.imul(i, 2654435761) >>> 0).toString(36)}-${i}`;
}
