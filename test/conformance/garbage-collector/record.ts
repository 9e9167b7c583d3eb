// What the garbage collector of the real kube-controller-manager makes of random graphs of owners, kept in test/fixtures/collected-graphs.json.
// Plays all graphs twice and keeps those that end the same way both times.
//   npx tsx test/conformance/garbage-collector/record.ts [--graphs 200] [--seed 1]       (needs the reference server; some minutes)
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { randomFrom } from '../../support/random.mjs';
import { root } from '../../support/server-under-test.mjs';
import { defineKinds, type Outcome, type OwnerGraph, PlayedGraph } from '../../support/owner-graphs.ts';
import { startOriginal } from '../../support/control-plane-programs.mjs';
import { randomGraph } from './random-graph.ts';

const { values } = parseArgs({ options: { graphs: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } } });
/** Nothing has changed for so long: the collector has nothing left to do but what it tries in vain. */
const quietMs = 8_000;

const random = randomFrom(Number(values.seed));
const wanted = Number(values.graphs);
const graphs = Array.from({ length: Math.ceil(wanted * 1.15) }, () => randomGraph(random));
const original = await startOriginal(['garbage-collector-controller'], defineKinds);
try {
  const first = await playAll('a');
  const second = await playAll('b');
  const same = graphs.flatMap((graph, index) => (JSON.stringify(first[index]) === JSON.stringify(second[index]) ? [{ graph, outcomes: first[index] }] : []));
  console.log(`${same.length} of ${graphs.length} graphs end the same way twice`);
  const lines = same.slice(0, wanted).map((one) => JSON.stringify(one));
  writeFileSync(join(root, 'test/fixtures/collected-graphs.json'), `[\n${lines.join(',\n')}\n]\n`);
} finally {
  await original.stop();
}

/** For each graph what had become of it after it was made, and after each step. */
async function playAll(prefix: string): Promise<readonly (readonly Outcome[])[]> {
  const played = graphs.map((graph: OwnerGraph, index) => new PlayedGraph(original.ask, graph, `${prefix}${index}`));
  const outcomes: Outcome[][] = graphs.map(() => []);
  await Promise.all(played.map((one) => one.make()));
  for (let step = 0; step <= Math.max(...graphs.map(({ steps }) => steps.length)); step++) {
    const now = await untilQuiet(played);
    for (const [index, { steps }] of graphs.entries()) if (step <= steps.length) outcomes[index]?.push(now[index] as Outcome);
    await Promise.all(graphs.flatMap(({ steps }, index) => steps.slice(step, step + 1).map((one) => played[index]?.play(one))));
    console.log(`${prefix}: step ${step}`);
  }
  return outcomes;
}

async function untilQuiet(played: readonly PlayedGraph[]): Promise<readonly Outcome[]> {
  let [last, since] = ['', Date.now()];
  for (;;) {
    const now: Outcome[] = [];
    for (const one of played) now.push(await one.outcome());
    const text = JSON.stringify(now);
    if (text !== last) [last, since] = [text, Date.now()];
    if (Date.now() - since > quietMs) return now;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
