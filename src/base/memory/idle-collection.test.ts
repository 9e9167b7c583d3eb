import { expect, test, vi } from 'vitest';
import { collectWhenIdle, ownHeap } from '#base/memory/idle-collection.ts';
import { nextTurn } from '#base/next-turn.ts';

const mb = 1 << 20;

/** A server that works or not, and what it holds; a look at it is a step. */
function watched(worthBytes = 16 * mb) {
  let next = () => {};
  const state = { busy: 0, held: 30 * mb, live: 30 * mb, collections: 0, ofYoung: 0, shareOfCollection: 0 };
  let collecting = 0;
  const collect = () => {
    state.collections++;
    state.held = state.live;
    collecting = state.shareOfCollection;
  };
  const busyShare = () => {
    const share = state.busy + collecting;
    collecting = 0;
    return share;
  };
  const collectYoung = () => void state.ofYoung++;
  collectWhenIdle({ after: (_, task) => ((next = task), () => {}) }, { worthBytes, heap: { busyShare, held: () => state.held, collect, collectYoung } });
  const looks = (count: number) => {
    for (let look = 0; look < count; look++) next();
    return state.collections;
  };
  return { state, looks };
}

test('what a burst left behind is collected when the server has been idle for some seconds, not before, and in one row', () => {
  const { state, looks } = watched();
  expect(looks(20)).toBe(0);
  Object.assign(state, { busy: 0.8, held: 130 * mb, live: 40 * mb });
  expect(looks(20)).toBe(0);
  state.busy = 0.01;
  expect(looks(5)).toBe(0);
  expect(looks(1)).toBe(1);
  expect(looks(1)).toBe(2);
  expect(looks(100)).toBe(3);
});

test('the time that a collection takes is no work of the server: it does not end its row', () => {
  const { state, looks } = watched();
  Object.assign(state, { held: 130 * mb, live: 130 * mb, shareOfCollection: 0.1 });
  expect(looks(20)).toBe(3);
});

test('where bursts follow each other, less is given back, and only after a longer pause', () => {
  const { state, looks } = watched(64 * mb);
  Object.assign(state, { held: 80 * mb, live: 40 * mb });
  expect(looks(6)).toBe(0);
  expect(looks(20)).toBe(3);
  Object.assign(state, { held: 50 * mb, live: 50 * mb });
  expect(looks(20)).toBe(3);
});

test('the young generation is collected once, when a burst is just over, so that V8 can tell that nothing is allocated any more', () => {
  const { state, looks } = watched();
  Object.assign(state, { busy: 0.8, held: 130 * mb });
  looks(5);
  expect(state.ofYoung).toBe(0);
  state.busy = 0;
  looks(1);
  expect(state.ofYoung).toBe(1);
  looks(100);
  expect(state.ofYoung).toBe(1);
  state.busy = 0.8;
  looks(1);
  state.busy = 0;
  looks(1);
  expect(state.ofYoung, 'little was added since').toBe(1);
});

test('a client that comes ends the row', () => {
  const { state, looks } = watched();
  Object.assign(state, { held: 130 * mb, live: 40 * mb });
  expect(looks(5)).toBe(1);
  state.busy = 0.5;
  looks(1);
  state.busy = 0;
  expect(looks(100)).toBe(1);
});

test('bursts with pauses between them are not disturbed', () => {
  const { state, looks } = watched();
  Object.assign(state, { held: 130 * mb });
  for (let burst = 0; burst < 10; burst++) {
    state.busy = burst % 2 === 0 ? 0.8 : 0.03;
    looks(1);
    state.busy = 0;
    expect(looks(5)).toBe(0);
  }
});

test('what is needed is not collected again and again, and little is not collected', () => {
  const { state, looks } = watched();
  Object.assign(state, { held: 300 * mb, live: 300 * mb });
  expect(looks(10)).toBe(3);
  state.held = 360 * mb;
  expect(looks(50)).toBe(3);
  state.held = 400 * mb;
  expect(looks(1)).toBe(4);
});

test('this process can be asked, and collects while it waits', async () => {
  const heap = ownHeap();
  const collected: string[] = [];
  const registry = new FinalizationRegistry<string>((name) => collected.push(name));
  (() => registry.register({ is: 'garbage' }, 'garbage'))();
  await nextTurn();
  heap.collectYoung();
  heap.collect();
  await vi.waitFor(() => expect(collected).toEqual(['garbage']), { timeout: 20_000 });
  expect(heap.held()).toBeGreaterThan(mb);
  expect(heap.busyShare()).toBeLessThanOrEqual(1);
});
