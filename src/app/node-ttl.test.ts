import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextStep, secondsOfStep } from '#controllers/node-ttl-controller.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=ttl'] });
});
afterAll(() => server[Symbol.asyncDispose]());

test('a node is told for how long its kubelet may keep what it has read', async () => {
  await server.make('/api/v1/nodes', { metadata: { name: 'n1' } });
  const ttl = async () => (await server.ask('GET', '/api/v1/nodes/n1')).json.metadata.annotations?.['node.alpha.kubernetes.io/ttl'];
  await expect.poll(ttl, { timeout: 20_000, interval: 30 }).toBe('0');
});

test('the time grows with the number of nodes, and shrinks only well below the number at which it grew', () => {
  const at = (step: number, nodes: number) => secondsOfStep(nextStep(step, nodes));
  expect([at(0, 100), at(0, 101), at(0, 501), at(0, 5_000)]).toEqual([0, 15, 30, 300]);
  expect([at(1, 95), at(1, 89), at(4, 1_799), at(4, 1)]).toEqual([15, 0, 60, 0]);
});
