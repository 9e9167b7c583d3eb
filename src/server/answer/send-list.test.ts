import { expect, test } from 'vitest';
import { nextTurn } from '#base/next-turn.ts';
import { readAll } from '#client/transport.ts';
import { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import { type ListedItem, storedList } from '#server/answer/list-text.ts';
import { sendList } from '#server/answer/send-list.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';

function listed(i: number): ListedItem {
  const bytes = Buffer.from(`{"kind":"Pod","metadata":{"name":"pod-${i}"}}`);
  return { byteLength: bytes.length, copyTo: (target, at, skip) => at + bytes.copy(target, at, skip) };
}

const many = storedList(
  { head: '{"items":[', tail: ']}\n', skip: 1 },
  Array.from({ length: 6000 }, (_, i) => listed(i)),
);

function sent(list: typeof many) {
  return callInProcess((exchange) => sendList(exchange, 'application/json', list, new DeflatedRuns(0)), { method: 'GET', path: '/' });
}

/** Longer than a turn of measuring may take. */
function takeLong(): void {
  for (const began = performance.now(); performance.now() - began < 6; );
}

test('others have their turn between large items that take long to measure', async () => {
  const turnsOfItems: number[] = [];
  let turn = 0;
  const items = Array.from({ length: 20 }, (_, i) => ({ ...listed(i), byteLength: 200_000 }));
  const knownLength = () => {
    turnsOfItems.push(turn);
    takeLong();
    return 1;
  };
  const write: typeof many.writer.write = (_item, _isFirst, target, at) => at + target.write('r', at);
  const answering = sent({ ...many, items, writer: { ...many.writer, knownLength, length: () => 1, write } });
  for (; turnsOfItems.length < items.length; turn++) await nextTurn();
  await readAll(await answering);
  // The first one comes in the turn of the request.
  expect(new Set(turnsOfItems).size).toBeGreaterThanOrEqual(items.length - 1);
});

test('a long list in a form that nobody has asked for yet begins before its first item is measured', async () => {
  const order: string[] = [];
  const { length } = many.writer;
  const knownLength: typeof length = (item, isFirst) => (order.push('measured'), length(item, isFirst));
  const list = { ...many, writer: { ...many.writer, knownLength, knows: () => false } };
  const early = await callInProcess(
    (exchange) => {
      const { stream } = exchange;
      exchange.stream = (...head) => (order.push('begun'), stream.apply(exchange, head));
      return sendList(exchange, 'application/json', list, new DeflatedRuns(0));
    },
    { method: 'GET', path: '/' },
  );
  await readAll(early);
  expect(order.slice(0, 2)).toEqual(['begun', 'measured']);
  expect(order.filter((what) => what === 'begun')).toHaveLength(1);
});

test('a long list whose items take more than a turn to measure begins before they are, and is the same list', async () => {
  let measured = 0;
  const { length } = many.writer;
  const knownLength: typeof length = (item, isFirst) => {
    if (measured++ === 10) takeLong();
    return length(item, isFirst);
  };
  const early = await sent({ ...many, writer: { ...many.writer, knownLength } });
  expect(early.headers['content-length']).toBeUndefined();
  const plain = await sent(many);
  const whole = await readAll(plain);
  expect(Number(plain.headers['content-length'])).toBe(whole.length);
  expect((await readAll(early)).equals(whole)).toBe(true);
  expect(measured).toBe(6000);
});
