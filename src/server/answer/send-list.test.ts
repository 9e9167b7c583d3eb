import { expect, test } from 'vitest';
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
