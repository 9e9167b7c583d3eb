import { expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import type { Column } from '#resource/column.ts';
import { tableOf } from '#resource/table.ts';

const name: Column = { name: 'Name', type: 'string', read: ({ metadata }) => metadata.name };
const rank: Column = { name: 'Rank', type: 'integer', read: ({ metadata }) => Number(metadata.labels?.['rank']) };
const items = [
  ['a', '10'],
  ['b', '9'],
  ['c', '9'],
].map(([called, ranked]) => {
  const object: KubernetesObject = { metadata: { name: called ?? '', labels: { rank: ranked ?? '' } } };
  return { stored: object, shown: () => object };
});
const rowsOf = (columns: readonly Column[]) =>
  tableOf(items, {}, { definition: { columns }, apiVersion: 'meta.k8s.io/v1', includeObject: 'None', now: new Date(0) }).rows?.map(({ cells }) => cells[0]);

test('rows stand in the order of the list', () => {
  expect(rowsOf([name, rank])).toEqual(['a', 'b', 'c']);
});

test('rows stand in the order of the column that says so, equal ones in the order of the list', () => {
  expect(rowsOf([name, { ...rank, ordersRows: true }])).toEqual(['b', 'c', 'a']);
});
