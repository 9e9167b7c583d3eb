import { describe, expect, test } from 'vitest';
import { compileJsonPath, JsonPathError } from '#resource/json-path.ts';

const object = {
  metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'web' } },
  spec: {
    replicas: 3,
    items: [
      { name: 'x', n: 1 },
      { name: 'y', n: 2 },
      { name: 'z', n: 3 },
    ],
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Synced', status: 'False' },
    ],
  },
};
const at = (path: string) => compileJsonPath(path)(object);

describe('a JSONPath', () => {
  test('follows members, quoted members and escaped dots', () => {
    expect(at('.spec.replicas')).toEqual([3]);
    expect(at(".metadata.labels['app\\.kubernetes\\.io/name']")).toEqual(['web']);
    // As client-go has it: a quoted name is a path too.
    expect(at(".metadata.labels['app.kubernetes.io/name']")).toEqual([]);
    expect(at("['spec']['replicas']")).toEqual([3]);
    expect(at('.')).toEqual([]);
    expect(at('.metadata.labels.app\\.kubernetes\\.io/name')).toEqual(['web']);
    expect(at('.spec.missing.further')).toEqual([]);
  });

  test('follows indexes, slices, unions and stars', () => {
    expect(at('.spec.items[0].name')).toEqual(['x']);
    expect(at('.spec.items[-1].name')).toEqual(['z']);
    expect(at('.spec.items[0:2].name')).toEqual(['x', 'y']);
    expect(at('.spec.items[0,2].name')).toEqual(['x', 'z']);
    expect(at('.spec.items[*].n')).toEqual([1, 2, 3]);
    expect(at('..name')).toEqual(['a', 'x', 'y', 'z']);
  });

  test('filters items', () => {
    expect(at('.status.conditions[?(@.type=="Ready")].status')).toEqual(['True']);
    expect(at(".status.conditions[?(@.type=='Nope')].status")).toEqual([]);
    expect(at('.spec.items[?(@.n>=2)].name')).toEqual(['y', 'z']);
  });

  test('says what it cannot follow', () => {
    expect(() => at('.spec.items[7]')).toThrow(JsonPathError);
    expect(() => compileJsonPath('.spec.items[')).toThrow(JsonPathError);
  });
});
