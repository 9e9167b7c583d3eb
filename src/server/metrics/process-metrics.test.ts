import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchProcess } from '#server/metrics/process-metrics.ts';

test('the longest delay of the event loop is what a turn took, without the time between two looks', async () => {
  const { metrics, stop } = watchProcess(new Date(0));
  const longest = () => [...(metrics.find(({ name }) => name === 'binnacle_event_loop_delay_max_seconds')?.samples() ?? [])][0]?.value ?? 0;
  try {
    // Node begins to look some turns after it was asked to.
    await wait(150);
    const before = longest();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, before * 1000 + 400);
    await wait(1);
    expect(longest() - before).toBeGreaterThan(0.3);
  } finally {
    stop();
  }
});
