import { expect, test } from 'vitest';
import { apart, Slabs } from '#base/memory/short-lived.ts';
import { RecentWrites } from '#resource/recent-writes.ts';

test('what comes back as it was sent is known once, and nothing else is', () => {
  const recent = new RecentWrites();
  recent.add('a', Buffer.from('sealed'), Buffer.from('{}'));
  expect(recent.take({ key: 'b', value: Buffer.from('sealed') })).toBeUndefined();
  expect(recent.take({ key: 'a', value: Buffer.from('other') })).toBeUndefined();
  expect(recent.take({ key: 'a', value: Buffer.from('sealed') })?.toString()).toBe('{}');
  expect(recent.take({ key: 'a', value: Buffer.from('sealed') })).toBeUndefined();
});

test('a write that never comes back keeps no slab', () => {
  const recent = new RecentWrites();
  const slabs = new Slabs();
  recent.add('a', slabs.copy(Buffer.from('value')), slabs.copy(Buffer.from('{}')));
  const json = recent.take({ key: 'a', value: Buffer.from('value') }) as Uint8Array;
  expect(apart(json) === json).toBe(true);
});
