#!/usr/bin/env node
// Random webhooks and policies, and random requests under them, put to a real kube-apiserver and to ours: the answers must be equal. Every scenario has a
// namespace and configurations of its own; all of one run are made first, because the original takes a moment until it knows them.
//   node test/conformance/random-rules.mjs [--seeds 1-60] [--bundle] [--show]     skipped where there is no kube-apiserver
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { ask } from '../fault/hostile-client.mjs';
import { bin } from '../support/control-plane-programs.mjs';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { scenario } from './random-scenario.mjs';

const { values: options } = parseArgs({ options: { seeds: { type: 'string', default: '1-60' }, bundle: { type: 'boolean' }, show: { type: 'boolean' } } });
const [shared, oracle] = [join(root, '../shared/reference-server'), join(root, '../shared/oracle')];
if (!existsSync(join(bin, 'kube-apiserver')) || !existsSync(oracle)) {
  console.log('SKIPPED: there is no kube-apiserver, or there are no recordings');
  process.exit(0);
}
const [first, last = first] = options.seeds.split('-').map(Number);
/** Until the original's informers and compiled policies have caught up. */
const settleMs = 4000;
/** Until the original names the webhook that ours does. */
const mostTurns = 40;
/** What no two servers have in common. */
const volatile = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'managedFields']);
const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const steady = (value) => (typeof value === 'string' ? value.replace(/127\.0\.0\.1:\d{5}->/g, '').replace(uuid, '<uid>') : value);
const agent = new https.Agent({ keepAlive: true, maxSockets: 32 });
const hookPort = await freePort();
const dir = mkdtempSync(join(tmpdir(), 'binnacle-random-'));
const hook = spawn(process.execPath, [join(oracle, 'webhook-server.mjs'), String(hookPort)], { stdio: 'ignore' });
const port = await freePort();
const up = spawnSync(join(shared, 'up'), [dir, String(port)], { encoding: 'utf8', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
const ours = await startServer({ from: options.bundle ? 'bundle' : 'sources', flags: ['--controllers=namespace,serviceaccount'] });
const servers = [{ url: `https://127.0.0.1:${port}` }, ours];
let differences = 0;
let answers = 0;
try {
  if (up.status !== 0) throw new Error(up.stderr);
  await run();
} finally {
  hook.kill();
  spawnSync(join(shared, 'down'), [dir]);
  rmSync(dir, { recursive: true, force: true });
  await ours.stop();
  agent.destroy();
}
console.log(`${answers - differences} of ${answers} answers equal, seeds ${options.seeds}`);
process.exit(differences === 0 && answers > 0 ? 0 : 1);

async function run() {
  const { body: ca } = await ask({ url: `https://127.0.0.1:${hookPort}` }, { path: '/ca', token: '' });
  const scenarios = Array.from({ length: last - first + 1 }, (_, index) =>
    scenario(first + index, { hookUrl: `https://127.0.0.1:${hookPort}`, caBundle: String(ca).trim() }),
  );
  for (const step of scenarios.flatMap(({ made }) => made)) await compare(step);
  await sleep(settleMs);
  for (const { requests } of scenarios) for (const step of requests) await compare(step);
}

async function compare({ seed, method, path, body, type = 'application/json' }) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = { method, path, agent, headers: { 'content-type': type, ...(text && { 'content-length': Buffer.byteLength(text) }) }, body: text };
  const put = async (server) => comparable(await ask(server, sent));
  const [first, own] = await Promise.all(servers.map(put));
  const theirs = await sameRefuser(first, own, () => put(servers[0]));
  answers += 1;
  if (options.show) console.log(`  ${method} ${path} ${text ?? ''}\n    ${JSON.stringify(theirs)}\n    ${JSON.stringify(own)}`);
  if (isDeepStrictEqual(theirs, own)) return;
  differences += 1;
  console.log(`✘ seed ${seed}: ${method} ${path} ${text ?? ''}\n    theirs ${JSON.stringify(theirs)}\n    ours   ${JSON.stringify(own)}`);
}

/** Validating webhooks are asked at once, and which of two refusals the original tells is chance: it is asked again, since a refused request changes nothing. */
async function sameRefuser(theirs, own, again) {
  const wanted = refuserOf(own);
  let answer = theirs;
  for (let turn = 0; turn < mostTurns && wanted !== undefined && refuserOf(answer) !== undefined && refuserOf(answer) !== wanted; turn++)
    answer = await again();
  return answer;
}

/** The webhook that a refusal names. */
function refuserOf({ code, body }) {
  return code >= 400 ? /webhook ("[^"]*")/.exec(body.message)?.[1] : undefined;
}

/** The original judges policies in the order of a Go map: so come their warnings. */
function comparable({ code, headers, body }) {
  const warnings = (headers.warning ?? '').split(/, (?=299 )/).toSorted();
  return { code, warnings, body: JSON.parse(String(body), (key, value) => (volatile.has(key) ? undefined : steady(value))) };
}
