#!/usr/bin/env node
// kill -9 while clients write: the store opens again each time, and nothing that was acknowledged is missing.
//   node test/fault/kill-under-load.mjs [--rounds 5] [--bundle]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server-under-test.mjs';
import { ask } from './hostile-client.mjs';
import { killAtWork } from './kill-at-work.mjs';

const rounds = process.argv.includes('--rounds') ? Number(process.argv[process.argv.indexOf('--rounds') + 1]) : 5;
const from = process.argv.includes('--bundle') ? 'bundle' : 'sources';
const dir = mkdtempSync(join(tmpdir(), 'binnacle-kill-'));
const flags = ['--memory=false'];
const acknowledged = new Map();
const configMaps = '/api/v1/namespaces/default/configmaps';

for (let round = 1; round <= rounds; round++) {
  const server = await startServer({ dir, flags, from });
  await check(server);
  const until = performance.now() + 200 + Math.random() * 400;
  const work = (agent, worker, killed) => write(server, agent, `r${round}-w${worker}`, killed);
  await killAtWork(server, { clients: 8, work, enough: () => performance.now() > until });
  console.log(`round ${round}: ${acknowledged.size} objects acknowledged so far`);
}
const last = await startServer({ dir, flags, from });
await check(last);
await last.stop();
rmSync(dir, { recursive: true, force: true });
assert.ok(acknowledged.size > rounds, 'the load must have written something');
console.log(`nothing of ${acknowledged.size} acknowledged writes is missing after ${rounds} kills`);

/** Creates, then updates or deletes; what was answered is remembered as it was answered. */
async function write(server, agent, prefix, killed) {
  for (let i = 0; !killed.value; i++) {
    const name = `${prefix}-${i}`;
    const headers = { 'content-type': 'application/json' };
    try {
      const made = await ask(server, { method: 'POST', path: configMaps, headers, body: JSON.stringify({ metadata: { name }, data: { v: '1' } }), agent });
      if (made.code === 201) acknowledged.set(name, '1');
      if (i % 3 === 0) {
        acknowledged.set(name, 'deleted?');
        const removed = await ask(server, { method: 'DELETE', path: `${configMaps}/${name}`, agent });
        if (removed.code === 200) acknowledged.set(name, 'deleted');
      } else if (i % 3 === 1) {
        acknowledged.set(name, '1?2');
        const changed = await ask(server, {
          method: 'PUT',
          path: `${configMaps}/${name}`,
          headers,
          body: JSON.stringify({ metadata: { name }, data: { v: '2' } }),
          agent,
        });
        if (changed.code === 200) acknowledged.set(name, '2');
      }
    } catch {
      return;
    }
  }
}

async function check(server) {
  const { body } = await ask(server, { path: configMaps });
  const stored = new Map(JSON.parse(body).items.map(({ metadata, data }) => [metadata.name, data?.v]));
  for (const [name, state] of acknowledged) {
    const found = stored.get(name);
    if (state === 'deleted') assert.equal(found, undefined, `${name} was deleted, and is there again`);
    else if (state === '1?2') assert.ok(found === '1' || found === '2', `${name} is missing`);
    else if (state !== 'deleted?') assert.equal(found, state, `${name} should be ${state}`);
  }
}
