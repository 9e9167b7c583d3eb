import { expect, test } from 'vitest';
import { sharedMemo, useSharedMemos } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';

test('the last server that stops empties the memo tables', () => {
  const memo = sharedMemo(new TextMemo<number>());
  const first = useSharedMemos();
  const second = useSharedMemos();
  memo.add('sent', (text) => text.length);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(memo.get('sent')).toBe(4);
  second[Symbol.dispose]();
  expect(memo.size).toBe(0);
});
