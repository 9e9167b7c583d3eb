// The check at the end of the suite must be able to fail.
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { signingKey, signJwt } from '#auth/authentication/jwt.ts';
import { findTraces, tracesOf } from '../support/secret-scan.mjs';

const pem = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const token = signJwt({ sub: 'somebody', exp: 1 }, signingKey(pem));

test.each([
  ['a token', 'edit-0123456789abcdef', 'HTTP header="Bearer edit-0123456789abcdef"'],
  ['a token without its scheme', 'edit-0123456789abcdef', 'xedit-0123456789abcdefx'],
  ['a password as a Secret has it', 'correct horse battery', `data=${Buffer.from('correct horse battery').toString('base64')}`],
  ['the claims of a JWT', token, token.split('.')[1] ?? ''],
  ['the signature of a JWT', token, `sig ${token.split('.')[2]} !`],
  ['a JWT that nobody wrote down', '', `token=${token}`],
  ['a bearer token that nobody wrote down', '', 'authorization: Bearer abcdefghijklmnopqrstuvwxyz'],
  ['a private key that nobody wrote down', '', `{"key":${JSON.stringify(pem)}}`],
  ['a line of a private key', pem, `k ${pem.split('\n')[2]}`],
])('%s is found in a log', (_, secret, line) => {
  expect(findTraces(`I1116 first line\nI1116 ${line}\nI1116 last line`, tracesOf(secret)).length).toBeGreaterThan(0);
});

test('what gives nothing away is not found', () => {
  const secrets = ['edit-0123456789abcdef', token, pem].flatMap(tracesOf);
  const log = `user="edit" path="/api/v1/secrets/edit" kid=${token.split('.')[0]} authorization: Bearer x\n-----BEGIN CERTIFICATE-----`;
  expect(findTraces(log, secrets)).toEqual([]);
});
