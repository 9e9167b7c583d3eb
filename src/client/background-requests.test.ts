import { expect, test } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { BackgroundRequests } from '#client/background-requests.ts';
import type { Transport, TransportResponse } from '#client/transport.ts';

/** A server that answers when the test says so; `begun` are the paths that have reached it. */
function slowServer() {
  const timers = new ManualTimers();
  let now = 0;
  const pass = (milliseconds: number) => {
    now += milliseconds;
    timers.advance(milliseconds);
  };
  const requests = new BackgroundRequests({ timers, now: () => now, mostMs: 1_000 });
  const begun: string[] = [];
  const answers = new Map<string, () => void>();
  const transport: Transport = ({ path }) => {
    begun.push(path);
    const response: TransportResponse = { code: 200, headers: {}, chunks: (async function* () {})() };
    return new Promise((resolve) => answers.set(path, () => resolve(response)));
  };
  const [first, behind] = [requests.foreground(transport), requests.background(transport)];
  const ask = (how: Transport, path: string) => how({ method: 'GET', path });
  return {
    pass,
    begun,
    answer: (path: string) => answers.get(path)?.(),
    first: (path: string) => ask(first, path),
    behind: (path: string) => ask(behind, path),
  };
}

test('a request in the background begins at once where nothing else is under way', async () => {
  const { begun, behind, answer } = slowServer();
  const asked = behind('/event');
  expect(begun).toEqual(['/event']);
  answer('/event');
  expect((await asked).code).toBe(200);
});

test('it waits until the last request that goes first is answered', async () => {
  const { begun, first, behind, answer } = slowServer();
  const others = [first('/a'), first('/b')];
  void behind('/event');
  answer('/a');
  await others[0];
  expect(begun).toEqual(['/a', '/b']);
  answer('/b');
  await others[1];
  expect(begun).toEqual(['/a', '/b', '/event']);
});

test('on a server that is always busy it waits no longer than it may', () => {
  const { pass, begun, first, behind } = slowServer();
  void first('/busy');
  void behind('/early');
  pass(600);
  void behind('/late');
  pass(399);
  expect(begun).toEqual(['/busy']);
  pass(1);
  expect(begun).toEqual(['/busy', '/early']);
  pass(600);
  expect(begun).toEqual(['/busy', '/early', '/late']);
});

test('eight of them are under way at a time, and their failures are their own', async () => {
  const { begun, behind, answer } = slowServer();
  const all = Array.from({ length: 10 }, (_, index) => behind(`/${index}`));
  expect(begun).toHaveLength(8);
  answer('/0');
  await all[0];
  expect(begun).toHaveLength(9);
  const requests = new BackgroundRequests({ timers: new ManualTimers(), now: () => 0, mostMs: 1 });
  const broken = requests.background(() => Promise.reject(new Error('refused')));
  await expect(broken({ method: 'GET', path: '/' })).rejects.toThrow('refused');
});
