import { expect, test } from 'vitest';
import { parseRequestInfo } from '#api/request-info.ts';
import type { Handler } from '#server/front/exchange.ts';
import { FlowController } from '#server/flow-control/flow-controller.ts';
import { serveFlowDebug } from '#server/flow-control/flow-debug.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { PathRouter } from '#server/path-router.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

const now = new Date('2026-01-02T03:04:05.670Z');

function busyController(): FlowController {
  const controller = new FlowController({ seats: 1, clock: { now: () => now }, timers: new ManualTimers(), maxWaitMs: 100 });
  controller.putLevel({
    metadata: { name: 'tight', uid: 'u' },
    spec: {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 5 } } },
    },
  } as never);
  const level = [...controller.levels].find(({ name }) => name === 'tight');
  level?.setLimit(1);
  const asker = new AbortController();
  const info = parseRequestInfo({ method: 'POST', path: '/apis/apps/v1/namespaces/ns/deployments', query: new URLSearchParams() });
  const asked = { user: 'alice', info };
  level?.enter({ schema: 'mine', flow: 'mine/alice', seats: 1, lingerMs: 0, asker, asked });
  void level?.enter({ schema: 'mine', flow: 'mine/bob', seats: 4, lingerMs: 12.5, asker, asked: { ...asked, user: 'bob' } });
  return controller;
}

async function dump(what: string): Promise<string[]> {
  const router = new PathRouter();
  serveFlowDebug(router, busyController());
  const handler: Handler = (exchange) => {
    exchange.info = parseRequestInfo(exchange);
    return router.handle(exchange);
  };
  const answer = await readAnswer(await callInProcess(handler, { method: 'GET', path: `/debug/api_priority_and_fairness/${what}` }));
  expect(answer.headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8' });
  return answer.text.split('\n').filter((line) => line === '' || /^(PriorityLevelName|tight),/.test(line));
}

test('levels, each with what it does', async () => {
  expect(await dump('dump_priority_levels')).toEqual([
    'PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests',
    'tight,             1,            false,  false,       1,               1,                 1,                  0,                0,                0',
    '',
  ]);
});

test('queues, with seats and work that wait in them', async () => {
  expect(await dump('dump_queues')).toEqual([
    'PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum',
    'tight,             0,      1,               0,                 0,          0.00000000ss,  1,               4,           0.05300000ss',
    '',
  ]);
});

test('requests, those that wait and those that run', async () => {
  expect(await dump('dump_requests')).toEqual([
    'PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime,              InitialSeats, FinalSeats, AdditionalLatency, StartTime',
    'tight,             mine,           0,          0,                   bob,             2026-01-02T03:04:05.67Z, 1,            4,          12.5ms,            0001-01-01T00:00:00Z',
    'tight,             mine,           -1,         -1,                  alice,           2026-01-02T03:04:05.67Z, 1,            0,          0s,                2026-01-02T03:04:05.67Z',
    '',
  ]);
});

test('with who asks for what, when that is asked for', async () => {
  const [head, waiting] = await dump('dump_requests?includeRequestDetails=1');
  expect(head).toMatch(/ StartTime, +UserName, Verb, +APIPath, +Namespace, Name, +APIVersion, Resource, +SubResource$/);
  expect(waiting).toMatch(/ bob, +create, \/apis\/apps\/v1\/namespaces\/ns\/deployments, ns, +, +apps\/v1, +deployments, $/);
});
