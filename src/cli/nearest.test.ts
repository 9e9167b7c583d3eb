import { expect, test } from 'vitest';
import { nearestOf } from '#cli/nearest.ts';

const flags = ['secure-port', 'insecure-port', 'memory', 'data-dir', 'v'];

test.each([
  ['secure-prt', 'secure-port'],
  ['secure-prot', 'secure-port'],
  ['insecureport', 'insecure-port'],
  ['memroy', 'memory'],
  ['datadir', 'data-dir'],
  ['no-such-flag', undefined],
  ['', 'v'],
])('%j was meant to be %j', (word, meant) => {
  expect(nearestOf(word, flags)).toBe(meant);
});
