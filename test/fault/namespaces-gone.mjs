#!/usr/bin/env node
// Many namespaces full of objects of twenty kinds are deleted at once. They must be gone in time, with all that was in them, and nothing
// else may be touched. With --kill the server gets SIGKILL in the middle, several times: after its next start it finishes.
//   node test/fault/namespaces-gone.mjs [--namespaces 50] [--objects 1000] [--seconds 10] [--kill TIMES] [--cluster] [--memory] [--bundle]
// The time is for the controllers that dist/envtest runs; --cluster: all of them, with a scheduler and a node, which work on the objects meanwhile.
import assert from 'node:assert/strict';
import https from 'node:https';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';
import { definitions, kinds } from './namespace-contents.mjs';

const number = (fallback) => ({ type: 'string', default: String(fallback) });
const { values } = parseArgs({
  options: {
    namespaces: number(50),
    objects: number(1000),
    seconds: number(10),
    kill: number(0),
    cluster: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    bundle: { type: 'boolean', default: false },
  },
});
const [namespaces, objects, seconds, kills] = [values.namespaces, values.objects, values.seconds, values.kill].map(Number);
const dir = mkdtempSync(join(tmpdir(), 'binnacle-namespaces-'));
const ofDropIn = ['namespace', 'garbage-collector', 'clusterrole-aggregation', 'serviceaccount'].map((name) => `${name}-controller`);
// Not those of endpoints: at a start they delete Endpoints without a Service, as the original's do.
const controllers = values.cluster ? ['--controllers=*,-endpoints-controller'] : [`--controllers=${ofDropIn}`, '--nodes=0'];
const flags = [`--memory=${values.memory}`, ...controllers];
const json = { 'content-type': 'application/json' };
const clients = 32;
const agent = new https.Agent({ keepAlive: true, maxSockets: clients });
const doomed = Array.from({ length: namespaces }, (_, index) => `doomed-${index}`);
const definitionPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

let server = await start();
try {
  await fill();
  const before = await settledOthers();
  const started = performance.now();
  const cpuBefore = cpuSeconds(server.child.pid);
  await each(doomed, (name) => must('DELETE', `/api/v1/namespaces/${name}`));
  for (let kill = 1; kill <= kills; kill++) await killWhen(kill);
  await untilGone();
  const took = (performance.now() - started) / 1000;
  const cpu = kills === 0 ? `, ${(cpuSeconds(server.child.pid) - cpuBefore).toFixed(1)} s of CPU` : '';
  await nothingLeft();
  assert.deepEqual(await others(), before, 'something else was touched');
  console.log(`${namespaces} namespaces with ${objects} objects of ${kinds.length} kinds each are gone after ${took.toFixed(1)} s${cpu}, ${kills} kills`);
  if (kills === 0 && !values.cluster) assert.ok(took <= seconds, `it took ${took.toFixed(1)} s, more than ${seconds}`);
} finally {
  agent.destroy();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}

/** Of all threads, in user and system mode. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function start() {
  return startServer({ dir, flags, keep: true, from: values.bundle ? 'bundle' : 'sources' });
}

async function fill() {
  for (const definition of definitions) await must('POST', definitionPath, definition);
  for (const [group, plural] of kinds) await poll(async () => (await to('GET', `${group}/${plural}?limit=1`)).code === 200);
  await must('POST', '/api/v1/namespaces', { metadata: { name: 'bystander' } });
  await each(doomed, (name) => must('POST', '/api/v1/namespaces', { metadata: { name } }));
  const started = performance.now();
  const places = doomed.flatMap((namespace) => Array.from({ length: objects }, (_, index) => [namespace, index]));
  await each([...places, ...kinds.map((_, index) => ['bystander', index])], ([namespace, index]) => make(namespace, index));
  console.log(`${places.length} objects made in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function make(namespace, index) {
  const [group, plural, object] = kinds[index % kinds.length];
  await must('POST', `${group}/namespaces/${namespace}/${plural}`, { ...object, metadata: { name: `o${index}` } });
}

/** In the middle: a share of the objects is gone, others are not. */
async function killWhen(kill) {
  const share = 1 - kill / (kills + 1);
  await poll(async () => (await countLeft()) <= namespaces * objects * share, 5);
  const left = await countLeft();
  const gone = new Promise((resolve) => server.child.once('exit', resolve));
  server.child.kill('SIGKILL');
  await gone;
  console.log(`killed with about ${left} of ${namespaces * objects} objects left`);
  server = await start();
}

/** Of four kinds, for all. */
async function countLeft() {
  const counted = kinds.filter((_, index) => index % 5 === 0);
  const lists = await Promise.all(counted.map(async ([group, plural]) => (await list(`${group}/${plural}`)).filter(isDoomed).length));
  return (lists.reduce((sum, count) => sum + count, 0) * kinds.length) / counted.length;
}

async function untilGone() {
  await poll(async () => !(await list('/api/v1/namespaces')).some(({ metadata }) => metadata.name.startsWith('doomed-')), 50);
}

async function nothingLeft() {
  for (const [group, plural] of kinds) assert.deepEqual((await list(`${group}/${plural}`)).filter(isDoomed), [], `${plural} of namespaces that are gone`);
}

/** Controllers have work with objects that were just made: it is over when nothing has changed for a while. */
async function settledOthers() {
  for (let before = await others(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, values.cluster ? 1_000 : 0));
    const now = await others();
    if (isDeepStrictEqual(now, before)) return now;
    before = now;
  }
}

/** Every object outside of the doomed namespaces that nobody has a reason to change, by its place, uid and version. */
async function others() {
  const groups = ['/api/v1', ...JSON.parse((await to('GET', '/apis')).body).groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const found = [];
  for (const group of groups) {
    for (const { name, verbs } of JSON.parse((await to('GET', group)).body).resources) {
      if (!verbs.includes('list') || name === 'leases' || name === 'events' || name === 'componentstatuses') continue;
      const items = (await list(`${group}/${name}`)).filter((item) => !isDoomed(item) && !item.metadata.name.startsWith('doomed-'));
      found.push(...items.map(({ metadata }) => `${group}/${name} ${metadata.namespace ?? ''}/${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`));
    }
  }
  return found.sort();
}

function isDoomed({ metadata }) {
  return metadata.namespace?.startsWith('doomed-');
}

async function list(path) {
  const { code, body } = await to('GET', path, undefined, { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' });
  assert.equal(code, 200, `${path}: ${body}`);
  return JSON.parse(body).items ?? [];
}

async function must(method, path, body) {
  const { code, body: answer } = await to(method, path, body);
  assert.ok(code < 300, `${method} ${path}: ${answer}`);
}

function to(method, path, body, headers = {}) {
  return ask(server, { method, path, agent, headers: { ...(body && json), ...headers }, ...(body && { body: JSON.stringify(body) }) });
}

async function each(things, work) {
  const rest = things.values();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const thing of rest) await work(thing);
    }),
  );
}

async function poll(isSo, everyMs = 20) {
  const gaveUp = Date.now() + 120_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < gaveUp, 'it does not come to an end');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
