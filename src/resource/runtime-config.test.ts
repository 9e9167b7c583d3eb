import { describe, expect, test } from 'vitest';
import { parseRuntimeConfig, RuntimeConfigError } from '#resource/runtime-config.ts';

const known = [
  { group: '', version: 'v1' },
  { group: 'apps', version: 'v1' },
];

describe('--runtime-config', () => {
  test('names the core group with and without its old name `api`', () => {
    expect(parseRuntimeConfig('api/v1', known)('', 'v1', 'pods')).toBe(true);
    expect(parseRuntimeConfig('v1=false', known)('', 'v1', 'pods')).toBe(false);
    expect(parseRuntimeConfig('api/v1/pods=false', known)('', 'v1', 'pods')).toBe(false);
  });

  test('knows the levels below api/', () => {
    expect(parseRuntimeConfig('api/beta=false,api/v1', known)('policy', 'v1beta1', 'x')).toBe(false);
  });

  test('refuses what it does not know in words for the operator', () => {
    for (const text of ['foo/v1', 'apps/v7', 'v1=maybe', 'api/all=false']) expect(() => parseRuntimeConfig(text, known)).toThrow(RuntimeConfigError);
  });
});
