import { expect, test } from 'vitest';
import { nextTurn } from '#base/next-turn.ts';
import { type Readable, ReadTurns } from '#server/front/read-turns.ts';

class FakeConnection implements Readable {
  reading = true;

  stopReading(): void {
    this.reading = false;
  }

  startReading(): void {
    this.reading = true;
  }
}

function setting(perTurn = 2) {
  const time = { ms: 0 };
  return { time, turns: new ReadTurns({ longTurnMs: 5, perTurn, now: () => time.ms }) };
}

function connections(count: number): FakeConnection[] {
  return Array.from({ length: count }, () => new FakeConnection());
}

function unread(all: readonly FakeConnection[]): number {
  return all.filter(({ reading }) => !reading).length;
}

test('while turns are short everybody is read', () => {
  const { turns } = setting();
  const greedy = connections(100);
  for (const connection of greedy) turns.answered('greedy', connection);
  expect(unread(greedy)).toBe(0);
});

test('in a long turn, who had a share of it waits; others do not', () => {
  const { turns, time } = setting();
  const greedy = connections(100);
  const modest = new FakeConnection();
  for (const connection of greedy) {
    turns.answered('greedy', connection);
    time.ms += 1;
  }
  turns.answered('modest', modest);
  expect(unread(greedy)).toBe(94);
  expect(modest.reading).toBe(true);
});

test('who waits is read again a few per turn, in order, each owner at least once', async () => {
  const { turns, time } = setting();
  const [one, other] = [connections(10), connections(3)];
  turns.answered('one', new FakeConnection());
  time.ms += 10;
  for (const connection of [new FakeConnection(), ...one]) turns.answered('one', connection);
  for (const connection of [new FakeConnection(), ...other]) turns.answered('other', connection);
  expect([unread(one), unread(other)]).toEqual([10, 3]);
  await nextTurn();
  expect([unread(one), unread(other)]).toEqual([9, 2]);
  expect([one[0]?.reading, other[0]?.reading]).toEqual([true, true]);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(turns.unread).toBe(0);
  expect(unread([...one, ...other])).toBe(0);
});

test('a new turn is short again', async () => {
  const { turns, time } = setting();
  for (const connection of connections(10)) {
    turns.answered('greedy', connection);
    time.ms += 2;
  }
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  const more = connections(4);
  for (const connection of more) turns.answered('greedy', connection);
  expect(unread(more)).toBe(0);
});

test('a server that stops reads everybody', () => {
  const { turns, time } = setting();
  const all = connections(20);
  for (const connection of all) {
    turns.answered('greedy', connection);
    time.ms += 2;
  }
  expect(unread(all)).toBeGreaterThan(0);
  turns.close();
  expect(unread(all)).toBe(0);
  turns.answered('greedy', all[0] as FakeConnection);
  expect(all[0]?.reading).toBe(true);
});
