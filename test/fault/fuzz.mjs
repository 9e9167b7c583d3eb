#!/usr/bin/env node
// Mutated requests of the recordings against a running server: no crash, no 500 that is a bug of ours, nothing slower
// than a second.   node test/fault/fuzz.mjs [--count 1000] [--seed 1] [--show 10] [--wave 1000] [--bundle]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { randomFrom } from '../support/random.mjs';
import { root, startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';

const option = (name, fallback) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback);
const [count, seed, show] = [option('count', 1000), option('seed', 1), option('show', 10)];
const folder = join(root, '../shared/oracle');
let random = randomFrom(seed);
const wave = option('wave', 1000);
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
const files = readdirSync(folder).filter((name) => /^(verbs|patch|apply|list-watch|negotiate|services|kinds-.*|crd|policies|auth)\.json$/.test(name));
const server = await startServer({ from: process.argv.includes('--bundle') ? 'bundle' : 'sources' });
const agent = new https.Agent({ keepAlive: true, maxSockets: 4 });
const seeds = [...files.flatMap((name) => seedsOf(join(folder, name))), ...(await protobufSeeds())];
const findings = [];
const codes = {};
const refused500 = new Map();
await send(count);
const growth = await growthOf();
const alive = server.child.exitCode === null && server.child.signalCode === null;
const log = readFileSync(server.logFile, 'utf8');
const bugs = log.split('\n').filter((line) => line.includes('request failed'));
agent.destroy();
await server.stop();
console.log(`${count} requests from ${seeds.length} seeds: ${JSON.stringify(codes)}`);
for (const [text, times] of refused500) console.log(`  500, ${times} times: ${text}`);
console.log(`heap after the same ${wave} requests again and again: ${growth.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`).join(', ')}`);
if (growth.at(-1) > growth[0] * 1.1) findings.push(`memory grows: ${growth}`);
for (const finding of findings.slice(0, show)) console.log(`✘ ${finding}`);
for (const line of [...new Set(bugs.map((bug) => bug.replace(/^\S+ \S+ /, '').slice(0, 600)))].slice(0, show)) console.log(`✘ log: ${line}`);
console.log(`${findings.length} findings, ${bugs.length} unexpected errors in the log${alive ? '' : ', THE SERVER DIED'}`);
process.exit(alive && findings.length === 0 && bugs.length === 0 ? 0 : 1);

/** The same requests several times: what they could leave behind is left behind by the first round. */
async function growthOf() {
  const sizes = [];
  for (let round = 0; round < 4; round++) {
    random = randomFrom(seed);
    await send(wave);
    if (round > 0) sizes.push(await heapInUse());
  }
  return sizes;
}

async function heapInUse() {
  const { body } = await ask(server, { path: '/debug/pprof/heap?gc=1&debug=1', timeoutMs: 60_000 });
  return Number(/^# heapUsed = (\d+)/m.exec(body.toString())?.[1]);
}

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

async function send(requests) {
  let next = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < requests && server.child.exitCode === null && server.child.signalCode === null) {
        next += 1;
        await judge(mutated(pick(seeds)));
      }
    }),
  );
}

async function judge(request) {
  const line = `${request.method} ${request.path.slice(0, 200)} ${JSON.stringify(request.headers)} ${String(request.body).slice(0, 300)}`;
  try {
    const answer = await ask(server, { ...request, agent, timeoutMs: 20_000 });
    codes[answer.code] = (codes[answer.code] ?? 0) + 1;
    if (answer.code === 500) note500(line, answer.body.toString());
    if (answer.ms > slowMs && !isWaiting(answer) && (await isSlowAgain(request))) findings.push(`${Math.round(answer.ms)} ms ${line}`);
  } catch (problem) {
    if (problem.code !== 'ERR_UNESCAPED_CHARACTERS' && problem.code !== 'ERR_INVALID_CHAR')
      findings.push(`${problem.message}: ${request.method} ${request.path}`);
  }
}

function note500(line, text) {
  if (ownBug.test(text)) findings.push(`500 ${line}\n    ${text.slice(0, 300)}`);
  const message = String(/"message":"((?:[^"\\]|\\.){0,120})/.exec(text)?.[1] ?? text.slice(0, 120)).replace(/\d+/g, 'N');
  if (refused500.size < 50 || refused500.has(message)) refused500.set(message, (refused500.get(message) ?? 0) + 1);
}

/** 504: the client asked to wait for a revision that never comes. */
function isWaiting({ code }) {
  return code === 504;
}

/** The machine may have been busy; an answer that is slow by itself is slow again and again. */
async function isSlowAgain(request) {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { ms, code } = await ask(server, { ...request, agent, timeoutMs: 20_000 });
    if (ms <= slowMs || isWaiting({ code })) return false;
  }
  return true;
}

/** Objects of the running server in the binary form, to be mutated byte by byte. */
async function protobufSeeds() {
  const type = 'application/vnd.kubernetes.protobuf';
  const paths = [
    '/api/v1/namespaces/default',
    '/api/v1/namespaces/default/services/kubernetes',
    '/apis/rbac.authorization.k8s.io/v1/clusterroles/admin',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/cluster-admin',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/global-default',
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/workload-low',
    '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
  ];
  const seeds = await Promise.all(
    paths.map(async (path) => {
      const { code, body } = await ask(server, { path, headers: { accept: type }, agent });
      return code === 200 ? ['POST', 'PUT'].map((method) => ({ method, path: method === 'PUT' ? path : path.replace(/\/[^/]+$/, ''), type, body })) : [];
    }),
  );
  // As often as everything else together would drown them: one in ten requests is binary.
  return Array.from({ length: 200 }, () => seeds.flat()).flat();
}

function mutated({ method, path, type, body, accept }) {
  const what = random();
  if (Buffer.isBuffer(body)) return { method, path, headers: { 'content-type': type }, body: mutateBytes(body) };
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(what < 0.5 ? mutateValue(body) : body);
  const bytes = text === undefined ? undefined : what > 0.85 ? mutateBytes(Buffer.from(text)) : Buffer.from(text);
  const headers = { 'content-type': random() < 0.05 ? pick(oddTypes) : type, ...(accept && { accept }), ...(bytes && { 'content-length': bytes.length }) };
  const query = random() < 0.3 ? `${path.includes('?') ? '&' : '?'}${random() < 0.6 ? pick(queries) : randomQuery()}` : '';
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

function randomQuery() {
  const words = [
    'a',
    'metadata.name',
    'app.kubernetes.io/name',
    ' in ',
    ' notin ',
    '(',
    ')',
    ',',
    '=',
    '==',
    '!=',
    '!',
    '>',
    '<',
    ' ',
    'x',
    '-',
    '_',
    '.',
    '/',
    '💥',
    '1',
    'status.phase',
    '\\',
    '"',
  ];
  const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(words)).join('');
  return `${pick(['labelSelector', 'fieldSelector', 'continue', 'resourceVersion', 'limit', 'fieldManager', 'timeout', 'sendInitialEvents', 'x'])}=${encodeURIComponent(text)}`;
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
