// Others that say who somebody is and what he may do: webhooks, issuers of tokens, files. All over real TLS.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signingKey, signJwt, verifyingKeys } from '#auth/authentication/jwt.ts';
import { openIdDocuments } from '#auth/authentication/openid-metadata.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';

const authority = new TestAuthority('remote');
const serving = authority.issue({ commonName: 'localhost' }, { usage: 'server', names: ['localhost', '127.0.0.1'] });

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dir: string;
let remote: Server;
let url: string;
/** What the other server answers, by path; it hears the body. */
let answers: Record<string, (body: Review) => object | number>;
let asked: Review[];

interface Review {
  readonly apiVersion?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-remote-'));
  answers = {};
  asked = [];
  remote = createServer({ cert: serving.cert, key: serving.key }, async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = (text === '' ? {} : JSON.parse(text)) as Review;
    asked.push(body);
    const answer = answers[request.url ?? '']?.(body) ?? 404;
    response
      .writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' })
      .end(typeof answer === 'number' ? '' : JSON.stringify(answer));
  });
  remote.listen(0, '127.0.0.1');
  await once(remote, 'listening');
  url = `https://127.0.0.1:${(remote.address() as AddressInfo).port}`;
});
afterEach(() => {
  remote.closeAllConnections();
  remote.close();
  rmSync(dir, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

function kubeconfig(path: string): string {
  const ca = Buffer.from(authority.cert).toString('base64');
  return file(
    'webhook.yaml',
    `apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: "${url}${path}", certificate-authority-data: ${ca}}}]\nusers: [{name: u, user: {token: t}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n`,
  );
}

const whoAmI = async (server: ServerInTest, token: string) => {
  const { code, json } = await server.ask('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { token });
  return code === 201 ? json.status.userInfo : code;
};

describe('a token webhook', () => {
  test('knows users, is asked once for each token, and its mistakes let nobody in', async () => {
    answers['/authn'] = ({ spec }) => {
      if (spec?.['token'] === 'broken') return 400;
      const user = { username: 'remote', uid: '9', groups: ['g'], extra: { k: ['v'] } };
      return { status: spec?.['token'] === 'good' ? { authenticated: true, user, audiences: spec['audiences'] } : { authenticated: false } };
    };
    const flags = [`--authentication-token-webhook-config-file=${kubeconfig('/authn')}`, '--authentication-token-webhook-version=v1'];
    await using server = await ServerInTest.start({ flags });
    const known = { username: 'remote', uid: '9', groups: ['g', 'system:authenticated'], extra: { k: ['v'] } };
    for (let i = 0; i < 3; i++) expect(await whoAmI(server, 'good')).toEqual(known);
    expect(asked).toEqual([
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'good', audiences: ['https://kubernetes.default.svc.cluster.local'] } },
    ]);
    expect(await whoAmI(server, 'bad')).toBe(401);
    expect(await whoAmI(server, 'broken')).toBe(401);
    expect(await whoAmI(server, 'admin')).toMatchObject({ username: 'admin' });
  });

  test('is not believed for another audience', async () => {
    answers['/authn'] = () => ({ status: { authenticated: true, user: { username: 'remote' }, audiences: ['elsewhere'] } });
    await using server = await ServerInTest.start({ flags: [`--authentication-token-webhook-config-file=${kubeconfig('/authn')}`] });
    expect(await whoAmI(server, 'any')).toBe(401);
  });
});

describe('what a webhook said', () => {
  let now: number;
  const clock = { now: () => new Date(now) };
  beforeEach(() => {
    now = Date.now();
  });

  test('about a token is asked for again when its time is over; a failure is never remembered', async () => {
    let known = true;
    answers['/authn'] = ({ spec }) => (known ? { status: { authenticated: true, user: { username: 'remote' }, audiences: spec?.['audiences'] } } : 400);
    const flags = [`--authentication-token-webhook-config-file=${kubeconfig('/authn')}`, '--authentication-token-webhook-cache-ttl=2m'];
    await using server = await ServerInTest.start({ clock, flags });
    expect(await whoAmI(server, 'good')).toMatchObject({ username: 'remote' });
    known = false;
    now += 119_000;
    expect(await whoAmI(server, 'good')).toMatchObject({ username: 'remote' });
    now += 2_000;
    expect(await whoAmI(server, 'good')).toBe(401);
    known = true;
    expect(await whoAmI(server, 'good')).toMatchObject({ username: 'remote' });
  });

  test('about a right is asked for again when its time is over, a yes later than a no', async () => {
    let allowed = false;
    answers['/authz'] = () => ({ status: { allowed } });
    const flags = ['--authorization-mode=Webhook', `--authorization-webhook-config-file=${kubeconfig('/authz')}`];
    await using server = await ServerInTest.start({ clock, users: 'bob,bob,1,team\n', flags, modes: false });
    const code = async () => (await server.ask('GET', '/api/v1/nodes', undefined, { token: 'bob' })).code;
    expect(await code()).toBe(403);
    allowed = true;
    now += 29_000;
    expect(await code()).toBe(403);
    now += 2_000;
    expect(await code()).toBe(200);
    allowed = false;
    now += 299_000;
    expect(await code()).toBe(200);
    now += 2_000;
    expect(await code()).toBe(403);
  });

  test('counts for nothing when the webhook is not who it should be', async () => {
    answers['/authz'] = () => ({ status: { allowed: true } });
    const other = Buffer.from(new TestAuthority('other').cert).toString('base64');
    const text = `apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: "${url}/authz", certificate-authority-data: ${other}}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n`;
    const flags = ['--authorization-mode=Webhook', `--authorization-webhook-config-file=${file('other.yaml', text)}`];
    await using server = await ServerInTest.start({ users: 'bob,bob,1,team\n', flags, modes: false });
    expect((await server.ask('GET', '/api/v1/nodes', undefined, { token: 'bob' })).code).toBe(403);
    expect(asked).toEqual([]);
  });
});

test('a kubeconfig that cannot be read is refused without showing what it holds', async () => {
  const text = "apiVersion: v1\nusers: [{name: u, user: {token: 'very-secret-token'}}]\nclusters: [{name: a: b}]\n";
  for (const flag of ['authentication-token-webhook-config-file', 'authorization-webhook-config-file']) {
    const modes = flag.startsWith('authorization') ? ['--authorization-mode=Webhook'] : [];
    const problem = await ServerInTest.start({ modes: false, flags: [...modes, `--${flag}=${file('bad.yaml', text)}`] }).catch((error: Error) => error.message);
    expect(problem).toMatch(/bad\.yaml, line 3: /);
    expect(problem).not.toContain('very-secret-token');
  }
});

describe('an authorization webhook', () => {
  const users = 'bob,bob,1,team\n';
  const path = '/api/v1/namespaces/default/configmaps';

  test('allows, refuses with a reason, and is asked once for each question', async () => {
    answers['/authz'] = ({ spec }) => {
      const { verb } = (spec?.['resourceAttributes'] ?? {}) as { verb?: string };
      return { status: verb === 'list' ? { allowed: true } : { allowed: false, denied: verb === 'create', reason: `not ${verb}` } };
    };
    const config = `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n- type: Webhook\n  name: w\n  webhook: {timeout: 3s, subjectAccessReviewVersion: v1, failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${kubeconfig('/authz')}}}\n- type: RBAC\n  name: r\n`;
    await using server = await ServerInTest.start({ users, flags: [`--authorization-config=${file('authz.yaml', config)}`], modes: false });
    for (let i = 0; i < 2; i++) expect((await server.ask('GET', `${path}?labelSelector=a%3Db`, undefined, { token: 'bob' })).code).toBe(200);
    expect(asked).toEqual([
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          resourceAttributes: {
            namespace: 'default',
            verb: 'list',
            version: 'v1',
            resource: 'configmaps',
            labelSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
          },
          user: 'bob',
          groups: ['team', 'system:authenticated'],
          uid: '1',
        },
      },
    ]);
    expect((await server.ask('POST', path, {}, { token: 'bob' })).json.message).toContain(
      'cannot create resource "configmaps" in API group "" in the namespace "default": not create',
    );
    expect((await server.ask('GET', `${path}/x`, undefined, { token: 'bob' })).code).toBe(403);
    expect((await server.ask('GET', path)).code).toBe(200);
  });

  test.each([
    ['NoOpinion', 200],
    ['Deny', 403],
  ])('that fails means %s when the file says so', async (failurePolicy, code) => {
    answers['/authz'] = () => 400;
    const config = `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n- type: Webhook\n  webhook: {failurePolicy: ${failurePolicy}, connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${kubeconfig('/authz')}}}\n- type: AlwaysAllow\n`;
    await using server = await ServerInTest.start({ users, flags: [`--authorization-config=${file('authz.yaml', config)}`], modes: false });
    expect((await server.ask('GET', path, undefined, { token: 'bob' })).code).toBe(code);
  });

  test('is asked only about what its conditions match; one that cannot be told is a failure', async () => {
    answers['/authz'] = () => ({ status: { allowed: false, denied: true } });
    const webhook = (condition: string) =>
      `{failurePolicy: Deny, subjectAccessReviewVersion: v1, matchConditions: [{expression: ${JSON.stringify(condition)}}], connectionInfo: {type: KubeConfigFile, kubeConfigFile: ${kubeconfig('/authz')}}}`;
    const config = (condition: string) =>
      `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n- type: Webhook\n  webhook: ${webhook(condition)}\n- type: AlwaysAllow\n`;
    const start = (condition: string) =>
      ServerInTest.start({ users, flags: [`--authorization-config=${file('authz.yaml', config(condition))}`], modes: false });
    {
      await using server = await start("has(request.resourceAttributes) && request.resourceAttributes.verb == 'delete'");
      expect((await server.ask('GET', path, undefined, { token: 'bob' })).code).toBe(200);
      expect((await server.ask('DELETE', `${path}/x`, undefined, { token: 'bob' })).code).toBe(403);
    }
    await using server = await start("request.extra['none'][0] == 'x'");
    expect((await server.ask('GET', path, undefined, { token: 'bob' })).code).toBe(403);
    await expect(start('request.nope')).rejects.toThrow("undefined field 'nope'");
  });
});

test('policies of a file count for whom they name', async () => {
  const policy = (spec: object) => JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
  const text = [
    policy({ user: 'bob', namespace: 'default', resource: 'configmaps', apiGroup: '*', readonly: true }),
    policy({ group: 'team', namespace: '*', resource: 'pods', apiGroup: '' }),
    policy({ user: '*', nonResourcePath: '/version' }),
    '{"user":"old"}',
  ].join('\n');
  const flags = ['--authorization-mode=ABAC', `--authorization-policy-file=${file('policy.jsonl', text)}`];
  await using server = await ServerInTest.start({ users: 'bob,bob,1,\neve,eve,2,team\nold,old,3,\n', flags, modes: false });
  const code = async (method: string, path: string, token: string) => (await server.ask(method, path, undefined, { token })).code;
  expect(await code('GET', '/api/v1/namespaces/default/configmaps', 'bob')).toBe(200);
  expect(await code('DELETE', '/api/v1/namespaces/default/configmaps/x', 'bob')).toBe(403);
  expect(await code('GET', '/api/v1/namespaces/kube-system/configmaps', 'bob')).toBe(403);
  expect(await code('DELETE', '/api/v1/namespaces/kube-system/pods/x', 'eve')).toBe(404);
  expect(await code('GET', '/api/v1/namespaces/kube-system/pods', 'bob')).toBe(403);
  expect(await code('GET', '/version', 'bob')).toBe(200);
  expect(await code('GET', '/version', '')).toBe(403);
  expect(await code('DELETE', '/api/v1/namespaces/default/secrets/x', 'old')).toBe(404);
  expect((await server.ask('GET', '/metrics', undefined, { token: 'bob' })).json.message).toContain('No policy matched.');
});

describe('an issuer of tokens', () => {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const now = () => Math.floor(Date.now() / 1000);
  const token = (claims: object, pem = key) => signJwt({ iss: url, aud: 'me', sub: 'carol', exp: now() + 600, groups: ['a', 'b'], ...claims }, signingKey(pem));

  function publish(pem: string): void {
    const documents = openIdDocuments(url, `${url}/keys`, verifyingKeys(pem));
    answers['/.well-known/openid-configuration'] = () => JSON.parse(documents?.configuration ?? '{}');
    answers['/keys'] = () => JSON.parse(documents?.keys ?? '{}');
  }

  test('named by flags is believed about names and groups, when the token is for us and valid', async () => {
    publish(key);
    const named = {
      'issuer-url': url,
      'client-id': 'me',
      'ca-file': file('ca.crt', authority.cert),
      'groups-claim': 'groups',
      'groups-prefix': 'oidc:',
      'required-claim': 'hd=example',
    };
    await using server = await ServerInTest.start({ flags: Object.entries(named).map(([flag, value]) => `--oidc-${flag}=${value}`) });
    const good = token({ hd: 'example' });
    expect(await whoAmI(server, good)).toEqual({ username: `${url}#carol`, groups: ['oidc:a', 'oidc:b', 'system:authenticated'] });
    expect(await whoAmI(server, good)).toMatchObject({ username: `${url}#carol` });
    expect(asked.length).toBe(2);
    const wrong: Readonly<Record<string, string>> = {
      'another audience': token({ hd: 'example', aud: 'them' }),
      over: token({ hd: 'example', exp: now() - 1 }),
      'no end': token({ hd: 'example', exp: undefined }),
      'not yet': token({ hd: 'example', nbf: now() + 900 }),
      'a claim is missing': token({}),
      'a claim is another': token({ hd: 'other' }),
      'no name': token({ hd: 'example', sub: undefined }),
      'another key': token({ hd: 'example' }, otherKey),
      'another key in the name of ours': signJwt(
        { iss: url, aud: 'me', sub: 'carol', exp: now() + 600, hd: 'example' },
        { ...signingKey(otherKey), id: signingKey(key).id },
      ),
      'another issuer': token({ hd: 'example', iss: 'https://elsewhere' }),
    };
    for (const [why, text] of Object.entries(wrong)) expect([why, await whoAmI(server, text)]).toEqual([why, 401]);
  });

  test('of a file may name its prefix; anonymous users may be kept to some paths', async () => {
    publish(key);
    const ca = authority.cert.replaceAll('\n', '\n      ');
    const config = `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer:\n    url: ${url}\n    audiences: [me]\n    certificateAuthority: |\n      ${ca}\n  claimMappings: {username: {claim: sub, prefix: "o:"}, groups: {claim: groups, prefix: ""}, uid: {claim: jti}}\nanonymous: {enabled: true, conditions: [{path: /livez}]}\n`;
    await using server = await ServerInTest.start({ flags: [`--authentication-config=${file('authn.yaml', config)}`] });
    expect(await whoAmI(server, token({ jti: 'j1' }))).toEqual({
      username: 'o:carol',
      uid: 'j1',
      groups: ['a', 'b', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=j1'] },
    });
    expect((await server.ask('GET', '/livez', undefined, { token: '' })).code).toBe(200);
    expect((await server.ask('GET', '/readyz', undefined, { token: '' })).code).toBe(401);
  });

  test('may be read by expressions, which also say who is let in', async () => {
    publish(key);
    const ca = authority.cert.replaceAll('\n', '\n      ');
    const config = `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer:\n    url: ${url}\n    audiences: [me]\n    certificateAuthority: |\n      ${ca}\n  claimMappings:\n    username: {expression: "'x:' + claims.sub"}\n    groups: {expression: "claims.groups.map(g, 'g-' + g)"}\n    extra: [{key: example.com/jti, valueExpression: claims.jti}]\n  claimValidationRules: [{expression: "claims.jti != 'bad'", message: no bad ones}]\n  userValidationRules: [{expression: "!user.username.startsWith('x:system')", message: reserved}]\n`;
    await using server = await ServerInTest.start({ flags: [`--authentication-config=${file('authn.yaml', config)}`] });
    expect(await whoAmI(server, token({ jti: 'j1' }))).toMatchObject({
      username: 'x:carol',
      groups: ['g-a', 'g-b', 'system:authenticated'],
      extra: { 'example.com/jti': ['j1'] },
    });
    expect((await server.ask('GET', '/api', undefined, { token: token({ jti: 'bad' }) })).code).toBe(401);
    expect((await server.ask('GET', '/api', undefined, { token: token({ jti: 'j1', sub: 'system:x' }) })).code).toBe(401);
  });

  test('with an expression that does not compile is refused at start', async () => {
    const config = `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: "${url}", audiences: [me]}\n  claimMappings: {username: {expression: claims.sub +}}\n`;
    await expect(ServerInTest.start({ flags: [`--authentication-config=${file('authn.yaml', config)}`] })).rejects.toThrow('Syntax error');
  });
});
