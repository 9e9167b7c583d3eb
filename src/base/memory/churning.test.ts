import { expect, test } from 'vitest';
import { ChurningMap, ChurningSet } from '#base/memory/churning.ts';
import { collector } from '#base/memory/collector.ts';

test('a map holds what a Map would hold, in the same order, however often members come and go', () => {
  const [ours, real] = [new ChurningMap<number, string>(), new Map<number, string>()];
  for (let step = 0; step < 5_000; step++) {
    const key = (step * 7919) % 40;
    if (step % 3 === 0) {
      ours.set(key, `${step}`);
      real.set(key, `${step}`);
    } else expect(ours.delete(key)).toBe(real.delete(key));
    if (step % 1_000 === 999) {
      ours.clear();
      real.clear();
    }
    expect([...ours.keys()]).toEqual([...real.keys()]);
    expect([...ours.values()]).toEqual([...real.values()]);
    expect([ours.size, ours.get(key), ours.has(key)]).toEqual([real.size, real.get(key), real.has(key)]);
  }
});

test('members may be deleted while all are gone through', () => {
  const map = new ChurningMap<number, number>();
  for (let key = 0; key < 100; key++) map.set(key, key);
  const seen: number[] = [];
  for (const key of map.keys()) {
    seen.push(key);
    map.delete(key);
  }
  expect(seen).toHaveLength(100);
  expect(map.size).toBe(0);
});

test('a set has each member once', () => {
  const set = new ChurningSet<string>();
  set.add('a');
  set.add('a');
  set.add('b');
  expect([...set]).toEqual(['a', 'b']);
  expect([set.size, set.has('a'), set.delete('a'), set.delete('a'), set.has('a')]).toEqual([2, true, true, false, false]);
  set.clear();
  expect([...set]).toEqual([]);
});

test('V8 does not keep members that are gone: not more than a few survive a minor collection', () => {
  const collect = collector();
  const promoted = (members: { add(member: object): unknown; delete(member: object): unknown }) => {
    const underWay: object[] = [];
    const turn = (step: number) => {
      const member = { bytes: Array.from({ length: 500 }, () => step) };
      members.add(member);
      const [gone] = underWay.splice(step % 16, 1, member);
      if (gone) members.delete(gone);
    };
    for (let step = 0; step < 40; step++) turn(step);
    collect();
    collect({ type: 'minor' });
    const before = process.memoryUsage().heapUsed;
    for (let step = 0; step < 2_000; step++) turn(step);
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    return process.memoryUsage().heapUsed - before;
  };
  const [ours, theirs] = [promoted(new ChurningSet()), promoted(new Set())];
  expect(ours).toBeLessThan(theirs / 2);
});
