import { join } from 'node:path';
import type { ServerOptions } from '#app/options.ts';
import type { Clock } from '#base/clock.ts';
import type { Store } from '#store/store.ts';

/** Where the objects live. Only the store that is used gets loaded. */
export async function openStore({ memory, dataDir }: ServerOptions, clock: Clock): Promise<Store> {
  if (memory) {
    const { openMemoryStore } = await import('#store/memory/memory-store.ts');
    return openMemoryStore({ clock });
  }
  const { openEmbeddedStore } = await import('#store/embedded/open-embedded-store.ts');
  return openEmbeddedStore(join(dataDir, 'store'), { clock });
}
