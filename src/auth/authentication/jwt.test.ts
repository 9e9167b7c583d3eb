import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedBy, parseJwt, signingKey, signJwt } from '#auth/authentication/jwt.ts';

const key = signingKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());

test('a token is read and told by its key', () => {
  const parsed = parseJwt(signJwt({ iss: 'us', sub: 'a', exp: 1, aud: ['b'] }, key));
  expect(parsed?.claims).toEqual({ iss: 'us', sub: 'a', exp: 1, aud: ['b'] });
  expect(parsed && isSignedBy(parsed, key)).toBe(true);
});

test.each([{ exp: '9999999999' }, { nbf: true }, { iat: {} }, { iss: ['us'] }, { sub: 5 }, { jti: [] }])(
  'a token with claims %j is none, whoever signed it',
  (claims) => {
    expect(parseJwt(signJwt({ iss: 'us', ...claims }, key))).toBeUndefined();
  },
);

test.each([7, ['a'], { a: 1 }])('nor is one of a key called %j', (id) => {
  expect(parseJwt(signJwt({ iss: 'us' }, { ...key, id: id as unknown as string }))).toBeUndefined();
});

test('a signature has one spelling', () => {
  let token = signJwt({ iss: 'us' }, key);
  while (!/[-_][^.]*$/.test(token)) token = signJwt({ iss: 'us' }, key);
  const [head, body, signature = ''] = token.split('.');
  const respelled = signature.replaceAll('-', '+').replaceAll('_', '/');
  expect(parseJwt(token)).toBeDefined();
  expect(parseJwt(`${head}.${body}.${respelled}`)).toBeUndefined();
  expect(parseJwt(`${token}=`)).toBeUndefined();
});
