#!/usr/bin/env node
// One request must not hold up the others, and must not stay in memory: large heads of the hostile kinds, without credentials and
// with those of an ordinary user, while a worker asks for /livez all the time. Measured against the same worker on a quiet server.
//   node test/fault/freeze.mjs [--times N] [--only REGEX] [--bundle]
import http2 from 'node:http2';
import { Worker } from 'node:worker_threads';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';
import { keptBytes } from './kept-memory.mjs';

/** Nearly all that a head may have. */
const large = 900_000;
/** Beyond what a quiet server's slowest answer takes: this long may one request hold up all others. */
const allowedMs = 250;
const allowedGrowthMb = 64;

const configMaps = '/api/v1/namespaces/default/configmaps';
const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const encoded = (text) => Buffer.from(text).toString('base64url');
const numbered = (unit, bytes) => {
  const units = [];
  for (let length = 0; length < bytes; length += units.at(-1).length + 1) units.push(unit(units.length));
  return units.join(',');
};

/** Each: what is sent once. `token: ''` is a request without credentials. */
const attacks = {
  'a timeout of digits': () => ({ path: `/api/v1/pods?timeout=${'1'.repeat(large)}x`, token: '' }),
  'a timeout of many terms': () => ({ path: `/api/v1/pods?timeout=${'1h'.repeat(large / 2)}`, token: '' }),
  'Accept of wildcards and names': () => ({ path: '/api/v1/pods', token: '', headers: { accept: '*,'.repeat(large / 4) + 'a/b,'.repeat(large / 8) } }),
  'Accept of blanks': () => ({ path: '/api/v1/pods', token: '', headers: { accept: `a${' '.repeat(large)}b/c` } }),
  'Accept of parameters': () => ({ path: '/api/v1/pods', token: '', headers: { accept: `application/json;${'a=b;'.repeat(large / 4)}` } }),
  'Accept of an ordinary user': () => ({ path: configMaps, token: 'bob-token', headers: { accept: '*,'.repeat(large / 4) + 'a/b,'.repeat(large / 8) } }),
  'a wrong token of dots': () => ({ path: '/api/v1/pods', token: '.'.repeat(large) }),
  'a wrong token of nested JSON': () => ({ path: '/api/v1/pods', token: `${encoded('['.repeat(large * 0.6))}.e30.x` }),
  'Authorization of blanks': () => ({ path: '/api/v1/pods', token: '', headers: { authorization: `Bearer${' '.repeat(large)}x` } }),
  'sub-protocols': () => ({ path: '/api/v1/pods', token: '', headers: { upgrade: 'websocket', 'sec-websocket-protocol': 'a ,'.repeat(large / 3) } }),
  'a long path': () => ({ path: `/api/v1/${'a/'.repeat(large / 2)}`, token: '' }),
  'discovery behind slashes': () => ({ path: `/apis${'/'.repeat(large)}x`, token: 'bob-token' }),
  'a version behind slashes': () => ({ path: `/version${'/'.repeat(large)}x` }),
  'a path of escapes': () => ({ path: `/api/v1/${'%ff'.repeat(large / 3)}`, token: '' }),
  'a made-up subresource': (index) => ({ path: `/api/v1/namespaces/default/pods/x/${index}${'s'.repeat(large)}`, token: '' }),
  'a made-up resource': (index) => ({ path: `/api/v1/${index}${'s'.repeat(large)}`, token: '' }),
  'a long user agent': (index) => ({ path: '/api/v1/pods', token: '', headers: { 'user-agent': `${index}${'a'.repeat(large)}` } }),
  'Content-Type of blanks': () => ({
    method: 'POST',
    path: review,
    token: 'bob-token',
    headers: { 'content-type': `application/json${' '.repeat(large)}x` },
    body: '{}',
  }),
  'Content-Type of parameters': () => ({
    method: 'POST',
    path: review,
    token: 'bob-token',
    headers: { 'content-type': `application/json${'; a=b'.repeat(large / 5)}"` },
    body: '{}',
  }),
  'patch of a made-up type': () => ({ method: 'PATCH', path: `${configMaps}/x`, headers: { 'content-type': 'constructor' }, body: '{}', code: 415 }),
  'label requirements': () => ({ path: `${configMaps}?labelSelector=${numbered((i) => `k${i}!=v`, large)}` }),
  'label requirements for one key': () => ({ path: `${configMaps}?labelSelector=${numbered((i) => `app!=v${i}`, large)}` }),
  'label values': () => ({ path: `${configMaps}?labelSelector=k+in+(${numbered((i) => `v${i}`, large)})` }),
  'field requirements': () => ({ path: `${configMaps}?fieldSelector=${numbered((i) => `metadata.name!=v${i}`, large)}` }),
  'a continue token of equal signs': () => ({ path: `${configMaps}?limit=1&continue=${'='.repeat(large)}x`, code: 400 }),
  'a continue token that climbs': () => ({
    path: `${configMaps}?limit=1&continue=${encoded(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: '../'.repeat(large * 0.2) }))}`,
    code: 400,
  }),
  'a continue token of a huge revision': () => ({
    path: `${configMaps}?limit=1&continue=${encoded('{"v":"meta.k8s.io/v1","rv":1e300,"start":"a"}')}`,
    code: 400,
  }),
  'a field manager that cannot be printed': () => ({
    method: 'POST',
    path: `${configMaps}?fieldManager=${'%01'.repeat(large / 3)}`,
    headers: { 'content-type': 'application/json' },
    body: '{"metadata":{"name":"a"}}',
  }),
  'a limit of digits': () => ({ path: `${configMaps}?limit=${'1'.repeat(large)}` }),
  'a resourceVersion of digits': () => ({ path: `${configMaps}?resourceVersion=${'1'.repeat(large)}` }),
  'parameters many times': () => ({ path: `${configMaps}?${'dryRun=x&'.repeat(large / 9)}` }),
  'headers of many names': () => ({ many: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`impersonate-extra-${i}`, 'v'])) }),
  'groups of many headers': () => ({ many: { 'impersonate-user': 'x', 'impersonate-group': Array.from({ length: 10_000 }, (_, i) => `g${i}`) } }),
};

/** Asks for /livez again and again, in a thread of its own, and tells the longest that an answer took since it was last asked. */
const prober = `
  const { parentPort, workerData } = require('node:worker_threads');
  const https = require('node:https');
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  let longest = 0;
  let began = performance.now();
  const once = () => {
    began = performance.now();
    https.get(workerData.url + '/livez', { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => { longest = Math.max(longest, performance.now() - began); setTimeout(once, 2); });
    }).on('error', () => setTimeout(once, 2));
  };
  parentPort.on('message', () => {
    parentPort.postMessage(Math.max(longest, performance.now() - began));
    longest = 0;
  });
  once();
`;

function option(name, fallback) {
  return process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : fallback;
}

const times = Number(option('--times', 20));
const only = new RegExp(option('--only', '.'), 'i');
const server = await startServer({ from: process.argv.includes('--bundle') ? 'bundle' : 'sources' });
const worker = new Worker(prober, { eval: true, workerData: { url: server.url } });
let failed = 0;

await prepare();
await longestWait();
await pause(3000);
const quiet = await longestWait();
await keptBytes(server);
const before = await keptBytes(server);
console.log(`quiet: ${quiet.toFixed(0)} ms, ${before.toFixed(0)} MB`);
for (const [name, make] of Object.entries(attacks).filter(([name]) => only.test(name))) await attempt(name, make);
await pause(1000);
const grown = ((await keptBytes(server)) - before) / 2 ** 20;
report('memory afterwards', grown <= allowedGrowthMb, `${grown.toFixed(0)} MB more than before`);
await worker.terminate();
await server.stop();
process.exit(failed === 0 ? 0 : 1);

/** Objects for the selectors to be tried on. */
async function prepare() {
  for (let i = 0; i < 300; i++) {
    const body = JSON.stringify({ metadata: { name: `c${i}`, labels: { app: `a${i}`, tier: 'x' } } });
    await ask(server, { method: 'POST', path: configMaps, headers: { 'content-type': 'application/json' }, body });
  }
}

async function attempt(name, make) {
  const spent = await processorMs();
  await longestWait();
  const codes = new Set();
  for (let time = 0; time < times; time++) codes.add(await send(make(time)));
  const wait = await longestWait();
  const each = ((await processorMs()) - spent) / times;
  const wrong = [...codes].filter((code) => code >= 500 || code === 'none');
  // A request holds up others no longer than it has the processor: more is the doing of other processes on this machine.
  const held = Math.min(wait, each);
  report(
    name,
    held <= allowedMs + quiet && wrong.length === 0,
    `waited ${wait.toFixed(0)} ms, ${each.toFixed(0)} ms of the processor each, answers ${[...codes].join(' ')}`,
  );
}

async function send({ many, code, ...request }) {
  if (many !== undefined) return sendOverHttp2(many);
  const answer = await ask(server, { ...request, agent: false, timeoutMs: 60_000 }).catch((error) => ({
    code: error.code === 'ECONNRESET' || error.code === 'EPIPE' ? 'closed' : 'none',
  }));
  if (code !== undefined && answer.code !== code) return 'none';
  return answer.code;
}

/** Node's client takes no more than so many headers over HTTP/1.1. */
async function sendOverHttp2(headers) {
  const session = http2.connect(server.url, { rejectUnauthorized: false, maxSendHeaderBlockLength: 1024 * 1024 });
  session.on('error', () => {});
  const code = await new Promise((resolve) => {
    const stream = session.request({ ':path': '/api/v1/pods', ...headers });
    stream.on('response', (answer) => resolve(answer[':status'])).on('error', () => resolve('closed'));
    stream.resume();
  });
  session.destroy();
  return code;
}

function report(name, ok, text) {
  if (!ok) failed += 1;
  console.log(`${ok ? '✓' : '✘'} ${name}: ${text}`);
}

function longestWait() {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    worker.postMessage('tell');
  });
}

async function processorMs() {
  const { body } = await ask(server, { path: '/metrics', timeoutMs: 60_000 });
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(body.toString())?.[1]) * 1000;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
