import type { ServerOptions } from '#app/options.ts';
import type { Clock } from '#base/clock.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import type { Store } from '#store/store.ts';

/** Where the objects live. */
export async function openStore({ memory }: ServerOptions, clock: Clock): Promise<Store> {
  if (!memory) throw new Error('the embedded store is not there yet: use --memory');
  return openMemoryStore({ clock });
}
