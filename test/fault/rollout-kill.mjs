#!/usr/bin/env node
// A Deployment and a StatefulSet are rolled out again and again, with kill -9 at any point: after each start the rollout ends where it
// should, with as many pods as were asked for, all of the newest template, and one ReplicaSet and revision for each template.
//   node test/fault/rollout-kill.mjs [--rounds 3] [--bundle]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, bundle: { type: 'boolean' } } });
const dir = mkdtempSync(join(tmpdir(), 'binnacle-rollout-kill-'));
// A kill between the two writes of a deletion leaves a pod without a node that is about to go: podgc ends it, as in the original.
const names = ['deployment', 'replicaset', 'statefulset', 'garbagecollector', 'podgc'];
const flags = ['--memory=false', '--disable-admission-plugins=ServiceAccount', `--controllers=${names.join(',')}`];
const apps = '/apis/apps/v1/namespaces/default';
const core = '/api/v1/namespaces/default';
const replicas = 8;
/** A rollout must be over so soon after a start. */
const patienceMs = 60_000;
let server;
let agent;

try {
  await start();
  for (const [resource, app] of workloads()) await request('POST', `${apps}/${resource}`, { metadata: { name: app }, spec: specOf(app, 0) });
  await played(0);
  for (let round = 1; round <= Number(values.rounds); round++) {
    const killAfterMs = Math.random() * 1_500;
    for (const [resource, app] of workloads()) await request('PATCH', `${apps}/${resource}/${app}`, { spec: specOf(app, round) });
    const stop = { value: false };
    const playing = played(round, stop).catch((problem) => assert.ok(stop.value, problem));
    await Promise.race([playing, new Promise((resolve) => setTimeout(resolve, killAfterMs))]);
    stop.value = true;
    await kill();
    await playing;
    await start();
    await played(round);
    await check(round);
    console.log(`round ${round}: killed after ${Math.round(killAfterMs)} ms, rolled out after the next start`);
  }
  await server.stop();
} finally {
  agent.destroy();
  rmSync(dir, { recursive: true, force: true });
}

async function start() {
  server = await startServer({ dir, flags, ...(values.bundle && { from: 'bundle' }) });
  agent = new https.Agent({ keepAlive: true, maxSockets: 8 });
}

async function kill() {
  const gone = new Promise((resolve) => server.child.once('exit', resolve));
  server.child.kill('SIGKILL');
  await gone;
  agent.destroy();
}

function workloads() {
  return [
    ['deployments', 'web'],
    ['statefulsets', 'db'],
  ];
}

function specOf(app, round) {
  const template = { metadata: { labels: { app } }, spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: `i:${round}` }] } };
  const more = app === 'db' ? { serviceName: 'peers', podManagementPolicy: 'Parallel' } : {};
  return { replicas, selector: { matchLabels: { app } }, template, ...more };
}

/** Readies every pod that comes until all are of this round. */
async function played(round, stop = { value: false }) {
  for (const end = Date.now() + patienceMs; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const pods = await list(`${core}/pods`);
    for (const pod of pods) if (pod.status.phase === 'Pending') await ready(pod);
    if (stop.value || workloads().every(([, app]) => isRolledOut(pods, app, round))) return;
    if (Date.now() > end)
      throw new Error(
        `round ${round} is not rolled out: ${JSON.stringify(pods.map(({ metadata, spec, status }) => [metadata.name, imageOf({ spec }), status.phase]))}`,
      );
  }
}

function isRolledOut(pods, app, round) {
  const own = pods.filter(({ metadata }) => metadata.labels.app === app);
  return own.length === replicas && own.every((pod) => imageOf(pod) === `i:${round}` && pod.status.phase === 'Running');
}

async function ready({ metadata: { name } }) {
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() }] };
  await request('PATCH', `${core}/pods/${name}/status`, { status }, [200, 404]);
}

async function check(round) {
  const sets = await list(`${apps}/replicasets`);
  assert.equal(new Set(sets.map(imageOfTemplate)).size, sets.length, 'two ReplicaSets of one template');
  assert.ok(sets.every((set) => set.spec.replicas === (imageOfTemplate(set) === `i:${round}` ? replicas : 0)));
  const revisions = await list(`${apps}/controllerrevisions`);
  assert.equal(new Set(revisions.map(({ data }) => JSON.stringify(data))).size, revisions.length, 'two revisions of one template');
}

function imageOf({ spec }) {
  return spec.containers[0].image;
}

function imageOfTemplate({ spec }) {
  return imageOf(spec.template);
}

async function list(path) {
  return (await request('GET', path)).items;
}

async function request(method, path, body, codes = [200, 201]) {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await ask(server, { method, path, agent, headers: { 'content-type': type }, body: body && JSON.stringify(body) });
  if (!codes.includes(answer.code)) throw new Error(`${method} ${path}: ${answer.code} ${answer.body}`);
  return JSON.parse(answer.body.toString());
}
