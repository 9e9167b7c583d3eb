#!/usr/bin/env node
// The known ways to knock an API server over, tried on a running binnacle. After each it must answer others at once.
//   node test/fault/hostile.mjs [--only REGEX] [--bundle]
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { startServer } from '../support/server-under-test.mjs';
import { ask, closed, frame, http2Session, rawSocket } from './hostile-client.mjs';

const json = { 'content-type': 'application/json' };
const protobuf = 'application/vnd.kubernetes.protobuf';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** How much more than eight times the work eight times the input may be: quadratic would be 8. */
const linearSlack = 4;

const cases = {
  'HTTP/2 rapid reset': async (server) => {
    const session = http2Session(server);
    const ended = closed(session);
    for (let i = 0; i < 20_000 && !session.destroyed && !session.closed; i++) {
      const stream = session.request({ ':path': '/api/v1/namespaces', authorization: 'Bearer bob-token' });
      stream.on('error', () => {});
      stream.close(8);
      if (i % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    session.destroy();
    await ended;
  },
  'HTTP/2 CONTINUATION flood': async (server) => {
    const socket = await rawSocket(server, 'h2');
    const ended = closed(socket);
    socket.on('error', () => {});
    socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(4, 0, 0), frame(1, 0, 1, Buffer.from([0x82]))]));
    const more = frame(9, 0, 1, Buffer.alloc(16_000, 0x40));
    for (let i = 0; i < 2000 && !socket.destroyed; i++) {
      socket.write(more);
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
  },
  'HTTP/2 settings and ping floods': async (server) => {
    const socket = await rawSocket(server, 'h2');
    socket.on('error', () => {});
    const ended = closed(socket);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const flood = Buffer.concat(Array.from({ length: 500 }, () => Buffer.concat([frame(4, 0, 0), frame(6, 0, 0, Buffer.alloc(8))])));
    for (let i = 0; i < 40 && !socket.destroyed; i++) socket.write(flood);
    setTimeout(() => socket.destroy(), 500);
    await ended;
  },
  'connection of an unknown HTTP/2 client is closed after the answer': async (server) => {
    const session = http2Session(server);
    const ended = closed(session);
    const stream = session.request({ ':path': '/api/v1/pods' });
    const code = await new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
    stream.resume();
    assert.equal(code, 403);
    await ended;
  },
  'YAML aliases that would unfold to gigabytes': async (server) => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 12; i++)
      lines.push(
        `k${i}: &${String.fromCharCode(97 + i)} [${Array(9)
          .fill(`*${String.fromCharCode(96 + i)}`)
          .join(',')}]`,
      );
    const answer = await ask(server, { method: 'POST', path: configMaps, headers: { 'content-type': 'application/yaml' }, body: `${lines.join('\n')}\n` });
    assert.ok(answer.code >= 400 && answer.code < 500, String(answer.code));
  },
  'JSON nested a hundred thousand deep': async (server) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ]) {
      const depth = 100_000;
      const body = `{"metadata":{"name":"x"},"data":${open.repeat(depth)}1${close.repeat(depth)}}`;
      const answer = await ask(server, { method: 'POST', path: configMaps, headers: json, body });
      assert.ok(answer.code >= 400 && answer.code < 500, String(answer.code));
    }
  },
  'objects with hundreds of thousands of keys': async (server) => {
    // As many as fit into a body are allowed; they must not take quadratic time. Processor time, so that others on this machine do not count.
    const spent = async (count) => {
      const keys = Array.from({ length: count }, (_, i) => `"k${i}":"v"`).join(',');
      const before = await processorSeconds(server);
      const body = `{"metadata":{"name":"x${count}"},"data":{${keys}}}`;
      // A connection of its own: on one that has just carried /metrics, node's parser may be paused and then fail (HPE_PAUSED).
      const answer = await ask(server, { method: 'POST', path: `${configMaps}?dryRun=All`, headers: json, body, agent: false, timeoutMs: 60_000 });
      assert.ok(answer.code < 500, String(answer.code));
      return (await processorSeconds(server)) - before;
    };
    await spent(25_000);
    const [some, many] = [await spent(25_000), await spent(200_000)];
    assert.ok(many < 0.5 + 8 * linearSlack * some, `${some} s of processor time for 25,000 keys, ${many} s for 200,000`);
  },
  'bodies beyond three megabytes': async (server) => {
    const answer = await ask(server, { method: 'POST', path: configMaps, headers: json, body: Buffer.alloc(3_200_000, 0x20) });
    assert.equal(answer.code, 413);
  },
  'headers and addresses beyond every limit': async (server) => {
    const socket = await rawSocket(server);
    const ended = closed(socket);
    socket.on('error', () => {});
    socket.resume();
    socket.write(`GET /api HTTP/1.1\r\nhost: x\r\n`);
    for (let i = 0; i < 300 && !socket.destroyed; i++) socket.write(`x-${i}: ${'y'.repeat(8000)}\r\n`);
    await ended;
    const long = await ask(server, { path: `/api/v1/pods?labelSelector=${'a'.repeat(500_000)}` });
    assert.ok(long.code >= 400 && long.code < 500, String(long.code));
  },
  'a head that never becomes whole is given up': async (server) => {
    const socket = await rawSocket(server);
    socket.on('error', () => {});
    socket.write('GET /api HTTP/1.1\r\nhost: x\r\n');
    const drip = setInterval(() => socket.write('x'), 1000);
    const ended = closed(socket);
    socket.resume();
    const outcome = await Promise.race([ended.then(() => 'closed'), new Promise((resolve) => setTimeout(resolve, 120_000, 'still open'))]);
    clearInterval(drip);
    socket.destroy();
    assert.equal(outcome, 'closed');
  },
  'HTTP/2 streams beyond the limit of a connection are refused': async (server) => {
    const session = http2Session(server);
    let refused = 0;
    let begun = 0;
    const streams = Array.from({ length: 300 }, () => {
      const stream = session.request({ ':path': '/api/v1/pods?watch=1', authorization: 'Bearer admin-token' });
      stream.on('response', () => (begun += 1)).on('error', () => (refused += 1));
      return stream;
    });
    for (let waited = 0; begun < 100 && waited < 100; waited++) await new Promise((resolve) => setTimeout(resolve, 100));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(begun, 100, `${begun} streams at once, ${refused} refused`);
    for (const stream of streams) stream.close();
    session.destroy();
  },
  'clients that send their request a byte at a time': async (server) => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => rawSocket(server)));
    for (const socket of sockets) {
      socket.on('error', () => {});
      socket.write('GET /api HTTP/1.1\r\nho');
    }
    const quick = await ask(server, { path: '/readyz' });
    assert.equal(quick.code, 200);
    for (const socket of sockets) socket.destroy();
  },
  'prototype pollution in JSON, YAML, patches and labels': async (server) => {
    const polluted = '{"metadata":{"name":"p1","labels":{"__proto__":"x","constructor":"y"}},"__proto__":{"polluted":true},"data":{"__proto__":"d","a":"b"}}';
    await ask(server, { method: 'POST', path: configMaps, headers: json, body: polluted });
    await ask(server, {
      method: 'POST',
      path: configMaps,
      headers: { 'content-type': 'application/yaml' },
      body: 'metadata:\n  name: p2\n__proto__:\n  polluted: true\ndata:\n  __proto__: d\n',
    });
    const patches = {
      'application/merge-patch+json': '{"__proto__":{"polluted":true},"data":{"__proto__":"q"},"metadata":{"labels":{"__proto__":"z"}}}',
      'application/strategic-merge-patch+json': '{"__proto__":{"polluted":true},"data":{"__proto__":"q"},"constructor":{"prototype":{"polluted":true}}}',
      'application/json-patch+json':
        '[{"op":"add","path":"/__proto__/polluted","value":true},{"op":"add","path":"/data/__proto__","value":"q"},{"op":"add","path":"/constructor/prototype/polluted","value":true}]',
      'application/apply-patch+yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p1}\ndata: {__proto__: q}\n',
    };
    for (const [type, body] of Object.entries(patches)) {
      const answer = await ask(server, { method: 'PATCH', path: `${configMaps}/p1?fieldManager=t&force=true`, headers: { 'content-type': type }, body });
      assert.ok(answer.code < 500, `${type}: ${answer.code} ${answer.body}`);
    }
    const { body: binary } = await ask(server, { path: `${configMaps}/p1`, headers: { accept: protobuf } });
    const renamed = Buffer.from(binary.toString('latin1').replace('\x01a', '\x01b').replace(/p1/g, 'p3'), 'latin1');
    const map = Buffer.from(renamed.toString('latin1').replaceAll('constructor', '__proto__\x00\x00'), 'latin1');
    for (const body of [renamed, map]) {
      const answer = await ask(server, { method: 'POST', path: configMaps, headers: { 'content-type': protobuf }, body });
      assert.ok(answer.code < 500, `protobuf: ${answer.code} ${answer.body}`);
    }
    const fresh = await ask(server, { method: 'POST', path: `${configMaps}?dryRun=All`, headers: json, body: '{"metadata":{"name":"clean"}}' });
    assert.equal(fresh.code, 201);
    assert.ok(!fresh.body.includes('polluted'), String(fresh.body));
  },
  'patterns that take forever': async (server) => {
    const evil = `${'a'.repeat(50_000)}!`;
    for (const path of [
      `/api/v1/pods?labelSelector=${encodeURIComponent(`x in (${evil})`)}`,
      `/api/v1/pods?fieldSelector=${encodeURIComponent(`metadata.name=${evil}`)}`,
      `/api/v1/pods?labelSelector=${'('.repeat(20_000)}`,
      `/api/v1/pods?timeout=${'1'.repeat(50_000)}s`,
    ]) {
      const answer = await ask(server, { path });
      assert.ok(answer.code < 500 && answer.ms < 1000, `${answer.code} in ${answer.ms} ms`);
    }
    const name = `${'a-'.repeat(30_000)}_`;
    const answer = await ask(server, {
      method: 'POST',
      path: configMaps,
      headers: json,
      body: JSON.stringify({ metadata: { name, labels: { [name]: name } } }),
    });
    assert.ok(answer.code === 422 && answer.ms < 1000, `${answer.code} in ${answer.ms} ms`);
  },
  'JSON patches that copy until memory is full': async (server) => {
    await ask(server, { method: 'POST', path: configMaps, headers: json, body: '{"metadata":{"name":"copies"},"data":{"a":"aaaaaaaaaaaaaaaaaaaa"}}' });
    const operations = Array.from({ length: 40 }, (_, i) => ({ op: 'copy', from: '/data', path: `/data/k${i}` }));
    const answer = await ask(server, {
      method: 'PATCH',
      path: `${configMaps}/copies`,
      headers: { 'content-type': 'application/json-patch+json' },
      body: JSON.stringify(operations),
    });
    assert.ok(answer.code >= 400 && answer.code < 500, String(answer.code));
  },
  'tokens never reach the log': async (server) => {
    await ask(server, { method: 'PUT', path: '/debug/flags/v', body: '10' });
    await ask(server, { path: '/api/v1/namespaces', token: 'very-secret-token' });
    await ask(server, { path: '/api/v1/namespaces', token: 'admin-token' });
    await ask(server, { method: 'PUT', path: '/debug/flags/v', body: '0' });
    const log = readFileSync(server.logFile, 'utf8');
    assert.ok(log.includes('/api/v1/namespaces'), 'the request log is on');
    assert.ok(!log.includes('very-secret-token') && !log.includes('admin-token'), 'no token in it');
  },
  'label values of metrics do not grow with what clients send': async (server) => {
    const count = async () => (await ask(server, { path: '/metrics' })).body.toString().split('\n').length;
    await ask(server, { path: '/apis/nobody/v1/things' });
    const before = await count();
    for (let i = 0; i < 200; i++) await ask(server, { path: `/apis/group${i}/v1/things${i}/name${i}`, headers: { 'user-agent': `agent${i}` } });
    assert.ok((await count()) < before + 100);
  },
};

async function attempt([name, run]) {
  try {
    await run(server);
    const after = await ask(server, { path: '/api/v1/namespaces/default', timeoutMs: 30_000 });
    assert.equal(after.code, 200);
    console.log(`✓ ${name}`);
  } catch (problem) {
    failed += 1;
    console.log(`✘ ${name}: ${problem.message}`);
  }
}

async function processorSeconds(server) {
  const { body } = await ask(server, { path: '/metrics', timeoutMs: 60_000 });
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(body.toString())?.[1]);
}

const only = process.argv.includes('--only') ? new RegExp(process.argv[process.argv.indexOf('--only') + 1], 'i') : /./;
const server = await startServer({ from: process.argv.includes('--bundle') ? 'bundle' : 'sources' });
let failed = 0;
const chosen = Object.entries(cases).filter(([name]) => only.test(name));
for (const entry of chosen) await attempt(entry);
await server.stop();
process.exit(failed === 0 ? 0 : 1);
