import { expect, test } from 'vitest';
import { startupChecks } from '#app/operations/health.ts';
import { systemTimers } from '#base/timers.ts';
import { PostStartHooks } from '#server/health/post-start-hooks.ts';
import { Places } from '#store/places.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { StoreUnwritableError } from '#store/store.ts';
import { breakable } from '../../../test/support/breakable-store.ts';

test('while the last write has failed the store is not well, on all three endpoints; the next one that succeeds mends it', async () => {
  let failure: Error | undefined;
  const store = { ...breakable(openMemoryStore()).store, writeError: () => failure };
  const checks = startupChecks({
    hooks: new PostStartHooks({}),
    places: new Places(store),
    stopping: () => false,
    timers: systemTimers,
    storeTimeoutMs: { health: 2_000, readiness: 2_000 },
  });
  const problems = () => Promise.all(checks.filter(({ name }) => name.startsWith('etcd')).map(async (check) => [check.name, await check.problem()]));
  const well = [
    ['etcd', undefined],
    ['etcd-readiness', undefined],
  ];
  expect(await problems()).toEqual(well);
  failure = new StoreUnwritableError('its disk is full');
  expect(await problems()).toEqual([
    ['etcd', 'its disk is full'],
    ['etcd-readiness', 'its disk is full'],
  ]);
  expect(checks.filter(({ name }) => name === 'etcd').flatMap(({ endpoints }) => endpoints)).toEqual(['healthz', 'livez', 'readyz']);
  failure = undefined;
  expect(await problems()).toEqual(well);
});
