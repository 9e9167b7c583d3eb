import { expect, test } from 'vitest';
import { bearerToken } from '#auth/authentication/bearer-token.ts';
import { tokenFile } from '#auth/authentication/token-file.ts';
import { credentials } from '../../../test/support/credentials.ts';

const file = 'admin-token,admin,admin-uid,"system:masters,team-a"\nbob-token,bob,bob-uid,\n\nold-token,old,1\nq-token,"a ""b""",2,g\n';
const authenticate = bearerToken(() => [tokenFile(file)]);
const withHeader = (authorization: string) => authenticate(credentials({ headers: { authorization } }));

test('a token of the file stands for its user, uid and groups', async () => {
  expect(await withHeader('Bearer admin-token')).toEqual({ name: 'admin', uid: 'admin-uid', groups: ['system:masters', 'team-a', 'system:authenticated'] });
  expect(await withHeader('bearer bob-token')).toEqual({ name: 'bob', uid: 'bob-uid', groups: ['', 'system:authenticated'] });
  expect(await withHeader('BEARER old-token')).toMatchObject({ name: 'old', uid: '1', groups: ['system:authenticated'] });
  expect(await withHeader('Bearer q-token')).toMatchObject({ name: 'a "b"', groups: ['g', 'system:authenticated'] });
});

test('a token that nobody knows is refused', async () => {
  await expect(withHeader('Bearer nope')).rejects.toMatchObject({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
});

test.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'nope'])('the header %j holds no credentials', async (authorization) => {
  expect(await withHeader(authorization)).toBeUndefined();
});

test('two blanks before the token make it no token, with a warning', async () => {
  const warnings: string[] = [];
  const request = credentials({ headers: { authorization: 'Bearer  admin-token' }, warn: (text) => warnings.push(text) });
  expect(await authenticate(request)).toBeUndefined();
  expect(warnings).toEqual(['the provided Authorization header contains extra space before the bearer token, and is ignored']);
});

test('a WebSocket may carry the token as a sub-protocol', async () => {
  const offered = `v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.${Buffer.from('bob-token').toString('base64url')}`;
  const headers = { upgrade: 'WebSocket', 'sec-websocket-protocol': offered };
  expect(await authenticate(credentials({ headers }))).toMatchObject({ name: 'bob' });
  expect(await authenticate(credentials({ headers: { 'sec-websocket-protocol': offered } }))).toBeUndefined();
});

test.each(['a,b', 'a,"b,c'])('the line %j is refused at start', (line) => {
  expect(() => tokenFile(line)).toThrow();
});
