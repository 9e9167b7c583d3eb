import { describe, expect, test } from 'vitest';
import type { ManagedFieldsEntry } from '#api/object.ts';
import { managedFieldsOfParent, managedFieldsOfScale } from '#patch/apply/scale.ts';

const paths = { 'apps/v1': ['spec', 'replicas'] };
const entry = (owner: string, fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => {
  const [manager, operation, apiVersion] = owner.split(' ');
  return { manager, operation, apiVersion, fieldsType: 'FieldsV1', fieldsV1: fieldsV1 as Record<string, unknown>, ...more };
};
const replicas = { 'f:spec': { 'f:replicas': {} } };
const time = '2026-01-01T00:00:00Z';
const parent = [
  entry('m Apply apps/v1', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }, { time }),
  entry('n Update apps/v1', { 'f:spec': { 'f:paused': {} } }, { time }),
];

describe('managedFields through the scale subresource', () => {
  test('show only who owns the replicas', () => {
    expect(managedFieldsOfScale(parent, paths)).toEqual([entry('m Apply autoscaling/v1', replicas, { time })]);
  });

  test('are those of the parent again when nobody took the replicas', () => {
    expect(managedFieldsOfParent(parent, managedFieldsOfScale(parent, paths), 'apps/v1', paths)).toEqual(parent);
  });

  test('move the replicas to whoever scaled', () => {
    const scaled = [entry('hpa Update autoscaling/v1', replicas, { subresource: 'scale', time })];
    expect(managedFieldsOfParent(parent, scaled, 'apps/v1', paths)).toEqual([
      entry('m Apply apps/v1', { 'f:spec': { 'f:paused': {} } }, { time }),
      entry('hpa Update apps/v1', replicas, { subresource: 'scale' }),
      entry('n Update apps/v1', { 'f:spec': { 'f:paused': {} } }, { time }),
    ]);
  });

  test('drop entries in versions of the kind that are unknown', () => {
    expect(managedFieldsOfParent([entry('o Update apps/v0', { 'f:spec': {} })], undefined, 'apps/v1', paths)).toBeUndefined();
  });
});
