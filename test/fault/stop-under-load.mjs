#!/usr/bin/env node
// kill -TERM while requests and watches run: every request that was sent gets an answer, watches end, the exit code is 0.
//   node test/fault/stop-under-load.mjs [rounds]
import assert from 'node:assert/strict';
import https from 'node:https';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';

const rounds = Number(process.argv[2] ?? 3);

for (let round = 1; round <= rounds; round++) {
  const server = await startServer();
  const agent = new https.Agent({ keepAlive: true, maxSockets: 20 });
  const tally = { answered: 0, refusedPolitely: 0, notTaken: 0, cut: [] };
  let stopping = false;
  const workers = Array.from({ length: 20 }, (_, i) => work(server, agent, i, tally, () => stopping));
  const begun = [];
  const watches = Array.from({ length: 20 }, () => watchUntilEnd(server, begun));
  while (begun.length < watches.length) await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 300));
  const exit = new Promise((resolve) => server.child.once('exit', (code, signal) => resolve(code ?? signal)));
  const started = performance.now();
  server.child.kill('SIGTERM');
  stopping = true;
  const code = await exit;
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  await Promise.all(workers);
  const ends = await Promise.all(watches);
  agent.destroy();
  await server.stop();
  console.log(
    `round ${round}: exit code ${code} after ${seconds} s, ${JSON.stringify({ ...tally, cut: tally.cut.length })}, watches ended ${JSON.stringify(count(ends))}`,
  );
  assert.equal(code, 0);
  assert.deepEqual(tally.cut, []);
  assert.ok(tally.answered > 20);
  assert.deepEqual(count(ends), { end: 20 });
}

async function work(server, agent, worker, tally, stopping) {
  for (let i = 0; ; i++) {
    const body = JSON.stringify({ metadata: { name: `w${worker}-${i}` } });
    const headers = { 'content-type': 'application/json' };
    try {
      const { code } = await ask(server, { method: 'POST', path: '/api/v1/namespaces/default/configmaps', headers, body, agent });
      if (code === 503 || code === 429) tally.refusedPolitely += 1;
      else tally.answered += 1;
      if (code === 503) return;
    } catch (problem) {
      // A connection that was never accepted, or closed while idle, has taken no request.
      const neverTaken = problem.code === 'ECONNREFUSED' || (stopping() && problem.code === 'ECONNRESET');
      if (neverTaken) tally.notTaken += 1;
      else tally.cut.push(problem.message);
      return;
    }
  }
}

function watchUntilEnd(server, begun) {
  return new Promise((resolve) => {
    const request = https.request(`${server.url}/api/v1/namespaces/default/configmaps?watch=1`, {
      rejectUnauthorized: false,
      headers: { authorization: 'Bearer admin-token' },
    });
    request.on('response', (response) => {
      begun.push(true);
      response.resume();
      response.on('end', () => resolve('end')).on('error', () => resolve('cut'));
    });
    request.on('error', (problem) => resolve(problem.code));
    request.end();
  });
}

function count(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
