import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { testStoreContract } from '#store/store-contract.ts';

testStoreContract('the embedded store', async (clock) => openEmbeddedStore(mkdtempSync(join(tmpdir(), 'binnacle-store-')), { clock }));
