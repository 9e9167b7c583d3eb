#!/usr/bin/env node
// kill -TERM while requests and watches run: every request that reached the server gets a whole answer, watches end in order,
// the exit code is 0.   node test/fault/stop-under-load.mjs [--rounds 3] [--bundle]
//
// What counts as cut: HTTP/1.1, a request was written on an open connection and the connection ended before the answer was
// whole; HTTP/2, a stream that the last GOAWAY names as taken ended without a whole answer. A stream beyond that, or a
// connection that was refused or closed before anything was written on it, has taken no request: the client may repeat it.
import assert from 'node:assert/strict';
import https from 'node:https';
import { startServer } from '../support/server-under-test.mjs';
import { http2Session, rawSocket } from './hostile-client.mjs';

const option = (name, fallback) => (process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback);
const rounds = option('rounds', 3);
const from = process.argv.includes('--bundle') ? 'bundle' : 'sources';
const configMaps = '/api/v1/namespaces/default/configmaps';
const slowBodyMs = 600;
const modes = [
  { name: 'default', flags: [], refusals: ['503'] },
  {
    name: 'delay, retry-after and a grace period for watches',
    flags: ['--shutdown-delay-duration=300ms', '--shutdown-send-retry-after', '--shutdown-watch-termination-grace-period=1s'],
    refusals: ['429'],
  },
];

for (const mode of modes) for (let round = 1; round <= rounds; round++) await stopOnce(mode, round);

async function stopOnce({ name, flags, refusals }, round) {
  const server = await startServer({ from, flags });
  const tally = { codes: {}, notTaken: 0, cut: [] };
  const stop = { asked: false };
  const watches = Array.from({ length: 20 }, () => watch(server));
  const sessions = Array.from({ length: 2 }, () => http2Session(server));
  const workers = [
    ...Array.from({ length: 20 }, (_, i) => http1Worker(server, `a${i}`, tally, stop)),
    ...sessions.flatMap((session, s) => Array.from({ length: 10 }, (_, i) => http2Worker(session, `b${s}-${i}`, tally, stop))),
  ];
  await Promise.all(watches.map(({ begun }) => begun));
  await elapse(500);
  const slow = await slowRequest(server);
  const exit = new Promise((resolve) => server.child.once('exit', (code, signal) => resolve(code ?? signal)));
  const started = performance.now();
  server.child.kill('SIGTERM');
  stop.asked = true;
  setTimeout(slow.finish, slowBodyMs);
  const code = await exit;
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  await Promise.all(workers);
  const ends = await Promise.all(watches.map(({ ended }) => ended));
  const slowCode = await slow.code;
  for (const session of sessions) session.destroy();
  await server.stop();
  console.log(
    `${name}, round ${round}: exit code ${code} after ${seconds} s, answers ${JSON.stringify(tally.codes)}, not taken ${tally.notTaken}, cut ${tally.cut.length}, slow request ${slowCode}, watches ${JSON.stringify(count(ends))}`,
  );
  assert.equal(code, 0);
  assert.deepEqual(tally.cut, []);
  assert.deepEqual(
    Object.keys(tally.codes).filter((answer) => answer !== '201' && !refusals.includes(answer)),
    [],
  );
  assert.ok(tally.codes['201'] > 40, 'there was a load');
  assert.equal(slowCode, '201', 'a request whose body was still on its way is served');
  assert.deepEqual(count(ends), { end: 20 });
}

async function http1Worker(server, prefix, tally, stop) {
  let connection = await openConnection(server);
  for (let i = 0; ; i++) {
    const body = JSON.stringify({ metadata: { name: `${prefix}-${i}` } });
    if (connection === undefined || connection.over) {
      tally.notTaken += 1;
      if (stop.asked) return;
      connection = await openConnection(server);
      continue;
    }
    const answer = await connection.ask(`POST ${configMaps} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer admin-token\r\n${head(body)}\r\n${body}`);
    if (answer === undefined) {
      tally.cut.push(`${prefix}-${i}`);
      return;
    }
    tally.codes[answer] = (tally.codes[answer] ?? 0) + 1;
    if (answer !== '201') return;
    // A goodbye that has arrived together with the answer must be seen before the next request is written.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Undefined when the connection was not taken. */
async function openConnection(server) {
  const socket = await rawSocket(server).catch(() => undefined);
  return socket && connectionOn(socket);
}

function connectionOn(socket) {
  let received = '';
  let waiting;
  const connection = {
    over: false,
    socket,
    ask: (text) =>
      new Promise((resolve) => {
        waiting = resolve;
        socket.write(text);
      }),
    expect: () =>
      new Promise((resolve) => {
        waiting = resolve;
      }),
  };
  const settle = (answer) => {
    waiting?.(answer);
    waiting = undefined;
  };
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
    const start = received.indexOf('\r\n\r\n') + 4;
    if (start < 4) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
    if (received.length < start + length) return;
    const code = received.slice(9, 12);
    if (/^connection: close/im.test(received.slice(0, start))) connection.over = true;
    received = '';
    settle(code);
  });
  const end = () => {
    connection.over = true;
    settle(undefined);
  };
  socket.on('end', end).on('close', end).on('error', end);
  return connection;
}

function head(body) {
  return `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
}

async function http2Worker(session, prefix, tally, stop) {
  let lastTaken = Number.POSITIVE_INFINITY;
  session.on('goaway', (_, last) => {
    lastTaken = Math.min(lastTaken, last);
  });
  for (let i = 0; ; i++) {
    if (session.closed || session.destroyed) {
      tally.notTaken += 1;
      return;
    }
    const { id, answer } = await http2Post(session, JSON.stringify({ metadata: { name: `${prefix}-${i}` } }));
    if (answer === undefined) {
      if (stop.asked && (id === undefined || id > lastTaken)) tally.notTaken += 1;
      else tally.cut.push(`${prefix}-${i}: stream ${id}, last taken ${lastTaken}`);
      return;
    }
    tally.codes[answer] = (tally.codes[answer] ?? 0) + 1;
    if (answer !== '201') return;
  }
}

function http2Post(session, body) {
  return new Promise((resolve) => {
    const stream = session.request({ ':method': 'POST', ':path': configMaps, authorization: 'Bearer admin-token', 'content-type': 'application/json' });
    let answer;
    let whole = false;
    stream.on('response', (headers) => {
      answer = String(headers[':status']);
    });
    stream.on('end', () => {
      whole = answer !== undefined;
    });
    stream.on('error', () => {});
    stream.on('close', () => resolve({ id: stream.id, answer: whole ? answer : undefined }));
    stream.resume();
    stream.end(body);
  });
}

/** Its head is at the server before the signal, its body comes after it. */
async function slowRequest(server) {
  const connection = await openConnection(server);
  const body = JSON.stringify({ metadata: { name: 'slow' } });
  const code = connection.expect();
  connection.socket.write(`POST ${configMaps} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer admin-token\r\n${head(body)}\r\n`);
  await elapse(100);
  return { code, finish: () => connection.socket.write(body) };
}

function watch(server) {
  let begin;
  const begun = new Promise((resolve) => {
    begin = resolve;
  });
  const ended = new Promise((resolve) => {
    const request = https.request(`${server.url}${configMaps}?watch=1`, { rejectUnauthorized: false, headers: { authorization: 'Bearer admin-token' } });
    request.on('response', (response) => {
      begin();
      response.resume();
      response.on('end', () => resolve('end')).on('error', () => resolve('cut'));
    });
    request.on('error', (problem) => resolve(problem.code));
    request.end();
  });
  return { begun, ended };
}

function count(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function elapse(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
