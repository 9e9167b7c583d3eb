import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cachedItem, type ItemKind, newItemMemory, shapesFor, type StoredItem } from '#cache/cache-item.ts';
import { podBytes, podFields, podForm } from '../../test/support/cached-pods.ts';

function kindOf(memory = newItemMemory()): ItemKind {
  return { prefix: '/registry/pods/', namespaced: true, form: podForm, fieldsOf: podFields, indexPaths: [], memory, shapes: shapesFor([], 0) };
}

function pod(kind: ItemKind, name: string, revision: number, padding: number): StoredItem {
  return cachedItem(kind, { key: `/registry/pods/default/${name}`, value: podBytes('default', name, { padding }), revision });
}

test('bytes of kept items and views into them stay true, whatever is released around them', () => {
  const step = fc.record({ slot: fc.nat(40), padding: fc.oneof(fc.nat(200_000), fc.constant(400_000)) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const kind = kindOf();
      const slots = new Map<number, { item: StoredItem; view: Buffer; text: string }>();
      const held: { view: Buffer; item: StoredItem; text: string }[] = [];
      for (const [revision, { slot, padding }] of steps.entries()) {
        const before = slots.get(slot);
        if (before) {
          held.push(before);
          before.item.release();
        }
        const item = pod(kind, `p${slot}`, revision + 1, padding);
        slots.set(slot, { item, view: item.json, text: item.json.toString() });
      }
      for (const { item, view, text } of [...slots.values(), ...held]) {
        expect(view.toString()).toBe(text);
        expect(item.json.toString()).toBe(text);
      }
    }),
    { numRuns: 15 },
  );
});

/** Nothing in common with others, so that it is kept as it is. */
function loner(kind: ItemKind, name: string, revision: number): StoredItem {
  const value = Buffer.from(JSON.stringify({ metadata: { name, uid: name }, data: { [name]: name.repeat(4_000 / name.length) } }));
  return cachedItem(kind, { key: `/registry/pods/default/${name}`, value, revision });
}

test('space of released items is given back', () => {
  const kind = kindOf();
  const staying = new Set<object>();
  const slabs = new Set<object>();
  for (let i = 0; i < 5_000; i++) {
    const item = loner(kind, `p${i}`, i + 1);
    slabs.add(item.slab);
    if (i % 100 === 0) staying.add(item);
    else item.release();
  }
  const used = new Set([...staying].map((item) => (item as StoredItem).slab));
  expect(slabs.size).toBeGreaterThan(15);
  expect(used.size).toBeLessThan(4);
});

test('a slab holds nobody who has left', () => {
  const kind = kindOf();
  const items = Array.from({ length: 50 }, (_, i) => loner(kind, `p${i}`, i + 1));
  for (const item of items.filter((_, i) => i % 3 !== 0)) item.release();
  const staying = items.filter((_, i) => i % 3 === 0);
  const held = new Set(staying.flatMap(({ slab }) => slab.tenants));
  expect(held).toEqual(new Set(staying));
  for (const item of staying) expect(item.slab.tenants[item.seat]).toBe(item);
});
