import { expect, test } from 'vitest';
import { WaitingClaims } from '#controllers/volumes/binder/waiting-claims.ts';

const any = () => true;

function waiting(...claims: readonly string[]): WaitingClaims {
  const all = new WaitingClaims();
  for (const claim of claims) all.set(claim, 'fast');
  return all;
}

test('a volume is offered to one claim of its class that it fits, and no claim has two offers', () => {
  const all = waiting('a', 'b', 'c');
  all.set('d', 'slow');
  expect(all.offer('v1', 'fast', (claim) => claim !== 'a')).toBe('b');
  expect(all.offer('v2', 'fast', any)).toBe('a');
  expect(all.offer('v3', 'slow', any)).toBe('d');
  expect(all.offer('v4', 'fast', any)).toBe('c');
  expect(all.offer('v5', 'fast', any)).toBeUndefined();
});

test('a volume whose offer stands is not offered again', () => {
  const all = waiting('a', 'b');
  expect([all.offer('v', 'fast', any), all.offer('v', 'fast', any)]).toEqual(['a', undefined]);
});

test('what a claim was offered goes to another when the claim waits no longer', () => {
  const all = waiting('a', 'b');
  all.offer('v', 'fast', any);
  expect(all.delete('a')).toBe('v');
  expect(all.offer('v', 'fast', any)).toBe('b');
});

test('a claim whose offer was taken by another gets the next', () => {
  const all = waiting('a');
  all.offer('v1', 'fast', any);
  all.withdraw('v1');
  expect(all.offer('v2', 'fast', any)).toBe('a');
});

test('a claim that asks for a volume by its name is offered no other', () => {
  const all = waiting('a');
  all.set('a', 'fast', 'mine');
  expect(all.offer('v', 'fast', any)).toBeUndefined();
  expect([all.asking('mine'), all.asking('v')]).toEqual([['a'], []]);
  all.delete('a');
  expect(all.asking('mine')).toEqual([]);
});
