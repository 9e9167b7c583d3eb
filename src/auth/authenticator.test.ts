import { expect, test } from 'vitest';
import { type Authenticator, firstOf } from '#auth/authenticator.ts';
import { allowMasters, alwaysAllow, type Authorizer, firstOpinion } from '#auth/authorizer.ts';
import type { AccessAttributes } from '#auth/authorizer.ts';
import { credentials } from '../../test/support/credentials.ts';

const knows =
  (name: string): Authenticator =>
  async () => ({ name, groups: [] });
const silent: Authenticator = async () => undefined;
const broken: Authenticator = async () => {
  throw new Error('broken');
};

test('the first authenticator with an answer wins', async () => {
  expect(await firstOf([silent, knows('a'), knows('b')])(credentials({}))).toMatchObject({ name: 'a' });
  expect(await firstOf([silent, silent])(credentials({}))).toBeUndefined();
});

test('a failure counts only if nobody answers', async () => {
  expect(await firstOf([broken, knows('b')])(credentials({}))).toMatchObject({ name: 'b' });
  await expect(firstOf([broken, silent])(credentials({}))).rejects.toThrow('broken');
});

const attributes = { isResource: false, verb: 'get', path: '/x' } as AccessAttributes;
const unsure =
  (reason: string): Authorizer =>
  async () => ({ decision: 'no-opinion', reason });

test('the first authorizer with an opinion decides, the reasons of the others are collected', async () => {
  const user = { name: 'a', groups: [] };
  const deny: Authorizer = async () => ({ decision: 'deny', reason: 'no' });
  expect(await firstOpinion([unsure('x'), deny, alwaysAllow])(user, attributes)).toEqual({ decision: 'deny', reason: 'no' });
  expect(await firstOpinion([unsure('x'), unsure(''), unsure('y')])(user, attributes)).toEqual({ decision: 'no-opinion', reason: 'x\ny' });
});

test('masters may do everything', async () => {
  expect(await allowMasters({ name: 'a', groups: ['system:masters'] }, attributes)).toMatchObject({ decision: 'allow' });
  expect(await allowMasters({ name: 'a', groups: ['team-a'] }, attributes)).toMatchObject({ decision: 'no-opinion' });
});
