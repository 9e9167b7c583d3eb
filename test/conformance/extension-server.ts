// The example of examples/extension-server behind a server of ours, with a real kubectl: kubectl top, raw requests, watches, its death and its return.
//   npx tsx test/conformance/extension-server.ts --kubectl PATH [--bundle] [--kubeconfig FILE]     the latter for another server, as an administrator
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Checks, kubeconfigOf, type Kubectl, kubectlIn, until } from '../support/kubectl-checks.ts';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { TestAuthority } from '../support/test-pki.ts';

const { values: options } = parseArgs({ options: { kubectl: { type: 'string' }, kubeconfig: { type: 'string' }, bundle: { type: 'boolean' } } });
const kubectl = options.kubectl ?? '';
if (spawnSync(kubectl, ['version', '--client']).status !== 0) {
  console.log(`SKIPPED: there is no kubectl at "${kubectl}" (--kubectl PATH)`);
  process.exit(0);
}
const dir = mkdtempSync(join(tmpdir(), 'binnacle-extension-'));
const example = join(root, 'examples/extension-server');
const authority = new TestAuthority('extension-authority');
const checks = new Checks();
const check = checks.check.bind(checks);
let cleanUp: () => Promise<unknown> = async () => {};

const objects = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-a' },
      status: { capacity: { cpu: '4', memory: '8Gi' }, allocatable: { cpu: '4', memory: '8Gi' } },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'metrics-example', labels: { app: 'web' } },
      spec: {
        nodeName: 'node-a',
        serviceAccountName: 'metrics-example',
        containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '250m', memory: '100Mi' } } }],
      },
    },
  ],
});

try {
  const admin = options.kubeconfig ?? (await startOwn());
  await walk(admin);
} finally {
  await cleanUp();
  rmSync(dir, { recursive: true, force: true });
}
checks.end();

async function startOwn(): Promise<string> {
  const server = await startServer({
    from: options.bundle ? 'bundle' : 'sources',
    flags: ['--enable-aggregator-routing=false', '--controllers=namespace,serviceaccount'],
  });
  cleanUp = () => server.stop();
  const file = join(dir, 'admin.kubeconfig');
  writeFileSync(file, kubeconfigOf(server.url, readFileSync(join(server.pki, 'ca.crt'), 'utf8'), 'admin-token'));
  return file;
}

async function walk(admin: string): Promise<void> {
  const run = kubectlIn({ kubectl, kubeconfig: admin, dir });
  const port = await freePort();
  const serving = authority.issue({ commonName: 'metrics-example' }, { usage: 'server', names: ['metrics-example.metrics-example.svc'] });
  writeFileSync(join(dir, 'tls.crt'), serving.cert);
  writeFileSync(join(dir, 'tls.key'), serving.key);
  const manifests = readFileSync(join(example, 'manifests.yaml'), 'utf8')
    .replace('caBundle: ""', `caBundle: ${Buffer.from(authority.cert).toString('base64')}`)
    .replace('port: 4443', `port: ${port}`);
  check('apply', (await run('apply -f -', manifests)).code === 0);
  await run('apply -f -', objects);
  const { server, ca } = clusterOf(admin);
  const { out: token } = await run('create token metrics-example -n metrics-example');
  writeFileSync(join(dir, 'metrics.kubeconfig'), kubeconfigOf(server, ca, token.trim()));
  let extension = await startExtension(port);
  await serves(run);
  await refuses(port);
  await dies(run, extension);
  extension = await startExtension(port);
  await returns(run);
  await run('delete apiservice v1beta1.metrics.k8s.io');
  check('nothing is left of it in discovery', !(await run('api-versions')).out.includes('metrics.k8s.io'));
  extension.kill('SIGKILL');
}

async function serves(run: Kubectl): Promise<void> {
  check('available', (await run('wait apiservice/v1beta1.metrics.k8s.io --for=condition=Available --timeout=20s')).code === 0);
  const nodes = await until(
    () => run('top nodes --no-headers'),
    ({ out }) => out.includes('node-a'),
  );
  check('top nodes', /node-a\s+300m\s+7%\s+164Mi\s+2%/.test(nodes.out), nodes.out);
  const pods = await run('top pods -n metrics-example --containers --no-headers');
  check('top pods', /web\s+web\s+250m\s+100Mi/.test(pods.out), pods.out);
  const selected = await run('top pods -n metrics-example -l app=other --no-headers');
  check('top pods by label', !selected.out.includes('250m'), selected.out);
  const raw = await run('get --raw /apis/metrics.k8s.io/v1beta1/namespaces/metrics-example/pods/web');
  check('raw', (JSON.parse(raw.out || '{}') as { kind?: string }).kind === 'PodMetrics', raw.out);
  const resources = await until(
    () => run('api-resources --api-group=metrics.k8s.io --no-headers'),
    ({ out }) => out.includes('PodMetrics'),
  );
  check('api-resources', /pods\s+metrics\.k8s\.io\/v1beta1\s+true\s+PodMetrics/.test(resources.out), resources.out);
  const listed = await run('get pods.metrics.k8s.io -n metrics-example -o name');
  check('get', listed.out.includes('podmetrics.metrics.k8s.io/web'), listed.out);
  const explained = await until(
    () => run('explain nodes.usage --api-version=metrics.k8s.io/v1beta1'),
    ({ code }) => code === 0,
  );
  check('explain', explained.out.includes('Quantities by the name'), explained.out);
  const watched = await run('get --raw /apis/metrics.k8s.io/v1beta1/nodes?watch=1&timeoutSeconds=2');
  check('watch', watched.out.includes('"ADDED"') && watched.out.includes('"MODIFIED"'), watched.out);
  const swagger = await until(
    () => run('get --raw /openapi/v2'),
    ({ out }) => out.includes('metrics.v1beta1.NodeMetrics'),
  );
  check('openapi v2', swagger.out.includes('"/apis/metrics.k8s.io/v1beta1/nodes/{name}"'));
}

/** The extension server itself believes nobody who only says who they are. */
async function refuses(port: number): Promise<void> {
  const codeFor = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/apis/metrics.k8s.io/v1beta1/nodes', headers, rejectUnauthorized: false };
      const sent = request(options, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.once('error', reject).end();
    });
  check('headers without a certificate are not believed', (await codeFor({ 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' })) === 403);
  check('a wrong token is nobody', (await codeFor({ authorization: 'Bearer wrong' })) === 401);
}

async function dies(run: Kubectl, extension: ChildProcess): Promise<void> {
  const watch = run('get --raw /apis/metrics.k8s.io/v1beta1/nodes?watch=1');
  extension.kill('SIGKILL');
  await once(extension, 'exit');
  const top = await run('top nodes');
  check('top fails at once', top.code !== 0 && top.ms < 5_000, `${top.ms} ms: ${top.out}`);
  check('its watch ends', (await watch).ms < 30_000);
  const named = await run('get pods -n metrics-example -o name');
  check('everything else is served', named.out.includes('pod/web') && named.ms < 5_000, `${named.ms} ms: ${named.out}`);
  const reason = await until(
    () => run('get apiservice v1beta1.metrics.k8s.io -o jsonpath={.status.conditions[0].reason}'),
    ({ out }) => out.includes('FailedDiscoveryCheck'),
  );
  check('its condition says why', reason.out.includes('FailedDiscoveryCheck'), reason.out);
  // kubectl leaves out group-versions that are Stale, without a word: seen with a real kube-apiserver, too.
  const resources = await until(
    () => run('api-resources --no-headers'),
    ({ out }) => !out.includes('metrics.k8s.io'),
  );
  check(
    'api-resources tells the rest',
    resources.code === 0 && resources.out.includes('deployments') && !resources.out.includes('metrics.k8s.io'),
    resources.out.slice(-300),
  );
}

async function returns(run: Kubectl): Promise<void> {
  const began = performance.now();
  const top = await until(
    () => run('top nodes --no-headers'),
    ({ code }) => code === 0,
  );
  check('it is back', top.out.includes('node-a'), top.out);
  console.log(`  back after ${Math.round(performance.now() - began)} ms, kubectl included`);
}

async function startExtension(port: number): Promise<ChildProcess> {
  const words = [
    '--import',
    'tsx',
    join(example, 'main.ts'),
    '--kubeconfig',
    join(dir, 'metrics.kubeconfig'),
    '--bind-address',
    '127.0.0.1',
    '--secure-port',
    String(port),
  ];
  const files = ['--tls-cert-file', join(dir, 'tls.crt'), '--tls-private-key-file', join(dir, 'tls.key')];
  const child = spawn(process.execPath, [...words, ...files], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface(child.stdout)) if (line.startsWith('serving')) break;
  return child;
}

function clusterOf(kubeconfig: string): { server: string; ca: string } {
  const { stdout } = spawnSync(kubectl, ['--kubeconfig', kubeconfig, 'config', 'view', '--raw', '--minify', '-o', 'json'], { encoding: 'utf8' });
  const { cluster } = (JSON.parse(stdout) as { clusters: { cluster: Record<string, string> }[] }).clusters[0] ?? { cluster: {} };
  return { server: cluster['server'] ?? '', ca: Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64').toString() };
}
