#!/usr/bin/env node
// A long quiet load: many watchers, steady writes. Memory stays level and no watch falls behind.
//   node test/fault/soak.mjs [--seconds 600] [--watchers 200] [--rate 50] [--bundle]
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { startServer } from '../support/server-under-test.mjs';
import { ask, http2Session } from './hostile-client.mjs';

const option = (name, fallback) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback);
const [seconds, watchers, rate] = [option('seconds', 600), option('watchers', 200), option('rate', 50)];
const configMaps = '/api/v1/namespaces/default/configmaps';
const headers = { 'content-type': 'application/json' };
const population = 500;
const mostLagMs = 1000;
const mostGrowth = 1.1;
/** Many watches share a connection, as those of a controller do. */
const watchesPerSession = 20;

const server = await startServer({ flags: ['--memory=false'], from: process.argv.includes('--bundle') ? 'bundle' : 'sources' });
const lag = { worst: 0, late: 0, events: 0, ended: 0 };
const sessions = await watchAll();
const agent = new https.Agent({ keepAlive: true, maxSockets: 4 });
const memory = [];
const processor = [];
const codes = {};
const written = await writeSteadily();
const thirds = [0, 1, 2].map((third) => mean(memory.slice((memory.length * third) / 3, (memory.length * (third + 1)) / 3)));
const busy = [1, 2, 3].map((third) => (at(processor, third) - at(processor, third - 1)).toFixed(1));
const complete = await allSeen(written);
const mapped = resident('RssFile');
for (const session of sessions) session.destroy();
agent.destroy();
await server.stop();
console.log(
  `${written} writes ${JSON.stringify(codes)}, ${lag.events} events at ${watchers} watchers, worst lag ${lag.worst} ms, ${lag.ended} watches ended early`,
);
console.log(`processor seconds by thirds: ${busy.join(', ')}`);
console.log(
  `memory by thirds: ${thirds.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`).join(', ')} (and ${(mapped / 1e6).toFixed(1)} MB of mapped files at the end)`,
);
assert.deepEqual(
  Object.keys(codes).filter((code) => !code.startsWith('2')),
  [],
);
assert.equal(lag.ended, 0, 'watches ended early');
assert.ok(complete, `every watcher sees every write: ${lag.events} of ${written * watchers}`);
assert.equal(lag.late, 0, `${lag.late} events came later than ${mostLagMs} ms, the worst after ${lag.worst} ms`);
// A server that has just started still grows into its memory.
if (seconds >= 300) assert.ok(thirds[2] <= mostGrowth * thirds[1], `memory grew: ${thirds}`);

async function watchAll() {
  const opened = [];
  while (opened.length * watchesPerSession < watchers) {
    const session = http2Session(server);
    const count = Math.min(watchesPerSession, watchers - opened.length * watchesPerSession);
    opened.push(session);
    await Promise.all(Array.from({ length: count }, () => watch(session)));
  }
  return opened;
}

function watch(session) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': `${configMaps}?watch=1&timeoutSeconds=86400&labelSelector=soak`, authorization: 'Bearer admin-token' });
    let rest = '';
    stream.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) note(line);
    });
    stream.on('response', resolve).on('error', reject);
    stream.on('close', () => {
      if (!session.destroyed) lag.ended += 1;
    });
  });
}

/** Every event carries the time of the write that made it. */
function note(line) {
  const sent = Number(/"sent":"(\d+)"/.exec(line)?.[1]);
  const late = Date.now() - sent;
  lag.events += 1;
  if (late > lag.worst) lag.worst = late;
  if (late > mostLagMs) lag.late += 1;
}

/** Creates each object once and changes it from then on, so that what is stored stays level. */
async function writeSteadily() {
  const started = performance.now();
  let sent = 0;
  const running = new Set();
  while (performance.now() - started < seconds * 1000) {
    const due = Math.floor(((performance.now() - started) / 1000) * rate);
    for (; sent < due; sent++) {
      const write = writeOnce(sent).finally(() => running.delete(write));
      running.add(write);
    }
    if (memory.length * 1000 < performance.now() - started) {
      memory.push(resident('RssAnon'));
      processor.push(processorSeconds());
    }
    await elapse(10);
  }
  await Promise.all(running);
  return sent;
}

async function writeOnce(turn) {
  const name = `soak-${turn % population}`;
  const body = JSON.stringify({ metadata: { name, labels: { soak: 'yes' }, annotations: { sent: String(Date.now()) } }, data: { turn: String(turn) } });
  const request = turn < population ? { method: 'POST', path: configMaps, headers, body } : { method: 'PUT', path: `${configMaps}/${name}`, headers, body };
  const { code } = await ask(server, { ...request, agent });
  codes[code] = (codes[code] ?? 0) + 1;
}

async function allSeen(count) {
  for (let tries = 0; lag.events < count * watchers && tries < 50; tries++) await elapse(100);
  return lag.events === count * watchers;
}

function at(values, third) {
  return values[Math.max(0, Math.floor((values.length * third) / 3) - 1)];
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Pages of mapped files are the kernel's to drop; what counts is the memory that is the process's own. */
function resident(kind) {
  return Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) * 1024;
}

function processorSeconds() {
  const [user, system] = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

function elapse(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
