// What a request costs the server when objects are in an etcd: ours and kube-apiserver on one etcd, in one run. CPU of the server alone.
//   npm run build && npx tsx test/bench/etcd.mjs [--requests 3000]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectTo } from '../conformance/several-servers/clients.mjs';
import { cpuMs } from './server-processes.ts';
import { freePort, root, startServer } from '../support/server-under-test.mjs';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '3000' } } });
const requests = Number(values.requests);
const clients = 16;
const bars = { create: 1 / 3, update: 1 / 3 };
const path = '/api/v1/namespaces/default/configmaps';
const data = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, `${'value '.repeat(8)}${i}`]));

const dir = mkdtempSync(join(tmpdir(), 'binnacle-bench-etcd-'));
const reference = join(root, '../shared/reference-server');
const port = await freePort();
execFileSync(join(reference, 'up'), [dir, String(port)], { stdio: 'ignore' });
try {
  const [, kubeApiserver] = readFileSync(join(dir, 'pids'), 'utf8').trim().split('\n').map(Number);
  const ours = await startServer({ from: 'bundle', flags: ['--memory=false', `--etcd-servers=http://127.0.0.1:${port + 1}`, '--controllers='] });
  const servers = [
    { name: 'kube-apiserver', pid: kubeApiserver, client: connectTo(`https://127.0.0.1:${port}`) },
    { name: 'binnacle', pid: ours.child.pid, client: connectTo(ours.url) },
  ];
  const [theirs, own] = await measured(servers);
  for (const what of Object.keys(own)) {
    const ratio = own[what] / theirs[what];
    const bar = bars[what] === undefined ? '' : `  ≤ ${bars[what].toFixed(3)}  ${ratio <= bars[what] ? 'kept' : 'MISSED'}`;
    console.log(`${what.padEnd(8)} ${theirs[what].toFixed(0).padStart(7)} → ${own[what].toFixed(0).padStart(7)} µs  ${ratio.toFixed(3)}${bar}`);
  }
  for (const { client } of servers) client.close();
  await ours.stop();
} finally {
  execFileSync(join(reference, 'down'), [dir], { stdio: 'ignore' });
  rmSync(dir, { recursive: true, force: true });
}

/** Once to warm up, then for the reading. */
async function measured(servers) {
  let readings = [];
  for (const round of ['warm', 'read']) {
    readings = [];
    for (const server of servers) readings.push(await costs(server, round));
  }
  return readings;
}

async function costs({ name, pid, client }, round) {
  const objectPath = (k) => `${path}/${name}-${round}-${k}`;
  const made = [];
  const phases = {
    create: async (k) => {
      made[k] = (await expecting(201, client.create(path, { metadata: { name: `${name}-${round}-${k}` }, data }))).object;
    },
    update: (k) => expecting(200, client.update(objectPath(k), { ...made[k], data: { ...data, a: 'b' } })),
    get: (k) => expecting(200, client.get(objectPath(k))),
    delete: (k) => expecting(200, client.send('DELETE', objectPath(k))),
  };
  const found = {};
  for (const [what, work] of Object.entries(phases)) {
    const before = cpuMs([pid]);
    await concurrently(requests, work);
    found[what] = ((cpuMs([pid]) - before) * 1000) / requests;
  }
  return found;
}

async function expecting(code, asking) {
  const answer = await asking;
  if (answer.code !== code) throw new Error(`${answer.code}: ${JSON.stringify(answer.object)}`);
  return answer;
}

async function concurrently(times, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < times) await work(next++);
    }),
  );
}
