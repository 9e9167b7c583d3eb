import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from '#scheduler/queue/heap.ts';

test('whatever is put in, replaced and taken out, the smallest comes first', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 12 }), value: fc.integer({ min: 0, max: 100 }), remove: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const heap = new Heap<{ key: string; value: number }>(
        ({ key }) => key,
        (a, b) => a.value < b.value,
      );
      const model = new Map<string, number>();
      for (const { key, value, remove } of steps) {
        if (remove) {
          expect(heap.remove(String(key))?.value).toBe(model.get(String(key)));
          model.delete(String(key));
        } else {
          heap.put({ key: String(key), value });
          model.set(String(key), value);
        }
        expect(heap.size).toBe(model.size);
        expect(heap.first?.value).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
      }
      const rest: number[] = [];
      for (let item = heap.take(); item !== undefined; item = heap.take()) rest.push(item.value);
      expect(rest).toEqual([...model.values()].sort((a, b) => a - b));
    }),
  );
});
