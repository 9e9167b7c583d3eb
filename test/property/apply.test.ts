// Laws of server-side apply, for any configurations of a kind with every sort of list and map.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { compare } from '#patch/apply/compare.ts';
import { difference, type FieldSet, intersection, union } from '#patch/apply/field-set.ts';
import { applyObject, type FieldManagerRequest, updateManagedFields } from '#patch/apply/field-manager.ts';
import { fromFieldsV1, toFieldsV1 } from '#patch/apply/fields-v1.ts';
import { toFieldSet } from '#patch/apply/to-field-set.ts';
import { topologyOf } from '#patch/apply/topology.ts';
import { embedded, int32, list, map, optional, pointer, required, rootStruct, string, struct } from '#schema/build.ts';
import { decodeValue } from '#schema/json/decode.ts';

const Item = struct('test.Item', () => ({ name: required(1, string), value: pointer(2, string), tags: optional(3, list(string), { merge: 'set' }) }));
const Thing = rootStruct('test.Thing', () => ({
  metadata: embedded(1, ObjectMeta),
  count: pointer(2, int32),
  labels: optional(3, map(string)),
  fixed: optional(4, map(string), { atomic: true }),
  items: optional(5, list(Item), { merge: { keys: ['name'] } }),
  args: optional(6, list(string), { merge: 'atomic' }),
  inner: pointer(
    7,
    struct('test.Inner', () => ({ a: pointer(1, string), b: pointer(2, string) })),
  ),
}));
const topology = topologyOf(Thing);

const configOf = (...choice: string[]) => {
  const name = fc.constantFrom(...choice);
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 });
  const textMap = fc.dictionary(name, value, { minKeys: 1, maxKeys: 3 });
  const item = fc.record({ name, value, tags: names }, { requiredKeys: ['name'] });
  return fc.record(
    {
      count: fc.integer({ min: 0, max: 3 }),
      labels: textMap,
      fixed: textMap,
      items: fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: ({ name: key }) => key }),
      args: fc.array(value, { minLength: 1, maxLength: 3 }),
      inner: fc.record({ a: value, b: value }, { requiredKeys: ['a'] }),
    },
    { requiredKeys: [] },
  );
};
const value = fc.constantFrom('1', '2', '3');
const config = configOf('a', 'b', 'c', 'd');
const disjoint = fc.tuple(configOf('a', 'b', 'c'), configOf('x', 'y', 'z')).map(([first, second]) => {
  const leaves = ['count', 'fixed', 'args', 'inner'].filter((field) => Object.hasOwn(first, field));
  return [first, Object.fromEntries(Object.entries(second).filter(([field]) => !leaves.includes(field)))] as const;
});
const identity = { kind: 'Thing', apiVersion: 'v1', metadata: { name: 'x' } };

let clock = 0;

function request(live: KubernetesObject | undefined, manager: string): FieldManagerRequest {
  clock += 1;
  return { schema: Thing, live, manager, subresource: '', apiVersion: 'v1', now: new Date(Date.UTC(2026, 0, 1) + clock * 1000), resetFields: [] };
}

function stored(object: KubernetesObject): KubernetesObject {
  return decodeValue(Thing, { ...object, metadata: { uid: 'u', ...object.metadata } }).object;
}

function applied(live: KubernetesObject | undefined, manager: string, content: object, force = true): KubernetesObject {
  return stored(applyObject({ ...request(live, manager), applied: { ...identity, ...content }, force }));
}

/** Keyed lists, sets and their items in one order: what matters is who is in them. */
function unordered(object: KubernetesObject): unknown {
  const { metadata, ...content } = object;
  const owners = (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1 }));
  const items = (content['items'] as { name: string; tags?: string[] }[] | undefined)?.map((entry) => ({
    ...entry,
    ...(entry.tags && { tags: [...entry.tags].sort() }),
  }));
  return {
    ...content,
    ...(items && { items: items.sort((left, right) => left.name.localeCompare(right.name)) }),
    owners: owners.sort((left, right) => String(left.manager).localeCompare(String(right.manager))),
  };
}

const fieldsOf = (content: object): FieldSet => toFieldSet(topology, content);

describe('server-side apply', () => {
  test('is idempotent: the second time changes nothing, not even a time', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const once = applied(applied(undefined, 'm', first), 'n', second);
        expect(applied(once, 'n', second)).toEqual(once);
      }),
    );
  });

  test('has what was applied in the result', () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const result = applied(applied(undefined, 'm', first), 'n', second);
        const { modified, removed } = compare(topology, { ...identity, ...second }, result);
        expect([intersection(fieldsOf(second), modified).size, intersection(fieldsOf(second), removed).size]).toEqual([0, 0]);
      }),
    );
  });

  test('commutes for managers that do not meet', () => {
    fc.assert(
      fc.property(disjoint, ([first, second]) => {
        const [forth, back] = [applied(applied(undefined, 'm', first), 'n', second, false), applied(applied(undefined, 'n', second), 'm', first, false)];
        expect(unordered(forth)).toEqual(unordered(back));
      }),
    );
  });

  test('lets go of what is applied no more', () => {
    fc.assert(
      fc.property(config, config, config, (mine, other, next) => {
        const before = applied(applied(undefined, 'n', other), 'm', mine);
        const after = applied(before, 'm', next);
        const gone = difference(difference(fieldsOf(mine), fieldsOf(next)), fieldsOf(other));
        expect(toFieldsV1(intersection(leavesOf(gone), fieldsOf(contentOf(after))))).toEqual({});
      }),
    );
  });

  test('without force either conflicts or changes nothing of others', () => {
    fc.assert(
      fc.property(config, config, (theirs, mine) => {
        const live = applied(undefined, 'n', theirs);
        let result: KubernetesObject;
        try {
          result = applied(live, 'm', mine, false);
        } catch {
          return;
        }
        const { modified, removed } = compare(topology, live, result);
        expect(toFieldsV1(intersection(fieldsOf(theirs), union(modified, removed)))).toEqual({});
      }),
    );
  });
});

describe('updates', () => {
  test('never lose track: every changed field of an update has the updater as owner', () => {
    fc.assert(
      fc.property(config, config, (before, after) => {
        const live = applied(undefined, 'n', before);
        const object = decodeValue(Thing, { ...identity, ...after }).object;
        const updated = stored(updateManagedFields({ ...request(live, 'u'), object }));
        const { added, modified } = compare(topology, contentOf(live), contentOf(object));
        const entry = updated.metadata.managedFields?.find(({ manager }) => manager === 'u');
        expect(toFieldsV1(difference(union(added, modified), fromFieldsV1(entry?.fieldsV1)))).toEqual({});
      }),
    );
  });
});

function contentOf(object: KubernetesObject): object {
  const { metadata: _, kind: _kind, apiVersion: _version, ...content } = object;
  return content;
}

function leavesOf(set: FieldSet): FieldSet {
  return new Map([...set].map(([element, node]) => [element, node.below.size === 0 ? node : { member: false, below: leavesOf(node.below) }]));
}

describe('FieldsV1', () => {
  test('of any value comes back as it went', () => {
    fc.assert(
      fc.property(config, (content) => {
        const fields = toFieldsV1(fieldsOf(content));
        expect(toFieldsV1(fromFieldsV1(JSON.parse(JSON.stringify(fields))))).toEqual(fields);
      }),
    );
  });
});
