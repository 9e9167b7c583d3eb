// k8s.io/sample-apiserver, the extension server that everybody copies, with an etcd of its own behind our aggregator: discovery, flunders made, listed,
// watched, applied, explained and deleted through us, its delegated authentication and authorization, its death and its return.
//   npx tsx test/conformance/sample-apiserver.ts [--bundle] [--built] [--kubectl PATH]
// It is built once from its Go module, into the cache of the user, which takes minutes (--built: skipped where that has not been done); nothing of it is
// kept here. Needs Go, and the etcd of ../shared/reference-server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin } from '../support/control-plane-programs.mjs';
import { Checks, kubeconfigOf, type Kubectl, kubectlIn, until } from '../support/kubectl-checks.ts';
import { freePort, startServer } from '../support/server-under-test.mjs';

const version = 'v0.36.4';
const group = 'wardle.example.com';
const flunder = (name: string, more: object = {}) => JSON.stringify({ apiVersion: `${group}/v1alpha1`, kind: 'Flunder', metadata: { name }, ...more });

const { values: options } = parseArgs({
  options: { kubectl: { type: 'string', default: join(bin, 'kubectl') }, bundle: { type: 'boolean' }, built: { type: 'boolean' } },
});
const missing = [options.kubectl, join(bin, 'etcd')].find((program) => !existsSync(program)) ?? (spawnSync('go', ['version']).status === 0 ? undefined : 'Go');
if (missing !== undefined) {
  console.log(`SKIPPED: there is no ${missing}`);
  process.exit(0);
}
const program = built();
const dir = mkdtempSync(join(tmpdir(), 'binnacle-sample-'));
const checks = new Checks();
const check = checks.check.bind(checks);
const server = await startServer({ from: options.bundle ? 'bundle' : 'sources', flags: ['--enable-aggregator-routing=false'] });
const kubeconfig = kubeconfigFor('admin');
const etcdPort = await freePort();
const etcd = await startEtcd();
const port = await freePort();
let sample = startSample();
try {
  await walk(kubectlIn({ kubectl: options.kubectl, kubeconfig, dir }), kubectlIn({ kubectl: options.kubectl, kubeconfig: kubeconfigFor('alice'), dir }));
} finally {
  for (const child of [sample, etcd]) child.kill('SIGKILL');
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
checks.end();

function built(): string {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'binnacle', `sample-apiserver-${version}`);
  const made = join(folder, 'sample-apiserver');
  if (existsSync(made)) return made;
  if (options.built) {
    console.log('SKIPPED: sample-apiserver has not been built yet (run this without --built once)');
    process.exit(0);
  }
  const { status } = spawnSync('go', ['install', `k8s.io/sample-apiserver@${version}`], { stdio: 'inherit', env: { ...process.env, GOBIN: folder } });
  if (status !== 0) throw new Error('sample-apiserver could not be built');
  return made;
}

function kubeconfigFor(user: string): string {
  const file = join(dir, `${user}.kubeconfig`);
  writeFileSync(file, kubeconfigOf(server.url, readFileSync(join(server.pki, 'ca.crt'), 'utf8'), `${user}-token`));
  return file;
}

/** Its log stays in the directory until the end. */
function start(path: string, words: readonly string[], name: string): ChildProcess {
  const log = openSync(join(dir, `${name}.log`), 'a');
  const child = spawn(path, words, { stdio: ['ignore', log, log] });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function startEtcd(): Promise<ChildProcess> {
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${await freePort()}`];
  const urls = { 'listen-client-urls': client, 'advertise-client-urls': client, 'listen-peer-urls': peer, 'initial-advertise-peer-urls': peer };
  const words = Object.entries({ 'data-dir': join(dir, 'etcd'), 'initial-cluster': `default=${peer}`, 'unsafe-no-fsync': 'true', ...urls });
  return start(
    join(bin, 'etcd'),
    words.map(([name, value]) => `--${name}=${value}`),
    'etcd',
  );
}

function startSample(): ChildProcess {
  const flags = {
    'secure-port': port,
    'bind-address': '127.0.0.1',
    'cert-dir': join(dir, 'certificates'),
    'etcd-servers': `http://127.0.0.1:${etcdPort}`,
    kubeconfig,
    'authentication-kubeconfig': kubeconfig,
    'authorization-kubeconfig': kubeconfig,
  };
  return start(
    program,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    'sample',
  );
}

function registration(): string {
  const service = { namespace: 'wardle', name: 'api', port };
  const apiService = (of: string, versionPriority: number) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${of}.${group}` },
    spec: { group, version: of, service, insecureSkipTLSVerify: true, groupPriorityMinimum: 1000, versionPriority },
  });
  const items = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'wardle' } },
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'api', namespace: 'wardle' }, spec: { type: 'ExternalName', externalName: 'localhost' } },
    apiService('v1alpha1', 15),
    apiService('v1beta1', 20),
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

async function walk(run: Kubectl, asAlice: Kubectl): Promise<void> {
  check('registered', (await run('apply -f -', registration())).code === 0);
  for (const of of ['v1alpha1', 'v1beta1']) {
    const waited = await run(`wait apiservice/${of}.${group} --for=condition=Available --timeout=60s`);
    check(`${of} is available`, waited.code === 0, `${waited.out}\n${readFileSync(join(dir, 'sample.log'), 'utf8').slice(-2000)}`);
  }
  await discovered(run);
  await used(run);
  await watched(run);
  await judged(run, asAlice);
  await diesAndReturns(run);
}

async function discovered(run: Kubectl): Promise<void> {
  const resources = await until(
    () => run(`api-resources --api-group=${group} --no-headers`),
    ({ out }) => /flunders .*Flunder/.test(out),
  );
  check('api-resources', /fischers\s+wardle\.example\.com\/v1alpha1\s+false\s+Fischer/.test(resources.out), resources.out);
  const explained = await until(
    () => run(`explain flunders.spec --api-version=${group}/v1alpha1`),
    ({ code }) => code === 0,
  );
  check('explain', explained.out.includes('A name of another flunder or fischer'), explained.out);
  const swagger = await until(
    () => run('get --raw /openapi/v2'),
    ({ out }) => out.includes(`/apis/${group}/v1alpha1/namespaces/{namespace}/flunders`),
  );
  check('openapi v2', swagger.out.includes('wardle.v1alpha1.Flunder'), swagger.out.slice(0, 200));
  const third = await run(`get --raw /openapi/v3/apis/${group}/v1beta1`);
  check('openapi v3', third.out.includes('FlunderSpec'), third.out.slice(0, 200));
}

async function used(run: Kubectl): Promise<void> {
  check('create', (await run('create -f -', flunder('one', { spec: { reference: 'two' } }))).code === 0);
  const got = JSON.parse((await run('get flunder one -o json')).out) as { apiVersion: string; spec: Record<string, string> };
  check('read in the preferred version', got.apiVersion === `${group}/v1beta1` && got.spec['flunderReference'] === 'two', JSON.stringify(got));
  check('generated names', (await run('create -f -', JSON.stringify({ ...JSON.parse(flunder('')), metadata: { generateName: 'some-' } }))).code === 0);
  const listed = await run('get flunders -A -o name');
  check('list', listed.out.trim().split('\n').length === 2, listed.out);
  check('label', (await run('label flunder one colour=red')).code === 0);
  const selected = await run('get flunders -l colour=red -o name');
  check('list by label', selected.out.trim() === 'flunder.wardle.example.com/one', selected.out);
  check('patch', (await run('patch flunder one --type=merge -p {"spec":{"reference":"three"}}')).code === 0);
  const applied = await run('apply --server-side --field-manager=walk -f -', flunder('applied', { spec: { reference: 'one' } }));
  check('apply on the server', applied.out.includes('serverside-applied'), applied.out);
  const conflict = await run('apply --server-side --field-manager=other -f -', flunder('applied', { spec: { reference: 'two' } }));
  check('a conflict is told', conflict.code !== 0 && conflict.out.includes('conflict with "walk"'), conflict.out);
  const dry = await run('create --dry-run=server -f -', flunder('dry'));
  check('dry run', dry.code === 0 && (await run('get flunder dry')).out.includes('not found'), dry.out);
}

/** Its own admission plugin watches fischers, and refuses the flunders they name. */
async function watched(run: Kubectl): Promise<void> {
  const watching = run('get --raw /apis/wardle.example.com/v1alpha1/namespaces/default/flunders?watch=1&timeoutSeconds=6');
  const made = run('create -f -', flunder('seen'));
  const deleted = made.then(() => run('delete flunder seen'));
  check('delete', (await deleted).code === 0);
  const events = (await watching).out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { type: string; object: { metadata: { name: string } } });
  const types = events.filter(({ object }) => object.metadata.name === 'seen').map(({ type }) => type);
  check('watch', types.includes('DELETED'), JSON.stringify(types));
  const fischer = { apiVersion: `${group}/v1alpha1`, kind: 'Fischer', metadata: { name: 'ban' }, disallowedFlunders: ['banned'] };
  check('a kind without namespaces', (await run('create -f -', JSON.stringify(fischer))).code === 0);
  const banned = await until(
    () => run('create --dry-run=server -f -', flunder('banned')),
    ({ code }) => code !== 0,
  );
  check('its admission refuses', banned.out.includes('this name may not be used, please change the resource name'), banned.out);
}

/** The sample asks this server who somebody is and what they may. */
async function judged(run: Kubectl, asAlice: Kubectl): Promise<void> {
  const refused = await asAlice('get flunders');
  check('others may nothing', refused.out.includes('User "alice" cannot list resource "flunders"'), refused.out);
  await run(`create clusterrole flunders --verb=list --resource=flunders.${group}`);
  await run('create clusterrolebinding flunders --clusterrole=flunders --user=alice');
  const allowed = await until(
    () => asAlice('get flunders -o name'),
    ({ code }) => code === 0,
  );
  check('others may what a role allows', allowed.out.includes('flunder.wardle.example.com/one'), allowed.out);
  const asked = await run('auth can-i list flunders --as=alice');
  check('auth can-i', asked.out.trim() === 'yes', asked.out);
}

async function diesAndReturns(run: Kubectl): Promise<void> {
  sample.kill('SIGKILL');
  await once(sample, 'exit');
  const gone = await run('get flunders');
  check('while it is gone that is said at once', gone.code !== 0 && gone.ms < 5_000, `${gone.ms} ms: ${gone.out}`);
  check('everything else is served', (await run('get namespaces')).out.includes('wardle'));
  const stuck = await run('create namespace with-flunders');
  const ending = await run('delete namespace with-flunders --wait=false');
  const told = await until(
    () => run('get namespace with-flunders -o jsonpath={.status.conditions[?(@.type=="NamespaceDeletionDiscoveryFailure")].status}'),
    ({ out }) => out === 'True',
  );
  check('a namespace that goes says what it waits for', stuck.code === 0 && ending.code === 0 && told.out === 'True', told.out);
  sample = startSample();
  const back = await until(
    () => run('get flunders -o name'),
    ({ code }) => code === 0,
  );
  check('it is back with all it had', back.out.includes('flunder.wardle.example.com/applied'), back.out);
  const ended = await run('wait --for=delete namespace/with-flunders --timeout=40s');
  check('the namespace is gone', ended.code === 0, ended.out);
  await run(`delete apiservice v1alpha1.${group} v1beta1.${group}`);
  const left = await until(
    () => run('api-versions'),
    ({ out }) => !out.includes(group),
  );
  check('nothing is left of it in discovery', !left.out.includes(group), left.out);
}
