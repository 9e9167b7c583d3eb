import { expect, test } from 'vitest';
import { OwnVersions } from '#aggregation/peers/own-versions.ts';

test('a group-version that was deleted is not believed of peers for five minutes', () => {
  let now = 0;
  const own = new OwnVersions({ now: () => new Date(now) });
  own.set('definitions', ['example.com/v1']);
  own.set('apiservices', ['metrics/v1']);
  expect(own.has('example.com', 'v1')).toBe(true);
  expect(own.has('example.com', 'v2')).toBe(false);
  own.set('definitions', []);
  const { revision } = own;
  now = 5 * 60_000;
  expect(own.has('example.com', 'v1')).toBe(true);
  expect(own.revision).toBe(revision);
  now += 1;
  expect(own.revision).not.toBe(revision);
  expect(own.has('example.com', 'v1')).toBe(false);
  expect(own.has('metrics', 'v1')).toBe(true);
});
