// What admission costs: creates with the default plugins beside creates without any, in one run, as CPU time.
//   npx tsx test/bench/admission.ts [creates per round] [namespaces] [flags of the server with plugins]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptions } from '../../src/app/options.ts';
import { type RunningServer, runServer } from '../../src/app/run-server.ts';
import { silentLog } from '../../src/base/log.ts';
import type { ResourceAddress } from '../../src/client/rest-client.ts';

const creates = Number(process.argv[2] ?? 2000);
const namespaceCount = Number(process.argv[3] ?? 100);
const rounds = 5;
const parallel = 16;
const core = (resource: string, namespaced = true): ResourceAddress => ({ group: '', version: 'v1', resource, namespaced });

const plugins =
  'NamespaceLifecycle,LimitRanger,ServiceAccount,TaintNodesByCondition,PodSecurity,Priority,DefaultTolerationSeconds,DefaultStorageClass,StorageObjectInUseProtection,' +
  'PodGroupProtection,PersistentVolumeClaimResize,RuntimeClass,CertificateApproval,CertificateSigning,ClusterTrustBundleAttest,CertificateSubjectRestriction,' +
  'DefaultIngressClass,PodTopologyLabels,PodGroupWorkloadExists,NodeDeclaredFeatureValidator,JobValidation,PodResizeValidator,ResourceQuota';

const withPlugins = await prepare(process.argv.slice(4));
const without = await prepare([`--disable-admission-plugins=${plugins}`]);
let serial = 0;
for (const [what, address, make] of [
  ['ConfigMap', core('configmaps'), configMap],
  ['Pod', core('pods'), pod],
] as const) {
  const costs = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const first = await cpuPerCreate(without, address, make);
    const second = await cpuPerCreate(withPlugins, address, make);
    if (round > 0) {
      costs.without.push(first);
      costs.with.push(second);
    }
  }
  const [plain, admitted] = [median(costs.without), median(costs.with)];
  console.log(`${what}: ${plain.toFixed(0)} µs without plugins, ${admitted.toFixed(0)} µs with: ${((admitted / plain - 1) * 100).toFixed(0)} % more`);
}
await stop(withPlugins);
await stop(without);

interface Prepared {
  readonly server: RunningServer;
  readonly dir: string;
}

async function prepare(flags: readonly string[]): Promise<Prepared> {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-bench-'));
  const argv = [`--data-dir=${dir}`, '--memory', '--bind-address=127.0.0.1', '--secure-port=0', '--controllers=', ...flags];
  const server = await runServer(parseOptions(argv, { homeDir: '/nowhere' }), silentLog);
  const { client } = server.api;
  for (let index = 0; index < namespaceCount; index++) {
    const namespace = `n${index}`;
    await client.create(core('namespaces', false), '', { kind: 'Namespace', metadata: { name: namespace } });
    await client.create(core('serviceaccounts'), namespace, { kind: 'ServiceAccount', metadata: { name: 'default' } });
    const limits = [{ type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '100m', memory: '100Mi' } }];
    await client.create(core('limitranges'), namespace, { kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } });
    const hard = { pods: '1000000', 'requests.cpu': '1000000', 'limits.memory': '1000000Gi' };
    const quota = await client.create(core('resourcequotas'), namespace, { kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } });
    const used = { pods: '0', 'requests.cpu': '0', 'limits.memory': '0' };
    await client.update(core('resourcequotas'), { ...quota, status: { hard, used } } as never, 'status');
  }
  return { server, dir };
}

async function cpuPerCreate({ server }: Prepared, address: ResourceAddress, make: (name: string) => object): Promise<number> {
  global.gc?.();
  const before = process.cpuUsage();
  let left = creates;
  const work = async () => {
    while (left-- > 0) {
      const index = serial++;
      await server.api.client.create(address, `n${index % namespaceCount}`, make(`o${index}`));
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / creates;
}

function configMap(name: string): object {
  return { kind: 'ConfigMap', metadata: { name }, data: { a: '1', b: '2' } };
}

/** Says itself what the plugins would add, so that both store objects of much the same size. */
function pod(name: string): object {
  const resources = { requests: { cpu: '100m', memory: '100Mi' }, limits: { cpu: '1', memory: '1Gi' } };
  return {
    kind: 'Pod',
    metadata: { name, labels: { app: 'web' } },
    spec: { automountServiceAccountToken: false, containers: [{ name: 'c', image: 'registry.example/web:1', resources, ports: [{ containerPort: 80 }] }] },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

async function stop({ server, dir }: Prepared): Promise<void> {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
}
