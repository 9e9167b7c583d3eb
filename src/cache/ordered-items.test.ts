import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedItems, type OrderedView } from '#cache/ordered-items.ts';

interface Item {
  readonly key: string;
  readonly value: number;
}

const byBytes = (a: Item, b: Item) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
const contents = (view: OrderedView<Item>) => [...view.from(0)];

test('keys are in byte order of their UTF-8 form, also beyond the basic plane', () => {
  const items = new OrderedItems<Item>();
  const keys = ['/\u{1f600}', '/\ufb01', '/z', '/a', '/\ue000', '/a/b', '/a-b', '/a.b', '/é'];
  for (const key of keys) items.set({ key, value: 0 });
  expect(contents(items.view).map(({ key }) => key)).toEqual(
    keys
      .map((key) => ({ key, value: 0 }))
      .sort(byBytes)
      .map(({ key }) => key),
  );
  for (const key of keys) expect(items.view.get(key)?.key).toBe(key);
});

const keyOf = fc.integer({ min: 0, max: 600 }).map((n) => `/${n.toString(36)}`);
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('set' as const), key: keyOf, value: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('delete' as const), key: keyOf }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('snapshot' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('fill' as const), key: keyOf }) },
);

test('it holds what a sorted map would hold, and snapshots never change', () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 120 }), keyOf, fc.nat(400), (operations, probe, count) => {
      const items = new OrderedItems<Item>();
      const model = new Map<string, Item>();
      const snapshots: [OrderedView<Item>, Item[]][] = [];
      const sorted = () => [...model.values()].sort(byBytes);
      const set = (item: Item) => {
        expect(items.set(item)).toBe(model.get(item.key));
        model.set(item.key, item);
      };
      for (const step of operations) {
        if (step.op === 'set') set({ key: step.key, value: step.value });
        if (step.op === 'fill') for (let i = 0; i < 200; i++) set({ key: `${step.key}-${i}`, value: i });
        if (step.op === 'delete') {
          expect(items.delete(step.key)).toBe(model.get(step.key));
          model.delete(step.key);
        }
        if (step.op === 'snapshot') snapshots.push([items.snapshot(), sorted()]);
      }
      const expected = sorted();
      expect(contents(items.view)).toEqual(expected);
      expect(items.view.size).toBe(expected.length);
      expect(items.view.get(probe)).toBe(model.get(probe));
      const rank = expected.filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(probe)) < 0).length;
      expect(items.view.rank(probe)).toBe(rank);
      expect(items.view.slice(rank, count)).toEqual(expected.slice(rank, rank + count));
      expect(items.view.startingWith(probe)).toEqual(expected.filter(({ key }) => key.startsWith(probe)));
      for (const [view, then] of snapshots) {
        expect(contents(view)).toEqual(then);
        expect(view.size).toBe(then.length);
      }
    }),
    { numRuns: 150 },
  );
});

test('one that starts from a snapshot leaves it as it was', () => {
  const items = new OrderedItems<Item>();
  for (let i = 0; i < 300; i++) items.set({ key: `/${i}`, value: i });
  const then = contents(items.snapshot());
  const other = new OrderedItems(items.snapshot());
  for (let i = 0; i < 300; i += 2) other.delete(`/${i}`);
  items.delete('/1');
  expect(other.view.size).toBe(150);
  expect(other.view.get('/1')?.value).toBe(1);
  expect(items.view.size).toBe(299);
  expect(then).toHaveLength(300);
});
