import { expect, test, vi } from 'vitest';
import { Abandoned, kindsOfAbortion } from '../../test/support/aborted-requests.ts';

/** `test/fault/aborted-requests.ts` gives up 10,000 in the nightly run. */
const rounds = 3;

test('of requests that were given up, in whatever way, nothing is left', { timeout: 120_000 }, async () => {
  await using abandoned = await Abandoned.start();
  const before = { running: await abandoned.left(), kept: abandoned.kept() };
  await abandoned.giveUp(kindsOfAbortion.length * rounds);
  await vi.waitFor(async () => expect(await abandoned.left()).toEqual(before.running), { timeout: 20_000, interval: 100 });
  await abandoned.others.hangUp();
  // Fewer are fine: the server's own requests are counted with them.
  const tooMany = () => Object.entries(abandoned.kept()).filter(([name, count]) => count > (before.kept[name] ?? 0));
  await vi.waitFor(() => expect(tooMany()).toEqual([]), { timeout: 30_000, interval: 1000 });
});
