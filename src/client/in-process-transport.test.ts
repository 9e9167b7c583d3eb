import { expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { readAll } from '#client/transport.ts';
import { transportContract } from '#client/transport-contract.ts';

transportContract('the transport in process', async () => {
  const server = await ServerInTest.start();
  return { transport: server.server.api.transport, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
});

test('an object of which little is read is not put together for its answer', async () => {
  await using server = await ServerInTest.start();
  const { transport } = server.server.api;
  const events = '/apis/events.k8s.io/v1/namespaces/default/events';
  const event = {
    metadata: { name: 'told', namespace: 'default' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'test.io/test',
    reportingInstance: 'one',
    regarding: { kind: 'Pod', namespace: 'default', name: 'x' },
    type: 'Normal',
    reason: 'Told',
    action: 'Telling',
  };
  const headers = { 'content-type': 'application/json' };
  const made = await transport({ method: 'POST', path: events, headers, body: JSON.stringify(event), brief: true });
  const answer = JSON.parse((await readAll(made)).toString());
  expect([made.code, Object.keys(answer), Object.keys(answer.metadata)]).toEqual([201, ['metadata'], ['name', 'namespace', 'uid', 'resourceVersion']]);
});
