import { describe, expect, test } from 'vitest';
import { parseRequestInfo } from '#api/request-info.ts';
import { type Log, silentLog } from '#base/log.ts';
import { everyEndpoint, type HealthCheck, serveHealth } from '#server/health/health-checks.ts';
import { PostStartHooks, postStartHookNames } from '#server/health/post-start-hooks.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { PathRouter } from '#server/path-router.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

const good: HealthCheck = { name: 'good', endpoints: everyEndpoint, problem: () => undefined };
const deep: HealthCheck = { name: 'hook/deep/name', endpoints: ['readyz'], problem: async () => undefined };
const bad: HealthCheck = { name: 'bad', endpoints: everyEndpoint, problem: async () => 'the disk is full' };

function ask(checks: readonly HealthCheck[], path: string, { method = 'GET', log = silentLog }: { method?: string; log?: Log } = {}) {
  const router = new PathRouter();
  serveHealth(router, checks, log);
  const handler = (exchange: Parameters<typeof router.handle>[0]) => {
    exchange.info = parseRequestInfo(exchange);
    return router.handle(exchange);
  };
  return callInProcess(handler, { method, path }).then(readAnswer);
}

describe('an endpoint', () => {
  test.each(['GET', 'POST', 'DELETE', 'OPTIONS'])('says ok to %s', async (method) => {
    expect(await ask([good], '/healthz', { method })).toMatchObject({
      code: 200,
      text: 'ok',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    });
  });

  test.each(['/readyz?verbose', '/readyz?verbose=1', '/readyz?verbose=false'])('lists its checks at %s', async (path) => {
    expect((await ask([good, deep], path)).text).toBe('[+]good ok\n[+]hook/deep/name ok\nreadyz check passed\n');
  });

  test('lists only what belongs to it', async () => {
    expect((await ask([good, deep], '/livez?verbose')).text).toBe('[+]good ok\nlivez check passed\n');
  });

  test('lists its checks when one fails, and keeps the reason for the log', async () => {
    const logged: unknown[] = [];
    const log: Log = { ...silentLog, debug: (message, facts) => logged.push(message, facts) };
    expect(await ask([good, bad], '/livez', { log })).toMatchObject({ code: 500, text: '[+]good ok\n[-]bad failed: reason withheld\nlivez check failed\n' });
    expect(logged).toEqual(['livez check failed', { bad: 'the disk is full' }]);
  });

  test('leaves out what is excluded', async () => {
    expect(await ask([good, bad], '/livez?exclude=bad')).toMatchObject({ code: 200, text: 'ok' });
    expect((await ask([good, bad], '/livez?verbose&exclude=bad&exclude=good')).text).toBe('[+]good excluded: ok\n[+]bad excluded: ok\nlivez check passed\n');
  });

  test('says in the list what cannot be excluded', async () => {
    expect((await ask([good], '/livez?verbose&exclude=x,y&exclude=a')).text).toBe(
      '[+]good ok\nwarn: some health checks cannot be excluded: no matches for "a", "x,y"\nlivez check passed\n',
    );
    expect((await ask([good], '/livez?exclude=x')).text).toBe('ok');
  });
});

describe('a single check', () => {
  test('answers for itself, with slashes in its name too', async () => {
    const answer = await ask([good, deep], '/readyz/hook/deep/name?verbose');
    expect(answer).toMatchObject({ code: 200, text: 'ok' });
    expect(answer.headers).not.toHaveProperty('x-content-type-options');
  });

  test('says what is wrong', async () => {
    expect(await ask([bad], '/healthz/bad')).toMatchObject({ code: 500, text: 'internal server error: the disk is full\n' });
  });

  test.each(['/healthz/hook/deep/name', '/healthz/nope', '/healthz/'])('%s is not there', async (path) => {
    expect(await ask([good, deep], path)).toMatchObject({ code: 404, text: '404 page not found\n' });
  });
});

describe('post-start hooks', () => {
  const problems = async (hooks: PostStartHooks) =>
    Promise.all(hooks.checks(() => undefined).map(async ({ name, problem }) => [name, await problem()] as const)).then((all) =>
      all.filter(([, found]) => found !== undefined),
    );

  test('fail until each is finished', async () => {
    const hooks = new PostStartHooks();
    expect(await problems(hooks)).toHaveLength(postStartHookNames.length);
    hooks.finish(...postStartHookNames.filter((name) => name !== 'rbac/bootstrap-roles'));
    expect(await problems(hooks)).toEqual([['poststarthook/rbac/bootstrap-roles', 'not finished']]);
    hooks.finish('rbac/bootstrap-roles');
    expect(await problems(hooks)).toEqual([]);
  });

  test('are left out when the configuration has no use for them', () => {
    const hooks = new PostStartHooks({ without: ['aggregator-reload-proxy-client-cert'] });
    expect(hooks.checks(() => undefined).map(({ name }) => name)).not.toContain('poststarthook/aggregator-reload-proxy-client-cert');
  });
});
