#!/usr/bin/env node
// Definitions made to knock the server over: each is refused or bounded, others are answered meanwhile, and nothing of it stays in memory.
//   node test/fault/hostile-definitions.mjs [--rounds N] [--only REGEX] [--bundle]
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { Worker } from 'node:worker_threads';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';

/** Others' 99th percentile, against that of a quiet server; below the floor the timers of the machine are measured. */
const allowedRatio = 10;
const floorMs = 5;
/** Between the first round, after which everything is warm, and the last. */
const allowedGrowthMb = 64;
/** Time for the server to give back what it does not need. */
const restMs = 15_000;
/** An attack goes on for so long: a percentile of a handful of answers would be the slowest of them. */
const leastMs = 1_000;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const text = { type: 'string' };
const numbers = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const named = (count, make) => Object.fromEntries(numbers(count, (index) => [`p${index}`, make(index)]));
const object = (properties, more = {}) => ({ type: 'object', properties, ...more });
const rulesOf = (...rules) => ({ 'x-kubernetes-validations': rules.map((rule) => ({ rule })) });

/**
 * Each: the schema of `spec`, the codes that the definition may get, and an instance's `spec` with the codes that it may get.
 * `refusal`: what a 500 must say; the original answers so to what its store does not take.
 */
const attacks = {
  'three megabytes': {
    spec: () => object(named(2_800, () => ({ ...text, description: 'd'.repeat(1_000) }))),
    codes: [201, 500],
    refusal: 'trying to send message larger than max',
  },
  'a schema 500 deep': { spec: () => deep(500), codes: [201, 422], instance: deepValue(500), answers: [201, 422] },
  'a pattern that backtracks': {
    spec: () => object({ a: { ...text, pattern: '^(a+)+$' }, b: { ...text, pattern: '(x+x+)+y' } }),
    codes: [201],
    instance: { a: `${'a'.repeat(50_000)}!`, b: 'x'.repeat(50_000) },
    answers: [422],
  },
  'a rule over lists in lists': {
    spec: () => object({ a: { type: 'array', items: { type: 'integer' } } }, rulesOf('self.a.all(x, self.a.all(y, self.a.all(z, x + y + z > 0)))')),
    codes: [422],
  },
  'a text that doubles': { spec: () => object({ a: text }, rulesOf(doubling(30))), codes: [201, 422], instance: { a: 'a'.repeat(1_000) }, answers: [201, 422] },
  'ten thousand rules': { spec: () => object({ a: { ...text, maxLength: 9 } }, rulesOf(...numbers(10_000, (i) => `self.a != 'v${i}'`))), codes: [201, 422] },
  'a rule over 100,000 items': {
    spec: () => object({ a: { type: 'array', maxItems: 100_000, items: { type: 'integer' } } }, rulesOf('self.a.all(x, x >= 0)')),
    codes: [201, 422],
    instance: { a: numbers(90_000, (i) => i) },
    answers: [201, 422],
  },
};

const rounds = Number(option('--rounds', 3));
const only = new RegExp(option('--only', '.'), 'i');
const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
const server = await startServer({ from: process.argv.includes('--bundle') ? 'bundle' : 'sources' });
const prober = new Worker(new URL('latency-probe.mjs', import.meta.url), { workerData: { url: server.url } });
let failed = 0;
let serial = 0;

for (let index = 0; index < 300; index++) await ask(server, { path: '/readyz', agent });
await p99();
await new Promise((resolve) => setTimeout(resolve, 2_000));
const quiet = Math.max(await p99(), floorMs);
console.log(`quiet: p99 at most ${quiet.toFixed(1)} ms, ${residentMb().toFixed(0)} MB`);
let warm = 0;
for (let round = 0; round < rounds; round++) {
  for (const [name, attack] of Object.entries(attacks)) if (only.test(name)) await attempt(name, () => tryDefinition(attack));
  if (only.test('created and deleted under watches')) await attempt('created and deleted under watches', () => churn(30));
  if (round === 0) warm = residentMb();
}
const atOnce = residentMb() - warm;
await prober.terminate();
if (rounds > 1) {
  await new Promise((resolve) => setTimeout(resolve, restMs));
  const grown = residentMb() - warm;
  const growth = `${atOnce.toFixed(0)} MB more than after the first round, ${grown.toFixed(0)} after ${restMs / 1000} s without requests`;
  report('memory afterwards', grown <= allowedGrowthMb, growth);
}
agent.destroy();
await server.stop();
process.exit(failed === 0 ? 0 : 1);

async function attempt(name, run) {
  await p99();
  const until = performance.now() + leastMs;
  let problem;
  do problem = await run().catch((error) => String(error));
  while (problem === undefined && performance.now() < until);
  const others = await p99();
  report(name, problem === undefined && others <= quiet * allowedRatio, `p99 of others ${others.toFixed(1)} ms${problem === undefined ? '' : `, ${problem}`}`);
}

async function tryDefinition({ spec, codes, refusal = '', instance, answers }) {
  const group = `h${serial++}.example.com`;
  const { code, body } = await send('POST', definitions, definition(group, spec()));
  if (!codes.includes(code) || (code >= 500 && !body.includes(refusal))) return `the definition got ${code}: ${body.toString().slice(0, 200)}`;
  if (code !== 201) return undefined;
  const answer = instance === undefined ? undefined : await sendInstance(group, instance);
  await remove(group);
  return answer === undefined || answers.includes(answer.code) ? undefined : `the instance got ${answer.code}: ${answer.body.toString().slice(0, 200)}`;
}

/** The kind is served when its first object is not «not found». */
async function sendInstance(group, spec) {
  for (;;) {
    const answer = await send('POST', `/apis/${group}/v1/things`, { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' }, spec });
    if (answer.code !== 404) return answer;
  }
}

/** Every watch must end with its definition. */
async function churn(times) {
  for (let index = 0; index < times; index++) {
    const group = `churn${serial++}.example.com`;
    const { code } = await send('POST', definitions, definition(group, object({ a: text })));
    if (code !== 201) return `a definition got ${code}`;
    await sendInstance(group, { a: 'x' });
    const watches = numbers(5, () => ask(server, { path: `/apis/${group}/v1/things?watch=true` }));
    await remove(group);
    const ended = await Promise.all(watches);
    if (ended.some(({ code: answer }) => answer !== 200 && answer !== 404)) return `a watch got ${ended.map((each) => each.code).join(' ')}`;
  }
  return undefined;
}

async function remove(group) {
  const path = `${definitions}/things.${group}`;
  await send('DELETE', path);
  while ((await send('GET', path)).code !== 404);
}

function send(method, path, body) {
  const content = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return ask(server, { method, path, agent, timeoutMs: 60_000, ...content });
}

function definition(group, spec) {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  const names = { plural: 'things', kind: 'Thing' };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: { group, scope: 'Cluster', names, versions },
  };
}

function deep(levels) {
  let schema = text;
  for (let level = 0; level < levels; level++) schema = object({ a: schema });
  return schema;
}

function deepValue(levels) {
  let value = 'x';
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

function doubling(times) {
  const body = numbers(times, (i) => `cel.bind(v${i + 1}, v${i} + v${i}, `).join('');
  return `cel.bind(v0, self.a, ${body}v${times}.size() > 0${')'.repeat(times + 1)}`;
}

function p99() {
  prober.postMessage('tell');
  return new Promise((resolve) => prober.once('message', resolve));
}

function residentMb() {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]) / 1024;
}

function report(name, ok, detail) {
  if (!ok) failed++;
  console.log(`${ok ? '✓' : '✘'} ${name}: ${detail}`);
}

function option(name, fallback) {
  return process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : fallback;
}
