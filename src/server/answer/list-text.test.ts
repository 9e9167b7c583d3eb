import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ListedItem, ListText, storedList } from '#server/answer/list-text.ts';

const head = '{"kind":"PodList","items":[';
const type = '{"kind":"Pod",';
const frame = { head, tail: '],"last":{}}\n', skip: type.length };

function listed(text: string): ListedItem {
  const bytes = Buffer.from(text);
  return { byteLength: bytes.length, copyTo: (target, at, skip) => at + bytes.copy(target, at, skip) };
}

function textOf(items: readonly ListedItem[]): ListText<ListedItem> {
  const list = storedList(frame, items);
  return new ListText(list, list.frame(0));
}

function written(text: ListText<ListedItem>, chunk: number): string {
  const buffer = Buffer.alloc(chunk);
  const parts: string[] = [];
  for (let length = text.fill(buffer); length > 0; length = text.fill(buffer)) parts.push(buffer.toString('latin1', 0, length));
  return parts.join('');
}

test('the pieces are the list, whatever the size of the buffer, and as long as was said', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300)), fc.integer({ min: 1, max: 700 }), (sizes, chunk) => {
      const bodies = sizes.map((size, i) => `"metadata":{"name":"p${i}","padding":"${'x'.repeat(size)}"}}`);
      const { items, writer } = storedList(
        frame,
        bodies.map((body) => listed(type + body)),
      );
      const expected = `${head}${bodies.map((body) => `{${body}`).join(',')}${frame.tail}`;
      const length = items.reduce((sum, item, i) => sum + writer.length(item, i === 0), 0);
      expect(length).toBe(expected.length - head.length - frame.tail.length);
      expect(written(textOf(items), chunk)).toBe(expected);
    }),
  );
});

test('of large items that are written short a piece holds only a few: each may have to be parsed', () => {
  const writer = { name: 'rows', length: () => 2, write: (_item: unknown, _isFirst: boolean, target: Buffer, at: number) => at + target.write('r,', at) };
  const rows = new ListText({ items: Array.from({ length: 20 }, () => ({ byteLength: 100_000 })), writer }, { head: Buffer.from('['), tail: Buffer.from(']') });
  const buffer = Buffer.alloc(10_000);
  const pieces: string[] = [];
  for (let length = rows.fill(buffer); length > 0; length = rows.fill(buffer)) pieces.push(buffer.toString('latin1', 0, length));
  expect(pieces.join('')).toBe(`[${'r,'.repeat(20)}]`);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual('[r,r,r,'.length);
});

test('a buffer of the right size takes all of it at once', () => {
  const text = textOf([listed(`${type}"a":1}`), listed(`${type}"b":2}`)]);
  const whole = Buffer.alloc(1000);
  expect(JSON.parse(whole.toString('latin1', 0, text.fill(whole)))).toEqual({ kind: 'PodList', items: [{ a: 1 }, { b: 2 }], last: {} });
});
