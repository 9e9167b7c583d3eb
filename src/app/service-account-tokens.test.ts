import { createHmac, createPublicKey, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signingKey, signJwt } from '#auth/authentication/jwt.ts';
import type { Log } from '#base/log.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const issuer = 'https://kubernetes.default.svc.cluster.local';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const lines: string[] = [];
const note = (...facts: unknown[]) =>
  void lines.push(JSON.stringify(facts.map((fact) => (fact instanceof Error ? `${fact.stack} ${String(fact.cause)}` : fact))));
const log: Log = { debug: note, info: note, warn: note, error: note };
const started = Date.now();
let ahead = 0;
const clock = { now: () => new Date(started + ahead * 1000) };

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ clock, log });
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function account(name: string) {
  return server.make(accounts, { metadata: { name } });
}

async function tokenFor(name: string, spec: object = {}): Promise<string> {
  return (await server.make(`${accounts}/${name}/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec })).status.token;
}

/** 401: not known; 403: known, without rights. */
async function codeWith(token: string): Promise<number> {
  return (await server.ask('GET', '/api/v1/namespaces/default/configmaps', undefined, { token })).code;
}

async function review(token: string, audiences: readonly string[] = []) {
  return (await server.ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token, audiences } })).json.status;
}

/** A token with other claims, header or signature than the server would make. */
function forged(token: string, changes: { claims?: object; header?: object; sign?: (signed: string) => string }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ ...decodeProtectedHeader(token), ...changes.header })}.${part({ ...decodeJwt(token), ...changes.claims })}`;
  return `${signed}.${changes.sign?.(signed) ?? token.split('.')[2]}`;
}

const own = (token: string, claims: object) => signJwt({ ...decodeJwt(token), ...claims }, signingKey(server.server.certificates.serviceAccounts.signingKey));

describe('a token of serviceaccounts/token', () => {
  test('stands for the account, its groups and the token itself', async () => {
    const { metadata } = await account('plain');
    const token = await tokenFor('plain');
    const { json } = await server.ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { token });
    expect(json.status.userInfo).toEqual({
      username: 'system:serviceaccount:default:plain',
      uid: metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${decodeJwt(token).jti}`] },
    });
  });

  test('is one that others can check with the published keys', async () => {
    await account('checked');
    const token = await tokenFor('checked');
    const configuration = await server.ask('GET', '/.well-known/openid-configuration');
    expect(configuration.json.issuer).toBe(issuer);
    const keys = await server.ask('GET', new URL(configuration.json.jwks_uri).pathname);
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys.json), { issuer, audience: issuer, currentDate: clock.now() });
    expect(payload.sub).toBe('system:serviceaccount:default:checked');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  test('is refused by an audience that it is not meant for, and known to one that it is', async () => {
    await account('elsewhere');
    const token = await tokenFor('elsewhere', { audiences: ['vault', 'other'] });
    expect(await codeWith(token)).toBe(401);
    expect(await review(token, ['vault', 'third'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect((await review(token)).error).toBe(`[invalid bearer token, token audiences ["vault" "other"] is invalid for the target audiences ["${issuer}"]]`);
  });

  test('ends when its time is over, not a minute later', async () => {
    await account('brief');
    const token = await tokenFor('brief', { expirationSeconds: 600 });
    ahead = 655;
    expect(await codeWith(token)).toBe(403);
    ahead = 662;
    expect(await codeWith(token)).toBe(401);
    expect((await review(token)).error).toContain('service account token has expired');
    ahead = 0;
  });

  test('does not work before its time', async () => {
    await account('early');
    const token = await tokenFor('early');
    const now = Math.floor(started / 1000);
    expect(await codeWith(own(token, { nbf: now + 50 }))).toBe(403);
    expect((await review(own(token, { nbf: now + 120 }))).error).toContain('service account token is not valid yet');
    expect((await review(own(token, { iat: now + 120 }))).error).toContain('service account token is issued in the future');
  });

  test('is shortened or extended as the server is told', async () => {
    await account('long');
    await using strict = await ServerInTest.start({ flags: ['--service-account-max-token-expiration=2h'] });
    await strict.make(accounts, { metadata: { name: 'long' } });
    const answer = await strict.ask('POST', `${accounts}/long/token`, { spec: { expirationSeconds: 86400 } });
    expect(answer.json.spec.expirationSeconds).toBe(7200);
    expect(answer.headers['warning']).toContain('requested expiration of 86400 seconds shortened to 7200 seconds');
    await server.make('/api/v1/namespaces/default/pods', pod('kept', 'long'));
    const {
      exp = 0,
      iat = 0,
      ...claims
    } = decodeJwt(await tokenFor('long', { expirationSeconds: 3607, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'kept' } }));
    expect(exp - iat).toBe(31_536_000);
    expect((claims['kubernetes.io'] as { warnafter: number }).warnafter - iat).toBe(3607);
  });
});

function pemPair({ privateKey, publicKey }: KeyPairKeyObjectResult) {
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

function pod(name: string, serviceAccountName: string) {
  return { metadata: { name }, spec: { serviceAccountName, containers: [{ name: 'c', image: 'i' }] } };
}

describe('a token is refused when', () => {
  let token: string;
  beforeAll(async () => {
    await account('victim');
    token = await tokenFor('victim');
    expect(await codeWith(token)).toBe(403);
  });

  const otherKey = pemPair(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
  const spki = () => createPublicKey(server.server.certificates.serviceAccounts.signingKey).export({ type: 'spki', format: 'pem' }) as string;
  const forgeries: Readonly<Record<string, () => string>> = {
    'its claims are changed': () => forged(token, { claims: { sub: 'system:serviceaccount:kube-system:admin' } }),
    'it says alg none': () => forged(token, { header: { alg: 'none' }, sign: () => '' }),
    'it says alg none and keeps a signature': () => forged(token, { header: { alg: 'none' } }),
    'it is signed with the public key as a secret': () =>
      forged(token, { header: { alg: 'HS256' }, sign: (signed) => createHmac('sha256', spki()).update(signed).digest('base64url') }),
    'another key signed it': () => signJwt(decodeJwt(token), signingKey(otherKey.privateKey)),
    'another key signed it in the name of ours': () =>
      signJwt(decodeJwt(token), { ...signingKey(otherKey.privateKey), id: String(decodeProtectedHeader(token).kid) }),
    'it names no key and another one signed it': () => signJwt(decodeJwt(token), { ...signingKey(otherKey.privateKey), id: '' }),
    'another issuer made it': () => own(token, { iss: 'https://elsewhere.example' }),
    'the signature is cut': () => token.slice(0, -4),
    'a part is missing': () => token.split('.').slice(0, 2).join('.'),
    'it has a part too many': () => `${token}.x`,
    'it has critical headers that nobody understands': () => forged(token, { header: { crit: ['b64'] } }),
    'the account is another one of the same name': () =>
      own(token, { 'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'victim', uid: 'other' } } }),
    'it names no account': () => own(token, { 'kubernetes.io': undefined }),
  };
  test.each(Object.keys(forgeries))('%s', async (name) => {
    expect(await codeWith(forgeries[name]?.() ?? '')).toBe(401);
    expect(await codeWith(token)).toBe(403);
  });

  test('the account is gone, and stays refused when the name comes back', async () => {
    await account('leaver');
    const leaver = await tokenFor('leaver');
    expect(await codeWith(leaver)).toBe(403);
    await server.ask('DELETE', `${accounts}/leaver`);
    expect(await codeWith(leaver)).toBe(401);
    await account('leaver');
    expect(await codeWith(leaver)).toBe(401);
  });

  test.each([
    ['Pod', '/api/v1/namespaces/default/pods', pod('bound', 'binder'), { gracePeriodSeconds: 0 }],
    ['Secret', '/api/v1/namespaces/default/secrets', { metadata: { name: 'bound' } }, {}],
    ['Node', '/api/v1/nodes', { metadata: { name: 'bound' } }, {}],
  ])('the %s it is bound to is gone', async (kind, path, object, options) => {
    await server.ask('POST', accounts, { metadata: { name: 'binder' } });
    const { metadata } = await server.make(path, object);
    const bound = await tokenFor('binder', { boundObjectRef: { kind, apiVersion: 'v1', name: 'bound', uid: metadata.uid } });
    expect(await codeWith(bound)).toBe(403);
    expect((await server.ask('DELETE', `${path}/bound`, options)).code).toBe(200);
    expect(await codeWith(bound)).toBe(401);
    await server.make(path, object);
    expect(await codeWith(bound)).toBe(401);
  });
});

test('a pod token names the pod and its node', async () => {
  await account('runner');
  const spec = { ...pod('placed', 'runner').spec, nodeName: 'n1' };
  const { metadata } = await server.make('/api/v1/namespaces/default/pods', { metadata: { name: 'placed' }, spec });
  const token = await tokenFor('runner', { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'placed' } });
  const { json } = await server.ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { token });
  expect(json.status.userInfo.extra).toMatchObject({
    'authentication.kubernetes.io/pod-name': ['placed'],
    'authentication.kubernetes.io/pod-uid': [metadata.uid],
    'authentication.kubernetes.io/node-name': ['n1'],
  });
});

test.each([
  [{ kind: 'Pod', apiVersion: 'v1', name: 'other' }, 400, 'cannot bind token for serviceaccount "asker" to pod running with different serviceaccount name.'],
  [{ kind: 'Secret', apiVersion: 'v1', name: 'missing' }, 404, 'secrets "missing" not found'],
  [{ kind: 'Pod', apiVersion: 'v1', name: 'missing' }, 404, 'pods "missing" not found'],
  [{ kind: 'Deployment', apiVersion: 'apps/v1', name: 'x' }, 400, 'cannot bind token to object of type apps/v1, Kind=Deployment'],
])('a token cannot be bound to %j', async (boundObjectRef, code, message) => {
  await server.ask('POST', accounts, { metadata: { name: 'asker' } });
  await server.ask('POST', '/api/v1/namespaces/default/pods', pod('other', 'somebody-else'));
  const answer = await server.ask('POST', `${accounts}/asker/token`, { spec: { boundObjectRef } });
  expect([answer.code, answer.json.message]).toEqual([code, message]);
});

test('the token of a secret works while the secret holds it and is not marked invalid', async () => {
  const { metadata } = await account('old');
  const token = signJwt(
    {
      iss: 'kubernetes/serviceaccount',
      sub: 'system:serviceaccount:default:old',
      'kubernetes.io/serviceaccount/namespace': 'default',
      'kubernetes.io/serviceaccount/secret.name': 'old-token',
      'kubernetes.io/serviceaccount/service-account.name': 'old',
      'kubernetes.io/serviceaccount/service-account.uid': metadata.uid,
    },
    signingKey(server.server.certificates.serviceAccounts.signingKey),
  );
  expect(await codeWith(token)).toBe(401);
  const secrets = '/api/v1/namespaces/default/secrets';
  const annotations = { 'kubernetes.io/service-account.name': 'old' };
  await server.make(secrets, { metadata: { name: 'old-token', annotations }, type: 'kubernetes.io/service-account-token', stringData: { token } });
  expect(await codeWith(token)).toBe(403);
  const label = (value: string | null) =>
    server.ask(
      'PATCH',
      `${secrets}/old-token`,
      { metadata: { labels: { 'kubernetes.io/legacy-token-invalid-since': value } } },
      { type: 'application/merge-patch+json' },
    );
  await expect
    .poll(async () => (await server.ask('GET', `${secrets}/old-token`)).text, { timeout: 20_000 })
    .toContain('"kubernetes.io/legacy-token-last-used":"');
  await label('2026-01-01');
  expect(await codeWith(token)).toBe(401);
  await label(null);
  expect(await codeWith(token)).toBe(403);
  await server.ask('DELETE', `${secrets}/old-token`);
  expect(await codeWith(token)).toBe(401);
});

test('keys can be changed: tokens of all listed keys count, RSA and EC, those of others do not', async () => {
  const rsa = pemPair(generateKeyPairSync('rsa', { modulusLength: 2048 }));
  const ec = pemPair(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }));
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-keys-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const flags = [
    `--service-account-signing-key-file=${file('ec.key', ec.privateKey)}`,
    `--service-account-key-file=${file('both.pub', rsa.publicKey + ec.publicKey)}`,
  ];
  await using rotated = await ServerInTest.start({ flags });
  const { metadata } = await rotated.make(accounts, { metadata: { name: 'a' } });
  const fresh = (await rotated.make(`${accounts}/a/token`, { spec: {} })).status.token;
  const code = async (token: string) => (await rotated.ask('GET', accounts, undefined, { token })).code;
  expect(decodeProtectedHeader(fresh).alg).toBe('ES384');
  expect(decodeJwt(fresh)['kubernetes.io']).toMatchObject({ serviceaccount: { uid: metadata.uid } });
  expect(await code(fresh)).toBe(403);
  expect(await code(signJwt(decodeJwt(fresh), signingKey(rsa.privateKey)))).toBe(403);
  expect(await code(signJwt(decodeJwt(fresh), signingKey(server.server.certificates.serviceAccounts.signingKey)))).toBe(401);
  const { json } = await rotated.ask('GET', '/openid/v1/jwks');
  expect(json.keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES384']);
  rmSync(dir, { recursive: true });
});

test('no token and no key stands in the log or in an answer to a wrong token', async () => {
  await account('secretive');
  const token = await tokenFor('secretive');
  const wrong = forged(token, { claims: { sub: 'x' } });
  const answer = await server.ask('GET', accounts, undefined, { token: wrong });
  const reviewed = await review(wrong);
  const seen = [...lines, answer.text, JSON.stringify(reviewed)].join('\n');
  const secret = server.server.certificates.serviceAccounts.signingKey.split('\n')[1] ?? '';
  expect(secret.length).toBeGreaterThan(20);
  for (const text of [token.split('.')[2], wrong.split('.')[1], secret]) expect(seen).not.toContain(text);
});
