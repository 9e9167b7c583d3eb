// What the first 1,000 creates, merge patches, updates and gets of a pod cost the server after a start, beside those of a server that is warm: CPU of its
// process for each, one client, one request at a time. Budget: 2. Its own ratio in one run: how fast the machine is does not matter.
//   npx tsx test/bench/cold.ts [--runs N] [--checkout DIR]
import http2 from 'node:http2';
import { parseArgs } from 'node:util';
import { startServer } from '../support/server-under-test.mjs';
import { cpuOfThreadsMs } from './server-processes.ts';

type Verb = 'create' | 'patch' | 'update' | 'get';
type Ask = (method: string, path: string, body?: object, type?: string) => Promise<KubernetesPod>;

interface KubernetesPod {
  readonly metadata: { labels: Record<string, string> };
}

const bar = 2;
const verbs: readonly Verb[] = ['create', 'patch', 'update', 'get'];
const pods = '/api/v1/namespaces/default/pods';
const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' }, checkout: { type: 'string' } } });

const ratios: Record<Verb, number[]> = { create: [], patch: [], update: [], get: [] };
for (let run = 0; run < Number(values.runs); run++) {
  const { cold, warm } = await measured();
  for (const verb of verbs) ratios[verb].push(cold[verb] / warm[verb]);
  console.log(verbs.map((verb) => `${verb} ${cold[verb].toFixed(2)} cold, ${warm[verb].toFixed(2)} warm`).join('; '), '(ms)');
}
for (const verb of verbs) {
  const ratio = ratios[verb].toSorted((one, other) => one - other)[Math.floor(ratios[verb].length / 2)] ?? Number.NaN;
  console.log(`${verb.padEnd(7)} ${ratio.toFixed(2)} of a warm one (bar ${bar}) ${ratio <= bar ? 'kept' : 'MISSED'}`);
}

async function measured(): Promise<Record<'cold' | 'warm', Record<Verb, number>>> {
  const server = await startServer({ from: 'bundle', flags: ['--memory', '--controllers=serviceaccount-controller'], everyMs: 2, checkout: values.checkout });
  const session = http2.connect(server.url, { rejectUnauthorized: false });
  const ask: Ask = (method, path, body, type) => request(session, method, path, body, type);
  // Pods need it, and a controller makes it.
  while (!(await ask('GET', '/api/v1/namespaces/default/serviceaccounts/default').catch(() => undefined))) await new Promise(setImmediate);
  const block = (from: number, count: number) => costs(ask, server.child.pid ?? 0, from, count);
  const cold = await block(0, 1000);
  await block(1000, 2000);
  const warm = await block(3000, 1000);
  session.destroy();
  await server.stop();
  return { cold, warm };
}

async function costs(ask: Ask, pid: number, from: number, count: number): Promise<Record<Verb, number>> {
  const cost = { create: 0, patch: 0, update: 0, get: 0 };
  for (const verb of verbs) {
    const objects = verb === 'update' ? await inOrder(from, count, (at) => ask('GET', `${pods}/pod-${at}`)) : [];
    const before = cpuOfThreadsMs([pid]);
    await inOrder(from, count, (at) => use(ask, verb, at, objects[at - from]));
    cost[verb] = (cpuOfThreadsMs([pid]) - before) / count;
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
