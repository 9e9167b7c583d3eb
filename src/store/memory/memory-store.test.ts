import { openMemoryStore } from '#store/memory/memory-store.ts';
import { testStoreContract } from '#store/store-contract.ts';

testStoreContract('the memory store', async (clock) => openMemoryStore({ clock }));
