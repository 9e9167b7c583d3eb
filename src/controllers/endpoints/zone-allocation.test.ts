import { expect, test } from 'vitest';
import { allocationsOf, isOverloaded, movesBetween, zoneShares } from '#controllers/endpoints/zone-allocation.ts';

const twoZones = zoneShares([
  { zone: 'a', milliCpu: 1_000 },
  { zone: 'b', milliCpu: 1_000 },
  { zone: 'b', milliCpu: 2_000 },
]);

test('a zone has the share of its CPUs; one zone, or a node that does not tell, makes none', () => {
  expect(twoZones).toEqual(
    new Map([
      ['a', 0.25],
      ['b', 0.75],
    ]),
  );
  expect(zoneShares([{ zone: 'a', milliCpu: 1_000 }])).toBeUndefined();
  expect(
    zoneShares([
      { zone: 'a', milliCpu: 1_000 },
      { zone: '', milliCpu: 1_000 },
    ]),
  ).toBeUndefined();
  expect(
    zoneShares([
      { zone: 'a', milliCpu: 1_000 },
      { zone: 'b', milliCpu: 0 },
    ]),
  ).toBeUndefined();
});

test('zones get at least what keeps the overload under a fifth, and at most what leaves the others theirs', () => {
  expect(allocationsOf(twoZones, 8)).toEqual(
    new Map([
      ['a', { minimum: 2, maximum: 3, desired: 2 }],
      ['b', { minimum: 5, maximum: 6, desired: 6 }],
    ]),
  );
});

test('why there are no allocations is told in the words of the original', () => {
  expect(allocationsOf(undefined, 8)).toMatch(/^Insufficient Node information/);
  expect(allocationsOf(twoZones, 1)).toBe('Insufficient number of endpoints (1 endpoints, 2 zones)');
  expect(allocationsOf(twoZones, 2)).toBe(
    'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (2 endpoints, 2 zones)',
  );
});

test('endpoints move from zones with too many to zones with too few', () => {
  const allocations = allocationsOf(twoZones, 8);
  if (typeof allocations === 'string') throw new Error(allocations);
  const moves = movesBetween(
    allocations,
    new Map([
      ['a', 5],
      ['b', 3],
    ]),
  );
  expect(moves).toEqual({ giving: new Map([['a', 3]]), receiving: new Map([['b', 3]]) });
});

test('a Service is overloaded where a zone has too few of its endpoints', () => {
  const counts = (a: number, b: number) =>
    new Map([
      ['a', a],
      ['b', b],
    ]);
  expect(isOverloaded(counts(2, 6), twoZones)).toBe(false);
  expect(isOverloaded(counts(1, 7), twoZones)).toBe(true);
  expect(isOverloaded(counts(2, 6), undefined)).toBe(true);
  expect(isOverloaded(new Map([['b', 6]]), twoZones)).toBe(true);
});
