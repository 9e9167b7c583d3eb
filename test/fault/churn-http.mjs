#!/usr/bin/env node
// Updates of a thousand objects over the wire while history is compacted every few seconds, on both stores: neither the data directory nor
// memory may go on growing, and lists that are read page by page meanwhile end whole or are told that their revision is gone.
//   node test/fault/churn-http.mjs [--updates 300000] [--interval 5s] [--store embedded|memory] [--bundle]
import { setTimeout as elapse } from 'node:timers/promises';
import http2 from 'node:http2';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from '../support/server-under-test.mjs';

const { values } = parseArgs({
  options: {
    updates: { type: 'string', default: '300000' },
    interval: { type: 'string', default: '5s' },
    store: { type: 'string' },
    bundle: { type: 'boolean', default: false },
  },
});
const updates = Number(values.updates);
const objects = 1_000;
const writers = 48;
const pageSize = 100;
/** What the last third may have more than the middle one. In a short run V8 is still taking memory that it has not had before. */
const growth = updates < 100_000 ? 1.5 : 1.1;
const samplesWanted = 60;
const configMaps = '/api/v1/namespaces/default/configmaps';
const expired = /^The provided continue parameter is too old to display a consistent list result/;

for (const store of values.store === undefined ? ['memory', 'embedded'] : [values.store]) await churn(store);

async function churn(store) {
  const flags = [`--memory=${store === 'memory'}`, `--etcd-compaction-interval=${values.interval}`, '--v=0'];
  const server = await startServer({ from: values.bundle ? 'bundle' : 'sources', flags });
  const client = connect(server);
  try {
    await concurrently(objects, (index) => client('POST', configMaps, configMap(index, 'first'), 201));
    const samples = [];
    const pages = { whole: 0, expired: 0 };
    const over = new AbortController();
    const listing = Promise.all([listOn(client, 0, pages, over.signal), listOn(client, 400, pages, over.signal)]);
    const started = performance.now();
    const every = Math.ceil(updates / samplesWanted);
    for (let done = 0; done < updates; done += every) {
      await concurrently(Math.min(every, updates - done), (turn) => {
        const index = (done + turn) % objects;
        return client('PUT', `${configMaps}/c${index}`, configMap(index, `turn ${done + turn}`), 200);
      });
      samples.push({ memory: await memoryOf(client), disk: sizeOf(join(server.dir, 'data')) });
    }
    const seconds = (performance.now() - started) / 1000;
    over.abort();
    await listing;
    judge(`the ${store} store: ${updates} updates over HTTP/2, ${(updates / seconds).toFixed(0)}/s`, samples, pages);
  } finally {
    client.close();
    await server.stop();
  }
}

/** One list after the other in pages, with a pause between two pages. */
async function listOn(client, pauseMs, pages, signal) {
  while (!signal.aborted) {
    const names = new Set();
    let token = '';
    do {
      const answer = await client('GET', `${configMaps}?limit=${pageSize}&continue=${token}`);
      if (answer.code === 410) {
        if (answer.body.reason !== 'Expired' || !expired.test(answer.body.message)) throw new Error(`another 410: ${JSON.stringify(answer.body)}`);
        pages.expired++;
        names.clear();
        break;
      }
      if (answer.code !== 200) throw new Error(`a page of a list: ${answer.code} ${JSON.stringify(answer.body)}`);
      for (const { metadata } of answer.body.items) names.add(metadata.name);
      token = answer.body.metadata.continue ?? '';
      if (token !== '' && pauseMs > 0) await elapse(pauseMs);
    } while (token !== '');
    if (token === '' && names.size < objects) throw new Error(`a list in pages ended with ${names.size} of ${objects} objects`);
    if (token === '') pages.whole++;
  }
}

function configMap(index, turn) {
  return { metadata: { name: `c${index}`, labels: { turn: turn.replace(' ', '-') } }, data: { turn, filling: 'x'.repeat(2_000) } };
}

function connect(server) {
  const sessions = Array.from({ length: 2 }, () => http2.connect(server.url, { rejectUnauthorized: false }));
  let next = 0;
  const client = (method, path, body, wanted) =>
    new Promise((resolve, reject) => {
      const headers = { ':method': method, ':path': path, authorization: 'Bearer admin-token', ...(body && { 'content-type': 'application/json' }) };
      const stream = sessions[next++ % sessions.length].request(headers);
      const parts = [];
      let code = 0;
      stream.on('response', (answer) => (code = answer[':status'])).on('data', (part) => parts.push(part));
      stream.on('error', reject).on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (wanted !== undefined && code !== wanted) reject(new Error(`${method} ${path}: ${code} ${text.slice(0, 300)}`));
        else resolve({ code, body: wanted === undefined ? readJson(text) : undefined });
      });
      stream.end(body && JSON.stringify(body));
    });
  client.close = () => sessions.forEach((session) => session.destroy());
  return client;
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function concurrently(times, one) {
  let next = 0;
  const worker = async () => {
    while (next < times) await one(next++);
  };
  await Promise.all(Array.from({ length: writers }, worker));
}

/** The heap in use after a collection, and what buffers hold outside of it. */
async function memoryOf(client) {
  const { body } = await client('GET', '/debug/pprof/heap?debug=1&gc=1');
  const of = (name) => Number(new RegExp(`${name}\\D+(\\d+)`).exec(typeof body === 'string' ? body : JSON.stringify(body))?.[1] ?? Number.NaN);
  return of('heapUsed') + of('external');
}

function sizeOf(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  return stat.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : stat.size;
}

function judge(name, samples, pages) {
  const third = Math.floor(samples.length / 3);
  // The median: the peak is history of a few seconds, and follows how many updates the machine makes in them. What is never given back shows in both.
  const usual = (from, of) =>
    samples
      .slice(from, from + third)
      .map((one) => one[of])
      .toSorted((a, b) => a - b)[third >> 1];
  const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  const results = ['disk', 'memory'].map((of) => ({ of, middle: usual(third, of), last: usual(2 * third, of) }));
  const growths = results.map(({ of, middle, last }) => `${of} ${megabytes(middle)}, then ${megabytes(last)}`).join('; ');
  console.log(`${name}: ${growths}; ${pages.whole} lists in pages whole, ${pages.expired} expired`);
  if (samples.length < 30 || pages.whole === 0) throw new Error('too little was seen: this run has shown nothing');
  for (const { of, middle, last } of results) {
    if (Number.isNaN(last) || last > growth * middle)
      throw new Error(`${name}: ${of} of the last third is ${(last / middle).toFixed(2)} times that of the middle third`);
  }
}
