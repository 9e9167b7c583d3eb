// What admission costs: creates on a server with the default plugins beside creates on one without any, in turns, in one run. Both are
// the bundle with its store on disk; a LimitRange and a ResourceQuota in every namespace. CPU of the server processes per create. Whatever
// else the machine does makes both dearer for a while: the loudest quarter of all pairs of turns does not count. A turn is long enough for
// several collections of garbage: they are part of the cost.
//   npx tsx test/bench/admission.ts [namespaces, default 10,100,1000] [pairs of turns, default 20] [creates per turn, default 400]
import { concurrently } from './reading.ts';
import { cpuOfThreadsMs } from './server-processes.ts';
import { Target } from './target.ts';

const [counts = '10,100,1000', pairs = '20', perTurn = '400'] = process.argv.slice(2);
const writers = 16;
/** V8 needs so many creates of a kind to be as fast as it gets; and every quota has been charged before. */
const warmUp = 2500;

const plugins =
  'NamespaceLifecycle,LimitRanger,ServiceAccount,TaintNodesByCondition,PodSecurity,Priority,DefaultTolerationSeconds,DefaultStorageClass,StorageObjectInUseProtection,' +
  'PodGroupProtection,PersistentVolumeClaimResize,RuntimeClass,CertificateApproval,CertificateSigning,ClusterTrustBundleAttest,CertificateSubjectRestriction,' +
  'DefaultIngressClass,PodTopologyLabels,PodGroupWorkloadExists,NodeDeclaredFeatureValidator,JobValidation,PodResizeValidator,ResourceQuota';

interface Kind {
  readonly name: string;
  readonly resource: string;
  readonly make: (name: string) => object;
  /** How much more a create may cost. */
  readonly bar: number | undefined;
}

const kinds: readonly Kind[] = [
  { name: 'ConfigMap', resource: 'configmaps', make: configMap, bar: 0.15 },
  { name: 'Pod', resource: 'pods', make: pod, bar: 0.3 },
  { name: 'bare Pod', resource: 'pods', make: barePod, bar: undefined },
];

let serial = 0;
await using admitted = await Target.startBinnacle();
await using plain = await Target.startBinnacle(undefined, [`--disable-admission-plugins=${plugins}`]);
const namespaces: string[] = [];
const prepared = new Set<string>();
const warm = new Set<Kind>();
for (const count of counts.split(',').map(Number)) {
  while (namespaces.length < count) namespaces.push(`n${namespaces.length}`);
  const missing = namespaces.slice(namespaces.findIndex((name) => !prepared.has(name)));
  for (const target of [admitted, plain]) await concurrently(writers, missing.length, (i) => prepare(target, missing[i] ?? ''));
  for (const name of missing) prepared.add(name);
  for (const kind of kinds) await compare(kind);
}

async function compare(kind: Kind): Promise<void> {
  const first = !warm.has(kind);
  warm.add(kind);
  for (const target of [plain, admitted]) await cpuPerCreate(target, kind, Math.max(first ? warmUp : 500, 2 * namespaces.length));
  const readings: Reading[] = [];
  for (let pair = 0; pair < Number(pairs); pair++) readings.push(await readPair(kind, pair % 2 === 0));
  report(kind, readings);
}

interface Reading {
  readonly without: number;
  readonly withPlugins: number;
}

/** Whoever is first in one pair is second in the next. */
async function readPair(kind: Kind, plainFirst: boolean): Promise<Reading> {
  const first = await cpuPerCreate(plainFirst ? plain : admitted, kind, Number(perTurn));
  const second = await cpuPerCreate(plainFirst ? admitted : plain, kind, Number(perTurn));
  return plainFirst ? { without: first, withPlugins: second } : { without: second, withPlugins: first };
}

function report({ name, bar }: Kind, readings: readonly Reading[]): void {
  const quiet = quieter(readings);
  const [low, high] = [mean(quiet.map(({ without }) => without)), mean(quiet.map(({ withPlugins }) => withPlugins))];
  const more = high / low - 1;
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const verdict = bar === undefined ? '' : ` (bar ${percent(bar)}) ${more <= bar ? 'ok' : 'MISSED'}`;
  console.log(
    `${String(namespaces.length).padStart(5)} namespaces, ${name.padEnd(9)}: ${low.toFixed(0)} µs without plugins, ${high.toFixed(0)} µs with: ` +
      `${percent(more)} more, ± ${percent(uncertainty(quiet, high / low))}${verdict}`,
  );
}

/** Both turns of a pair count, or none. */
function quieter(readings: readonly Reading[]): readonly Reading[] {
  const loudness = ({ without, withPlugins }: Reading) => without + withPlugins;
  return readings.toSorted((a, b) => loudness(a) - loudness(b)).slice(0, readings.length - (readings.length >> 2));
}

/** Twice the standard error of the ratio. */
function uncertainty(readings: readonly Reading[], ratio: number): number {
  const misses = readings.map(({ without, withPlugins }) => (withPlugins - ratio * without) ** 2);
  return (2 * Math.sqrt(mean(misses) / readings.length)) / mean(readings.map(({ without }) => without));
}

async function cpuPerCreate(target: Target, { resource, make }: Kind, creates: number): Promise<number> {
  const before = cpuOfThreadsMs(target.pids);
  await concurrently(writers, creates, async () => {
    const index = serial++;
    await target.expect(201, { method: 'POST', path: `/api/v1/namespaces/${namespaces[index % namespaces.length]}/${resource}`, body: make(`o${index}`) });
  });
  return ((cpuOfThreadsMs(target.pids) - before) * 1000) / creates;
}

async function prepare(target: Target, namespace: string): Promise<void> {
  const post = (path: string, body: object) => target.expect(201, { method: 'POST', path, body });
  const inside = `/api/v1/namespaces/${namespace}`;
  await post('/api/v1/namespaces', { metadata: { name: namespace } });
  const limits = [{ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m', memory: '100Mi' } }];
  await post(`${inside}/limitranges`, { metadata: { name: 'l' }, spec: { limits } });
  await post(`${inside}/resourcequotas`, {
    metadata: { name: 'q' },
    spec: { hard: { pods: '1000000', 'requests.cpu': '1000000', 'limits.memory': '1000000Gi' } },
  });
  while (!(await isCounted(target, `${inside}/resourcequotas/q`))) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function isCounted(target: Target, path: string): Promise<boolean> {
  const { status } = JSON.parse((await target.expect(200, { path })).body.toString()) as { status?: { used?: object } };
  return status?.used !== undefined;
}

function configMap(name: string): object {
  return { metadata: { name }, data: { a: '1', b: '2' } };
}

/** Says itself what the plugins would add, so that both servers store objects of much the same size. */
function pod(name: string): object {
  const resources = { requests: { cpu: '100m', memory: '100Mi' }, limits: { cpu: '1', memory: '1Gi' } };
  return {
    metadata: { name, labels: { app: 'web' } },
    spec: {
      automountServiceAccountToken: false,
      serviceAccountName: 'default',
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      tolerations: ['not-ready', 'unreachable'].map((why) => ({
        key: `node.kubernetes.io/${why}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      containers: [{ name: 'c', image: 'registry.example/web:1', resources, ports: [{ containerPort: 80 }] }],
    },
  };
}

/** Leaves to the plugins what they add: also counts what a larger object costs. */
function barePod(name: string): object {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'registry.example/web:1' }] } };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
