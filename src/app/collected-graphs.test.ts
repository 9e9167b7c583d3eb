// The graphs that test/conformance/garbage-collector/record.ts played against the original: ours makes the same of them.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, defineKinds, type Outcome, type OwnerGraph, PlayedGraph, snapshot } from '../../test/support/owner-graphs.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

interface Recorded {
  readonly graph: OwnerGraph;
  /** After the objects were made, and after each step. */
  readonly outcomes: readonly Outcome[];
}

const recorded = JSON.parse(readFileSync('test/fixtures/collected-graphs.json', 'utf8')) as readonly Recorded[];
const soon = { timeout: 60_000, interval: 100 };
let server: ServerInTest;
let ask: Ask;

beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=garbagecollector'] });
  ask = async (method, path, body, type) => {
    const { code, text } = await server.ask(method, path, body, type === undefined ? {} : { type });
    return { code, text };
  };
  await defineKinds(ask);
});
afterAll(() => server[Symbol.asyncDispose]());

/** Resolves when the collector has worked off what it was told before: an object without owner goes after the others. */
async function collected(): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  const name = `last-${Math.random().toString(36).slice(2)}`;
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'was-there' };
  await ask('POST', path, { metadata: { name, ownerReferences: [owner] } });
  await expect.poll(async () => (await ask('GET', `${path}/${name}`)).code, soon).toBe(404);
}

test('of 200 graphs of owners the same objects survive, with the same owners, as with the collector of the original', { timeout: 300_000 }, async () => {
  expect(recorded.length).toBeGreaterThanOrEqual(200);
  const played = recorded.map(({ graph }, index) => new PlayedGraph(ask, graph, `g${index}`));
  await Promise.all(played.map((one) => one.make()));
  for (let step = 0; step <= Math.max(...recorded.map(({ graph }) => graph.steps.length)); step++) {
    const running = played.flatMap((one, index) => (recorded[index]?.outcomes[step] === undefined ? [] : [{ one, index }]));
    const expected = running.map(({ index }) => ({ index, after: recorded[index]?.outcomes[step] }));
    const now = async () => {
      const read = await snapshot(ask);
      return await Promise.all(running.map(async ({ one, index }) => ({ index, after: await one.outcome(read) })));
    };
    await expect.poll(now, soon).toEqual(expected);
    await collected();
    expect(await now()).toEqual(expected);
    await Promise.all(running.flatMap(({ one, index }) => recorded[index]?.graph.steps.slice(step, step + 1).map((next) => one.play(next)) ?? []));
  }
});
