import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StorageSizes } from '#server/metrics/storage-sizes.ts';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';

test('the room of a data directory is told, in memory there is none', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-sizes-'));
  const [store, memory] = [await openEmbeddedStore(directory), openMemoryStore()];
  onTestFinished(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const sizes = new StorageSizes([memory, store]);
  const samples = () => sizes.metrics.flatMap(({ samples: all }) => [...all()]);
  expect(samples()).toEqual([]);
  await sizes.look();
  expect(samples()).toEqual([{ labels: { storage_cluster_id: 'etcd-1' }, value: expect.any(Number) }]);
  expect(samples()[0]?.value).toBeGreaterThan(4096);
});
