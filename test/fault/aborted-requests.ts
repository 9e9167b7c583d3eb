#!/usr/bin/env node
// Ten thousand requests that their clients give up, of every kind and over every carrier: nothing may be left of them.
//   npx tsx test/fault/aborted-requests.ts [--count 10000] [--at-once 20]
import assert from 'node:assert/strict';
import { setTimeout as elapse } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Abandoned, kindsOfAbortion } from '../support/aborted-requests.ts';

const option = (name: string, fallback: number) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback;
const count = option('count', 10_000);

const abandoned = await Abandoned.start();
const before = { running: await abandoned.left(), kept: abandoned.kept() };
const started = performance.now();
await abandoned.giveUp(count, option('at-once', 20));
console.log(`${count} requests of ${kindsOfAbortion.length} kinds given up in ${Math.round((performance.now() - started) / 1000)} s`);
await settled(() => abandoned.left(), before.running);
await abandoned.others.hangUp();
// Fewer are fine: the server's own requests are counted with them.
await settled(async () => mapValues(abandoned.kept(), (count, name) => Math.max(count, before.kept[name] ?? 0)), before.kept);
await abandoned[Symbol.asyncDispose]();

/** Sockets close a moment after their clients. */
async function settled(look: () => Promise<object>, wanted: object): Promise<void> {
  let seen = await look();
  for (let tries = 0; tries < 10 && !isDeepStrictEqual(seen, wanted); tries++) {
    await elapse(1000);
    seen = await look();
  }
  console.log(JSON.stringify(seen));
  assert.deepEqual(seen, wanted);
}

function mapValues(counts: Record<string, number>, map: (count: number, name: string) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, map(count, name)]));
}
