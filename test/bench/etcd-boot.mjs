// From spawn to /readyz, and to the first list of all pods, with very many pods in an etcd: ours and kube-apiserver on the same etcd, in one run.
//   npm run build && npx tsx test/bench/etcd-boot.mjs [--pods 20000] [--runs 3]
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connectTo } from '../conformance/several-servers/clients.mjs';
import { freePort, root, startServer, untilReady } from '../support/server-under-test.mjs';
import { openEtcdStore } from '../../src/store/etcd/open-etcd-store.ts';
import { benchPod, concurrently, namespace, pods as podsPath } from './reading.ts';
import { cpuMs } from './server-processes.ts';

const { values } = parseArgs({ options: { pods: { type: 'string', default: '20000' }, runs: { type: 'string', default: '3' } } });
const runs = Number(values.runs);
const bar = 1 / 4;
const first = 'pod-000000';

const dir = mkdtempSync(join(tmpdir(), 'binnacle-bench-etcd-'));
const reference = join(root, '../shared/reference-server');
const port = await freePort();
const etcd = `http://127.0.0.1:${port + 1}`;
execFileSync(join(reference, 'up'), [dir, String(port)], { stdio: 'ignore', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
let theirs;
try {
  const pid = Number(readFileSync(join(dir, 'pids'), 'utf8').trim().split('\n')[1]);
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  await fill(Number(values.pods));
  process.kill(pid, 'SIGTERM');
  while (existsSync(`/proc/${pid}`)) await new Promise((resolve) => setTimeout(resolve, 50));
  const found = { 'kube-apiserver': [], binnacle: [] };
  for (let i = 0; i < runs; i++) {
    found['kube-apiserver'].push(await theirBoot(command));
    found.binnacle.push(await ourBoot());
  }
  for (const what of Object.keys(found.binnacle[0])) {
    const [their, our] = [median(found['kube-apiserver'], what), median(found.binnacle, what)];
    console.log(
      `${what.padEnd(24)} ${their.toFixed(0).padStart(7)} → ${our.toFixed(0).padStart(7)} ms  ${(our / their).toFixed(3)}  ≤ ${bar}  ${our / their <= bar ? 'kept' : 'MISSED'}`,
    );
  }
} finally {
  theirs?.kill('SIGKILL');
  execFileSync(join(reference, 'down'), [dir], { stdio: 'ignore' });
  rmSync(dir, { recursive: true, force: true });
}

/** Copies of one pod that kube-apiserver has stored, with names and uids of the same length. */
async function fill(pods) {
  const client = connectTo(`https://127.0.0.1:${port}`);
  // Without a service account kube-apiserver takes no pods.
  await client.create('/api/v1/namespaces', { metadata: { name: namespace } });
  await client.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'web' } });
  const { code, object } = await client.create(podsPath, benchPod(first, 'node-1'));
  if (code !== 201) throw new Error(`${code}: ${JSON.stringify(object)}`);
  client.close();
  // The connections of a store keep no process alive.
  const alive = setInterval(() => undefined, 1_000);
  const store = await openEtcdStore({ endpoints: [etcd], root: '/registry/', prefix: '/registry/', leaseReuseSeconds: 60 });
  const key = (name) => `/registry/pods/${namespace}/${name}`;
  const text = Buffer.from((await store.get(key(first))).value).toString('latin1');
  const { uid } = object.metadata;
  await concurrently(64, pods - 1, async (i) => {
    const digits = String(i + 1).padStart(6, '0');
    const copy = text.replaceAll(first, `pod-${digits}`).replaceAll(uid, uid.slice(0, -6) + digits);
    await store.compareAndSet(key(`pod-${digits}`), 0, Buffer.from(copy, 'latin1'));
  });
  await store.close();
  clearInterval(alive);
}

async function theirBoot([program, ...flags]) {
  const start = performance.now();
  theirs = spawn(program, flags, { stdio: 'ignore' });
  // With very many pods it takes longer than any server of a test.
  await untilReady(port, theirs, { everyMs: 20, seconds: 180 });
  const reading = await readingOf(theirs.pid, `https://127.0.0.1:${port}`, start);
  theirs.kill('SIGTERM');
  await once(theirs, 'exit');
  return reading;
}

async function ourBoot() {
  const start = performance.now();
  const ours = await startServer({ from: 'bundle', everyMs: 20, flags: ['--memory=false', `--etcd-servers=${etcd}`, '--controllers=', '--v=0'] });
  const reading = await readingOf(ours.child.pid, ours.url, start);
  await ours.stop();
  return reading;
}

async function readingOf(pid, url, start) {
  const ready = { ready: performance.now() - start, 'ready, CPU': cpuMs([pid]) };
  const client = connectTo(url);
  const { code, object } = await client.get('/api/v1/pods?resourceVersion=0&fieldSelector=spec.nodeName%3Dnode-2');
  if (code !== 200) throw new Error(`${code}: ${JSON.stringify(object)}`);
  client.close();
  return { ...ready, 'first list': performance.now() - start, 'first list, CPU': cpuMs([pid]) };
}

function median(readings, what) {
  return readings.map((reading) => reading[what]).toSorted((one, other) => one - other)[Math.floor(readings.length / 2)];
}
