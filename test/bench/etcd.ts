// What a request costs the server when objects are in an etcd: ours and kube-apiserver on one etcd, and ours with its embedded store, in one run.
// CPU of the server processes alone, with 16 requests under way: over one HTTP/2 connection, as clients in Go ask, and over 16 connections of HTTP/1.1.
//   npm run build && npx tsx test/bench/etcd.ts [--requests 3000] [--rounds 3]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, root } from '../support/server-under-test.mjs';
import { concurrently } from './reading.ts';
import { cpuMs } from './server-processes.ts';
import { type Answer, type Ask, Target } from './target.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '3000' }, rounds: { type: 'string', default: '3' } } });
const [requests, rounds] = [Number(values.requests), Number(values.rounds)];
const clients = 16;
const path = '/api/v1/namespaces/default/configmaps';
const data = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, `${'value '.repeat(8)}${i}`]));

const operations = ['create', 'update', 'get', 'list', 'delete'] as const;
type Operation = (typeof operations)[number];
type Costs = Record<Operation, number>;

/** Of kube-apiserver's CPU. */
const bars: Partial<Costs> = { create: 1 / 3, update: 1 / 3 };
/** Of what ours takes with its embedded store. */
const embeddedBars: Partial<Costs> = { get: 1.1, list: 1.1 };

type AskOver = (target: Target, ask: Ask) => Promise<Answer>;

interface Server {
  readonly name: string;
  readonly target: Target;
  /** Without the etcd behind it. */
  readonly pid: number;
}

const protocols: Readonly<Record<string, AskOver>> = {
  'HTTP/2, one connection': (target: Target, ask: Ask) => target.askOverHttp2(ask),
  'HTTP/1.1, a connection for each': (target: Target, ask: Ask) => target.askOverHttp1(ask),
};

const dir = mkdtempSync(join(tmpdir(), 'binnacle-bench-etcd-'));
const reference = join(root, '../shared/reference-server');
const port = await freePort();
execFileSync(join(reference, 'up'), [dir, String(port)], { stdio: 'ignore' });
try {
  await using theirs = Target.running(join(dir, 'kubeconfig'));
  await using ours = await Target.startBinnacle(undefined, [`--etcd-servers=http://127.0.0.1:${port + 1}`]);
  await using embedded = await Target.startBinnacle();
  const servers = [
    { name: 'kube-apiserver', target: theirs, pid: theirs.pids[1] ?? 0 },
    { name: 'etcd', target: ours, pid: ours.pids[0] ?? 0 },
    { name: 'embedded', target: embedded, pid: embedded.pids[0] ?? 0 },
  ];
  for (const [protocol, ask] of Object.entries(protocols)) {
    console.log(protocol);
    report(await measured(servers, ask));
  }
} finally {
  execFileSync(join(reference, 'down'), [dir], { stdio: 'ignore' });
  rmSync(dir, { recursive: true, force: true });
}

/** Once to warm up, then in turns; medians. */
async function measured(servers: readonly Server[], ask: AskOver): Promise<ReadonlyMap<string, Costs>> {
  const readings = new Map<string, Costs[]>(servers.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const server of servers) {
      const costs = await costsOf(server, ask, `${server.name}-${Date.now().toString(36)}`);
      if (round > 0) readings.get(server.name)?.push(costs);
    }
  }
  return new Map([...readings].map(([name, all]) => [name, medians(all)]));
}

function report(found: ReadonlyMap<string, Costs>): void {
  const [theirs, own, embedded] = ['kube-apiserver', 'etcd', 'embedded'].map((name) => found.get(name) as Costs) as [Costs, Costs, Costs];
  for (const what of operations) {
    const numbers = [theirs, own, embedded].map((costs) => costs[what].toFixed(0).padStart(7));
    const judged = [verdict('of kube-apiserver', own[what] / theirs[what], bars[what]), verdict('of embedded', own[what] / embedded[what], embeddedBars[what])];
    console.log(`  ${what.padEnd(8)} kube-apiserver ${numbers[0]}, etcd ${numbers[1]}, embedded ${numbers[2]} µs; ${judged.join('; ')}`);
  }
}

function verdict(beside: string, ratio: number, bar: number | undefined): string {
  return `${ratio.toFixed(3)} ${beside}${bar === undefined ? '' : ` ≤ ${bar.toFixed(3)} ${ratio <= bar ? 'kept' : 'MISSED'}`}`;
}

async function costsOf({ target, pid }: Server, ask: AskOver, prefix: string): Promise<Costs> {
  const made: object[] = [];
  const expecting = async (code: number, request: Ask) => {
    const answer = await ask(target, request);
    if (answer.code !== code) throw new Error(`${request.method ?? 'GET'} ${request.path}: ${answer.code} ${answer.body.toString().slice(0, 500)}`);
    return answer;
  };
  const one = (k: number) => `${path}/${prefix}-${k}`;
  const phases: Record<Operation, (k: number) => Promise<unknown>> = {
    create: async (k) => {
      const { body } = await expecting(201, { method: 'POST', path, body: { metadata: { name: `${prefix}-${k}` }, data } });
      made[k] = JSON.parse(body.toString()) as object;
    },
    update: (k) => expecting(200, { method: 'PUT', path: one(k), body: { ...made[k], data: { ...data, a: 'b' } } }),
    get: (k) => expecting(200, { path: one(k) }),
    list: (k) => (k % 20 === 0 ? expecting(200, { path: `${path}?limit=500`, discard: true }) : Promise.resolve()),
    delete: (k) => expecting(200, { method: 'DELETE', path: one(k) }),
  };
  const found: Costs = { create: 0, update: 0, get: 0, list: 0, delete: 0 };
  for (const what of operations) {
    const before = cpuMs([pid]);
    await concurrently(clients, requests, phases[what]);
    found[what] = ((cpuMs([pid]) - before) * 1000) / (what === 'list' ? requests / 20 : requests);
  }
  return found;
}

function medians(all: readonly Costs[]): Costs {
  const middle = (what: Operation) => all.map((costs) => costs[what]).toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
  return { create: middle('create'), update: middle('update'), get: middle('get'), list: middle('list'), delete: middle('delete') };
}
