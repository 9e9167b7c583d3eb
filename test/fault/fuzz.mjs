#!/usr/bin/env node
// Mutated requests of the recordings against a running server: no crash, no 500 that is a bug of ours, nothing slower
// than a second.   node test/fault/fuzz.mjs [--count 1000] [--seed 1] [--show 10]
import { existsSync, readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { root, startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';

const option = (name, fallback) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback);
const [count, seed, show] = [option('count', 1000), option('seed', 1), option('show', 10)];
const folder = join(root, '../shared/oracle');
const random = generator(seed);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'];
const oddTypes = [
  '',
  'text/plain',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;charset=x',
  'application/json, text/html',
  'x',
];
const oddKeys = ['__proto__', 'constructor', 'toString', '', 'a/b', '\u0000', 'hasOwnProperty', 'metadata', 'kind'];
const queries = [
  'limit=-1',
  'limit=99999999999999999999',
  'limit=1&continue=xyz',
  'continue=%00',
  'resourceVersion=-5',
  'resourceVersion=abc',
  'resourceVersionMatch=Exact',
  'labelSelector=a%20in%20(',
  'labelSelector=%21%21',
  'labelSelector=a%3D%3D%3Db',
  'fieldSelector=metadata.name%3D',
  'fieldSelector=%2C%2C',
  'fieldSelector=x.y%21%3Dz',
  'dryRun=All',
  'dryRun=Some',
  'fieldValidation=Strict',
  'fieldManager=%00',
  'force=true',
  'timeout=1ns',
  'timeoutSeconds=x',
  'pretty=true',
  'gracePeriodSeconds=-9',
  'propagationPolicy=X',
  '%zz=1',
  '__proto__=1',
];
const slowMs = 1000;
/** The text of a 500 that is our own bug; the others are refusals that the original also answers with 500. */
const ownBug = /an unexpected error, see the log/;

if (!existsSync(folder)) {
  console.log(`SKIPPED: there are no recordings at ${folder}`);
  process.exit(0);
}
const seeds = ['verbs', 'patch', 'apply', 'list-watch', 'negotiate'].flatMap((name) => seedsOf(join(folder, `${name}.json`)));
const server = await startServer();
const agent = new https.Agent({ keepAlive: true, maxSockets: 4 });
const findings = [];
const codes = {};
let next = 0;
await Promise.all(Array.from({ length: 4 }, worker));
const alive = server.child.exitCode === null && server.child.signalCode === null;
const log = readFileSync(server.logFile, 'utf8');
const bugs = log.split('\n').filter((line) => line.includes('request failed'));
agent.destroy();
await server.stop();
console.log(`${count} requests from ${seeds.length} seeds: ${JSON.stringify(codes)}`);
for (const finding of findings.slice(0, show)) console.log(`✘ ${finding}`);
for (const line of [...new Set(bugs.map((bug) => bug.replace(/^\S+ \S+ /, '').slice(0, 600)))].slice(0, show)) console.log(`✘ log: ${line}`);
console.log(`${findings.length} findings, ${bugs.length} unexpected errors in the log${alive ? '' : ', THE SERVER DIED'}`);
process.exit(alive && findings.length === 0 && bugs.length === 0 ? 0 : 1);

function seedsOf(file) {
  const data = JSON.parse(readFileSync(file, 'utf8'));
  const scenarios = Array.isArray(data) ? data : data.scenarios;
  return scenarios
    .flatMap(({ steps }) => steps)
    .filter((step) => typeof step.path === 'string' && typeof step.do === 'string' && /^[A-Z]+$/.test(step.do) && !/watch=|\/watch\//.test(step.path))
    .map((step) => ({
      method: step.do,
      path: step.path.replaceAll('$NS', 'default'),
      type: step.type ?? contentType(step),
      body: step.body,
      accept: step.accept,
    }));
}

function contentType({ do: method, patch }) {
  if (method !== 'PATCH') return 'application/json';
  const types = {
    json: 'application/json-patch+json',
    merge: 'application/merge-patch+json',
    strategic: 'application/strategic-merge-patch+json',
    apply: 'application/apply-patch+yaml',
  };
  return types[patch] ?? pick(Object.values(types));
}

async function worker() {
  while (next < count) {
    next += 1;
    const request = mutated(pick(seeds));
    try {
      const { code, ms, body } = await ask(server, { ...request, agent, timeoutMs: 20_000 });
      codes[code] = (codes[code] ?? 0) + 1;
      const text = body.toString().slice(0, 300);
      const line = `${request.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 300)}`;
      if (code === 500 && ownBug.test(text)) findings.push(`500 ${line}\n    ${text}`);
      // 504: the client asked to wait for a revision that never comes.
      if (ms > slowMs && code !== 504) findings.push(`${Math.round(ms)} ms ${line}`);
    } catch (problem) {
      if (server.child.exitCode !== null || server.child.signalCode !== null) return;
      if (problem.code !== 'ERR_UNESCAPED_CHARACTERS' && problem.code !== 'ERR_INVALID_CHAR')
        findings.push(`${problem.message}: ${request.method} ${request.path}`);
    }
  }
}

function mutated({ method, path, type, body, accept }) {
  const what = random();
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(what < 0.5 ? mutateValue(body) : body);
  const bytes = text === undefined ? undefined : what > 0.85 ? mutateBytes(Buffer.from(text)) : Buffer.from(text);
  const headers = { 'content-type': random() < 0.05 ? pick(oddTypes) : type, ...(accept && { accept }), ...(bytes && { 'content-length': bytes.length }) };
  const query = random() < 0.3 ? `${path.includes('?') ? '&' : '?'}${pick(queries)}` : '';
  return { method: random() < 0.03 ? pick(methods) : method, path: (random() < 0.1 ? mutatePath(path) : path) + query, headers, body: bytes };
}

function mutateValue(value, depth = 0) {
  if (random() < 0.08) return pick(oddValues());
  if (Array.isArray(value)) {
    const items = value.map((item) => (random() < 0.3 ? mutateValue(item, depth + 1) : item));
    return random() < 0.2 && items.length > 0 ? [...items, items[0]] : items;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, member]) => [
      random() < 0.03 ? pick(oddKeys) : key,
      random() < 0.4 ? mutateValue(member, depth + 1) : member,
    ]);
    return Object.fromEntries(random() < 0.1 ? entries.slice(1) : entries);
  }
  return random() < 0.3 ? pick(oddValues()) : value;
}

function mutateBytes(bytes) {
  const copy = Buffer.from(bytes);
  for (let i = 0; i < 1 + random() * 4 && copy.length > 0; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return random() < 0.3 ? copy.subarray(0, Math.floor(random() * copy.length)) : copy;
}

function mutatePath(path) {
  const parts = path.split('/');
  parts[1 + Math.floor(random() * (parts.length - 1))] = pick([
    '',
    '..',
    '%2e%2e',
    '%00',
    '%ff',
    'a'.repeat(300),
    '__proto__',
    'constructor',
    '%',
    'watch',
    'proxy',
    'status',
    'scale',
    '*',
  ]);
  return parts.join('/') || '/';
}

function oddValues() {
  return [
    null,
    '',
    0,
    -1,
    1e308,
    // eslint-disable-next-line no-loss-of-precision -- beyond 2^53 on purpose
    9007199254740993,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { '': '' },
    'a'.repeat(5000),
    '\u0000',
    '\ud800',
    '2026-13-45T99:99:99Z',
    '1e999',
    '-0',
    '10Gi',
    '💥',
    { __proto__: 1 },
  ];
}

function pick(values) {
  return values[Math.floor(random() * values.length)];
}

/** mulberry32: the same seed, the same requests. */
function generator(start) {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
