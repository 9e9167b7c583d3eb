import { expect, test } from 'vitest';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { jsonForm } from '#resource/json-form.ts';
import { isStored, itemOf } from '#verbs/written-item.ts';

const form = jsonForm({ group: '', version: 'v1', kind: 'ConfigMap', schema: ConfigMap });
const encoded = (name: string, value: string) => form.encode({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, uid: 'u' }, data: { key: value } });
const stored = itemOf(form, encoded('a', 'one'), 7);

test('the same bytes are what is stored, whatever its revision', () => {
  expect(isStored(form, encoded('a', 'one'), stored)).toBe(true);
  expect(isStored(form, encoded('a', 'one'), itemOf(form, encoded('a', 'one'), 123456))).toBe(true);
});

test.each([
  ['before its resourceVersion', encoded('b', 'one')],
  ['behind it', encoded('a', 'two')],
  ['in length', encoded('a', 'three')],
])('what differs %s is not', (_, json) => {
  expect(isStored(form, json, stored)).toBe(false);
});

test('an item that has its JSON only is compared by that', () => {
  const { json, revision, object } = stored;
  expect(isStored(form, encoded('a', 'one'), { json, revision, object })).toBe(true);
  expect(isStored(form, encoded('a', 'two'), { json, revision, object })).toBe(false);
  expect(isStored(form, encoded('a', 'three'), { json, revision, object })).toBe(false);
});
