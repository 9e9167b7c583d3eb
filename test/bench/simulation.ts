// A large cluster played over the wire, and whether the server keeps the SLOs of Kubernetes under it: nodes that renew their Leases and tell
// their status, a watch by node for each as a kubelet has it, pods that come and go, and now and then a list of everything.
//   npm run build && npx tsx test/bench/simulation.ts [--nodes 5000] [--pods 150000] [--churn 50] [--seconds 120] [--data-dir DIR]
// Prints the times of each kind of request against https://github.com/kubernetes/community/tree/master/sig-scalability/slos, how long after the
// request of a pod its node hears of it, and what the server takes. A data directory is kept: loading 150,000 pods takes minutes.
import { parseArgs } from 'node:util';
import { accepts, benchPod, concurrently, nextSerial, percentile, pods } from './reading.ts';
import { cpuMs, memoryOf } from './server-processes.ts';
import { SimulatedNodes } from './simulated-nodes.ts';
import { type Ask, Target } from './target.ts';
import { prepare } from './cells.ts';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '5000' },
    pods: { type: 'string', default: '150000' },
    churn: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '120' },
    'data-dir': { type: 'string' },
  },
});
const [nodes, podCount, churn, seconds] = [options.nodes, options.pods, options.churn, options.seconds].map(Number) as [number, number, number, number];

/** As kubelets have it by default. */
const [leaseSeconds, statusSeconds, listSeconds] = [10, 300, 20];
/** What the SLOs allow at the 99th percentile. */
const [mostSingleMs, mostListMs] = [1000, 30_000];
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

interface Lease {
  readonly spec: { renewTime: string };
}

const held = new Map<string, Lease>();
const times = new Map<string, number[]>();

await main();

async function main(): Promise<void> {
  await using target = await Target.startBinnacle(options['data-dir']);
  const loading = performance.now();
  await prepare(target, podCount, Math.ceil(podCount / nodes));
  await concurrently(32, nodes, (i) => register(target, `node-${i}`));
  console.log(
    `${nodes} nodes and ${podCount} pods after ${((performance.now() - loading) / 1000).toFixed(0)} s, ${memoryOf(target.pids).anonymousMb.toFixed(0)} MB`,
  );
  // V8 compiles as it goes, and a server of this size lives for days: what is measured begins behind the first renewal of each node.
  await concurrently(16, nodes, (i) => renew(target, `node-${i}`));
  times.clear();
  using watching = await SimulatedNodes.watch(target, nodes);
  console.log(`${nodes} watches by node, ${memoryOf(target.pids).anonymousMb.toFixed(0)} MB`);
  const [cpu, began] = [cpuMs(target.pids), performance.now()];
  await Promise.all([
    paced(nodes / leaseSeconds, (i) => renew(target, `node-${i % nodes}`)),
    paced(nodes / statusSeconds, (i) => tellStatus(target, `node-${i % nodes}`)),
    paced(churn, (i) => comeAndGo(target, watching, i % nodes)),
    paced(1 / listSeconds, () => listEverything(target)),
  ]);
  const elapsed = performance.now() - began;
  await watching.settled();
  report(target, watching, (cpuMs(target.pids) - cpu) / elapsed);
}

async function register(target: Target, name: string): Promise<void> {
  for (const [path, body] of [
    ['/api/v1/nodes', { metadata: { name, labels: { 'kubernetes.io/hostname': name } } }],
    [leases, { metadata: { name }, spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() } }],
  ] as const) {
    const { code, body: answer } = await target.ask({ method: 'POST', path, body });
    if (code !== 201 && code !== 409) throw new Error(`${path}: ${code} ${answer.toString().slice(0, 300)}`);
  }
}

/** So many a second, begun whether or not those before are answered, as independent clients do. */
async function paced(perSecond: number, one: (i: number) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  const began = performance.now();
  await new Promise<void>((resolve) => {
    let begun = 0;
    const timer = setInterval(() => {
      const elapsed = (performance.now() - began) / 1000;
      for (; begun < Math.min(elapsed, seconds) * perSecond; begun++) {
        const operation = one(begun).finally(() => running.delete(operation));
        running.add(operation);
      }
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, 20);
  });
  await Promise.all(running);
}

/** As the kubelet does: it holds the lease that it was answered last. */
async function renew(target: Target, name: string): Promise<void> {
  const path = `${leases}/${name}`;
  const lease = held.get(name) ?? leaseIn((await target.expect(200, { path })).body);
  lease.spec.renewTime = microTime();
  held.set(name, leaseIn(await measured(target, 'PUT lease', { method: 'PUT', path, body: lease })));
}

function leaseIn(body: Buffer): Lease {
  return JSON.parse(body.toString()) as Lease;
}

async function tellStatus(target: Target, name: string): Promise<void> {
  const now = new Date().toISOString();
  const body = { status: { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: now, lastTransitionTime: now }] } };
  const headers = { 'content-type': 'application/strategic-merge-patch+json' };
  await measured(target, 'PATCH node status', { method: 'PATCH', path: `/api/v1/nodes/${name}/status`, body, headers });
}

async function comeAndGo(target: Target, watching: SimulatedNodes, node: number): Promise<void> {
  const name = `churn-${nextSerial()}`;
  watching.expect(name);
  await measured(target, 'POST pod', { method: 'POST', path: pods, body: benchPod(name, `node-${node}`) });
  await measured(target, 'GET pod', { path: `${pods}/${name}` });
  await measured(target, 'DELETE pod', { method: 'DELETE', path: `${pods}/${name}?gracePeriodSeconds=0` });
}

async function listEverything(target: Target): Promise<void> {
  await measured(target, 'LIST pods of the cluster', { path: '/api/v1/pods', headers: accepts.protobuf, discard: true });
  await measured(target, 'LIST nodes', { path: '/api/v1/nodes', headers: accepts.protobuf, discard: true });
}

async function measured(target: Target, kind: string, ask: Ask): Promise<Buffer> {
  const { code, body, wholeMs } = await target.ask(ask);
  if (code >= 300) throw new Error(`${kind}: ${code} ${body.toString().slice(0, 300)}`);
  const known = times.get(kind);
  if (known === undefined) times.set(kind, [wholeMs]);
  else known.push(wholeMs);
  return body;
}

function report(target: Target, watching: SimulatedNodes, cores: number): void {
  for (const [kind, taken] of times) {
    const most = kind.startsWith('LIST') ? mostListMs : mostSingleMs;
    const p99 = percentile(taken, 0.99);
    if (p99 > most) process.exitCode = 1;
    console.log(`${kind.padEnd(26)}${count(taken.length)} p50 ${ms(percentile(taken, 0.5))} p99 ${ms(p99)}  ≤ ${most} ms ${p99 <= most ? 'kept' : 'MISSED'}`);
  }
  const { lags } = watching;
  console.log(
    `event lag, POST to its node  ${count(lags.length)} p50 ${ms(percentile(lags, 0.5))} p99 ${ms(percentile(lags, 0.99))} max ${ms(Math.max(...lags))}`,
  );
  const { anonymousMb, wholeMb } = memoryOf(target.pids);
  console.log(`${cores.toFixed(2)} cores, ${anonymousMb.toFixed(0)} MB of anonymous memory, ${wholeMb.toFixed(0)} MB RSS`);
}

function count(value: number): string {
  return `${value} times`.padStart(14);
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`.padStart(11);
}

function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}
