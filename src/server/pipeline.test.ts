import { describe, expect, test } from 'vitest';
import { badRequest, tooManyRequests } from '#api/api-error.ts';
import { otherwise } from '#auth/authenticator.ts';
import { anonymous } from '#auth/authentication/anonymous.ts';
import { bearerToken } from '#auth/authentication/bearer-token.ts';
import { tokenFile } from '#auth/authentication/token-file.ts';
import { allowMasters, type Authorizer, firstOpinion } from '#auth/authorizer.ts';
import { type Log, silentLog } from '#base/log.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import type { Handler } from '#server/front/exchange.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { listen } from '#server/front/listen.ts';
import { RequestCount } from '#server/middleware/count-requests.ts';
import { buildPipeline, type PipelineServices } from '#server/pipeline.ts';
import { readAnswer } from '../../test/support/read-answer.ts';
import { TestAuthority } from '../../test/support/test-pki.ts';
import { http1Client } from '../../test/support/wire-clients.ts';

const ok: Handler = async (exchange) => exchange.send(200, 'text/plain', `${exchange.user.name} ${exchange.info.verb}`);

function services(changes: Partial<PipelineServices> = {}): PipelineServices {
  return {
    log: silentLog,
    statusSchema: Status,
    authenticator: otherwise(
      bearerToken(() => [tokenFile('t,alice,1,system:masters\n')]),
      anonymous,
    ),
    authorizer: firstOpinion([allowMasters]),
    requests: new RequestCount(),
    requestTimeoutMs: 60_000,
    ...changes,
  };
}

function ask(path: string, headers: Record<string, string> = {}, dispatch = ok, changes: Partial<PipelineServices> = {}) {
  return callInProcess(buildPipeline(services(changes), dispatch), { method: 'GET', path, headers }).then(readAnswer);
}

const alice = { authorization: 'Bearer t' };

describe('every answer', () => {
  test('repeats the audit id of the request, or has a new one', async () => {
    expect((await ask('/x', { ...alice, 'audit-id': 'mine' })).headers['audit-id']).toBe('mine');
    expect((await ask('/x', alice)).headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('forbids caching', async () => {
    expect((await ask('/x', alice)).headers['cache-control']).toBe('no-cache, private');
    expect((await ask('/x')).headers['cache-control']).toBe('no-cache, private');
  });
});

describe('who may pass', () => {
  test('a user with a right reaches the handler', async () => {
    expect(await ask('/api/v1/pods', alice)).toMatchObject({ code: 200, text: 'alice list' });
  });

  test('wrong credentials are 401, whatever the path', async () => {
    const answer = await ask('/healthz', { authorization: 'Bearer wrong' });
    expect(answer).toMatchObject({ code: 401, json: { kind: 'Status', status: 'Failure', message: 'Unauthorized', reason: 'Unauthorized', code: 401 } });
    expect(answer.json).not.toHaveProperty('details');
  });

  test.each([
    ['/api', 'forbidden: User "system:anonymous" cannot get path "/api"', {}],
    ['/api/v1/nodes', 'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope', { kind: 'nodes' }],
    [
      '/apis/apps/v1/namespaces/a/deployments/x/scale',
      'deployments.apps "x" is forbidden: User "system:anonymous" cannot get resource "deployments/scale" in API group "apps" in the namespace "a"',
      { name: 'x', group: 'apps', kind: 'deployments' },
    ],
  ])('nobody may read %s', async (path, message, details) => {
    const headers = { 'x-content-type-options': 'nosniff' };
    expect(await ask(path)).toMatchObject({ code: 403, headers, json: { message, reason: 'Forbidden', details, code: 403 } });
  });

  test('the reason of an authorizer stands at the end of the refusal', async () => {
    const authorizer: Authorizer = async () => ({ decision: 'deny', reason: 'not today' });
    expect((await ask('/x', alice, ok, { authorizer })).json).toMatchObject({ message: 'forbidden: User "alice" cannot get path "/x": not today' });
  });
});

describe('what is thrown', () => {
  const thrower =
    (thrown: unknown): Handler =>
    async () => {
      throw thrown;
    };

  test('as a refusal is answered as its Status', async () => {
    expect(await ask('/x', alice, thrower(badRequest('no')))).toMatchObject({
      code: 400,
      json: { kind: 'Status', apiVersion: 'v1', message: 'no', reason: 'BadRequest' },
    });
  });

  test('says when to try again', async () => {
    expect((await ask('/x', alice, thrower(tooManyRequests('busy', 7)))).headers['retry-after']).toBe('7');
  });

  test('as YAML for who asks for it', async () => {
    const answer = await ask('/x', { ...alice, accept: 'application/yaml' }, thrower(badRequest('no')));
    expect(answer.headers['content-type']).toBe('application/yaml');
    expect(answer.text).toContain('message: "no"\n');
  });

  test('by mistake is logged and answered without detail', async () => {
    const logged: unknown[] = [];
    const log: Log = { ...silentLog, error: (message, cause) => logged.push(message, cause) };
    const bug = new TypeError('secret detail');
    const answer = await ask('/x', alice, thrower(bug), { log });
    expect(answer).toMatchObject({ code: 500, json: { reason: 'InternalError' } });
    expect(answer.text).not.toContain('secret');
    expect(logged).toEqual(['request failed', bug]);
  });
});

describe('a request that takes too long', () => {
  const authority = new TestAuthority();
  const tls = authority.issue({ commonName: 's' }, { usage: 'server', names: ['127.0.0.1'] });

  test('is answered for the handler, which is told to stop', async () => {
    let reason: AbortSignal | undefined;
    const slow: Handler = (exchange) =>
      new Promise((resolve) => {
        reason = exchange.signal;
        exchange.signal.addEventListener('abort', () => resolve());
      });
    const listener = await listen(buildPipeline(services(), slow), { host: '127.0.0.1', port: 0, tls, log: silentLog });
    await using client = http1Client(listener.port, { ca: authority.cert });
    const answer = await client.ask({ path: '/x?timeout=10ms', headers: alice });
    expect(answer).toMatchObject({ code: 504, headers: { 'content-type': 'text/plain; charset=utf-8' } });
    expect(JSON.parse(answer.body.toString())).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'Timeout: request did not complete within the allotted timeout',
      reason: 'Timeout',
      details: {},
      code: 504,
    });
    expect(reason?.aborted).toBe(true);
    listener.destroy();
  });

  test('with a timeout that is none is refused', async () => {
    expect(await ask('/x?timeout=abc', alice)).toMatchObject({
      code: 400,
      json: { message: 'invalid timeout specified in the request URL - time: invalid duration "abc"' },
    });
    expect(await ask('/x?timeout=-1s', alice)).toMatchObject({ code: 200 });
    expect(await ask('/api/v1/pods?watch=1&timeout=abc', alice)).toMatchObject({ code: 200 });
  });
});

test('a server that stops refuses new requests and waits for the running ones', async () => {
  const requests = new RequestCount();
  let finish = () => {};
  const waiting: Handler = (exchange) =>
    new Promise((resolve) => {
      finish = () => {
        exchange.send(200, 'text/plain', 'done');
        resolve();
      };
    });
  const running = ask('/x', alice, waiting, { requests });
  await new Promise((resolve) => setImmediate(resolve));
  let drained = false;
  const drain = requests.drain().then(() => {
    drained = true;
  });
  expect(await ask('/x', alice, ok, { requests })).toMatchObject({ code: 503, headers: { 'retry-after': '1' }, json: { reason: 'ServiceUnavailable' } });
  expect(drained).toBe(false);
  finish();
  expect(await running).toMatchObject({ text: 'done' });
  await drain;
  expect(drained).toBe(true);
});
