// What the first 1,000 creates, merge patches, updates and gets of a pod cost the server after a start, beside those of a server that is warm: CPU of its
// process for each, one client, one request at a time. Budget: 2. Its own ratio in one run: how fast the machine is does not matter.
// With --reference: beside the first 1,000 of kube-apiserver and etcd that have just begun with nothing too, ours with its store on disk. Budget: 1/3 of theirs.
//   npx tsx test/bench/cold.ts [--runs N] [--checkout DIR] [--reference DIR --port N]
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import http2 from 'node:http2';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, startServer } from '../support/server-under-test.mjs';
import { cpuOfThreadsMs } from './server-processes.ts';

type Verb = 'create' | 'patch' | 'update' | 'get';
type Ask = (method: string, path: string, body?: object, type?: string) => Promise<KubernetesPod>;

interface KubernetesPod {
  readonly metadata: { labels: Record<string, string> };
}

type Costs = Record<Verb, number>;

const [bar, barOfReference] = [2, 1 / 3];
const verbs: readonly Verb[] = ['create', 'patch', 'update', 'get'];
const namespace = '/api/v1/namespaces/default';
const pods = `${namespace}/pods`;
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, checkout: { type: 'string' }, reference: { type: 'string' }, port: { type: 'string', default: '7730' } },
});

const all: { readonly cold: Costs; readonly warm: Costs; readonly reference?: Costs }[] = [];
for (let run = 0; run < Number(values.runs); run++) {
  const result = { ...(await ownCosts()), ...(values.reference !== undefined && { reference: await referenceCosts(values.reference) }) };
  const shown = Object.entries(result).map(([what, costs]) => `${what} ${verbs.map((verb) => `${verb} ${costs[verb].toFixed(2)}`).join(', ')}`);
  console.log(`${shown.join('; ')} (ms)`);
  all.push(result);
}
for (const verb of verbs) {
  judge(
    verb,
    'a warm one',
    bar,
    all.map(({ cold, warm }) => cold[verb] / warm[verb]),
  );
  if (values.reference !== undefined)
    judge(
      verb,
      'a first one of the reference',
      barOfReference,
      all.map(({ cold, reference }) => cold[verb] / (reference?.[verb] ?? 0)),
    );
}

function judge(verb: Verb, what: string, most: number, ratios: readonly number[]): void {
  const ratio = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? Number.NaN;
  console.log(`${verb.padEnd(7)} ${ratio.toFixed(2)} of ${what} (bar ${most.toFixed(2)}) ${ratio <= most ? 'kept' : 'MISSED'}`);
}

async function ownCosts(): Promise<Record<'cold' | 'warm', Costs>> {
  const flags = [`--memory=${values.reference === undefined}`, '--controllers=serviceaccount-controller'];
  const server = await startServer({ from: 'bundle', flags, everyMs: 2, checkout: values.checkout });
  const session = http2.connect(server.url, { rejectUnauthorized: false });
  const ask: Ask = (method, path, body, type) => request(session, method, path, body, type);
  // Pods need it, and a controller makes it.
  while (!(await ask('GET', `${namespace}/serviceaccounts/default`).catch(() => undefined))) await new Promise(setImmediate);
  const block = (from: number, count: number) => costs(ask, [server.child.pid ?? 0], from, count);
  const cold = await block(0, 1000);
  await block(1000, 2000);
  const warm = await block(3000, 1000);
  session.destroy();
  await server.stop();
  return { cold, warm };
}

/** Nobody runs controllers beside it. */
async function referenceCosts(dir: string): Promise<Costs> {
  const program = (name: string) => join(root, '../shared/reference-server', name);
  spawnSync(program('down'), [dir]);
  rmSync(join(dir, 'etcd'), { recursive: true, force: true });
  const { status } = spawnSync(program('up'), [dir, values.port], { stdio: 'ignore' });
  if (status !== 0) throw new Error(`the reference server in ${dir} does not start`);
  const session = http2.connect(`https://127.0.0.1:${values.port}`, { rejectUnauthorized: false });
  const ask: Ask = (method, path, body, type) => request(session, method, path, body, type);
  await ask('POST', `${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
  const cost = await costs(ask, readFileSync(join(dir, 'pids'), 'utf8').trim().split('\n').map(Number), 0, 1000);
  session.destroy();
  spawnSync(program('down'), [dir]);
  return cost;
}

async function costs(ask: Ask, pids: readonly number[], from: number, count: number): Promise<Costs> {
  const cost = { create: 0, patch: 0, update: 0, get: 0 };
  for (const verb of verbs) {
    const objects = verb === 'update' ? await inOrder(from, count, (at) => ask('GET', `${pods}/pod-${at}`)) : [];
    const before = cpuOfThreadsMs(pids);
    await inOrder(from, count, (at) => use(ask, verb, at, objects[at - from]));
    cost[verb] = (cpuOfThreadsMs(pids) - before) / count;
  }
  return cost;
}

async function inOrder<T>(from: number, count: number, act: (at: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let at = from; at < from + count; at++) results.push(await act(at));
  return results;
}

function use(ask: Ask, verb: Verb, at: number, object: KubernetesPod | undefined): Promise<KubernetesPod> {
  const path = `${pods}/pod-${at}`;
  if (verb === 'create') return ask('POST', pods, podNamed(`pod-${at}`));
  if (verb === 'patch') return ask('PATCH', path, { metadata: { annotations: { patched: `${at}` } } }, 'application/merge-patch+json');
  if (verb === 'get' || object === undefined) return ask('GET', path);
  object.metadata.labels['updated'] = `${at}`;
  return ask('PUT', path, object);
}

function podNamed(name: string): object {
  const container = { name: 'app', image: 'registry.example/app:1', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '100m', memory: '64Mi' } } };
  const spec = { serviceAccountName: 'default', automountServiceAccountToken: false, containers: [container] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: 'cold' } }, spec };
}

function request(session: http2.ClientHttp2Session, method: string, path: string, body?: object, type = 'application/json'): Promise<KubernetesPod> {
  return new Promise((resolve, reject) => {
    const headers = { ':method': method, ':path': path, authorization: 'Bearer admin-token', accept: 'application/json', 'content-type': type };
    const stream = session.request(headers, { endStream: body === undefined });
    const pieces: Buffer[] = [];
    let status = 0;
    stream.on('response', (head) => (status = head[':status'] ?? 0)).on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('error', reject).on('end', () => {
      const text = Buffer.concat(pieces).toString();
      if (status < 400) resolve(JSON.parse(text) as KubernetesPod);
      else reject(new Error(`${method} ${path}: ${status} ${text}`));
    });
    if (body !== undefined) stream.end(JSON.stringify(body));
  });
}
