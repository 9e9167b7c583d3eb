// A real kube-apiserver with a real kube-controller-manager that runs a few of its controllers: to record what they make of objects.
// Programs: REFERENCE_BIN or ~/.cache/reference-server/bin (../shared/reference-server/install kube-controller-manager).
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import https from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root } from './server-under-test.mjs';

const bin = process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin');
const shared = join(root, '../shared/reference-server');

/** Undefined when all programs are there. */
export function missingOriginal() {
  const missing = ['kube-apiserver', 'etcd', 'kube-controller-manager'].filter((name) => !existsSync(join(bin, name)));
  return missing.length === 0 ? undefined : `there is no ${missing.join(', ')} in ${bin}`;
}

/** `prepare(ask)` runs before the controllers do. Resolves to { url, ask, stop }. */
export async function startOriginal(controllers, prepare = async () => {}) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-original-'));
  const port = await freePort();
  const { status, stderr } = spawnSync(join(shared, 'up'), [dir, String(port)], { encoding: 'utf8', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
  const agent = new https.Agent({ keepAlive: true, maxSockets: 32 });
  let manager;
  const stop = async () => {
    agent.destroy();
    if (manager) await ended(manager);
    spawnSync(join(shared, 'down'), [dir]);
    rmSync(dir, { recursive: true, force: true });
  };
  process.once('exit', () => manager?.kill('SIGKILL'));
  if (status !== 0) throw new Error(stderr);
  const url = `https://127.0.0.1:${port}`;
  const ask = asker(url, agent);
  await prepare(ask);
  manager = await startManager(dir, controllers);
  return { url, ask, stop, pki: join(dir, 'pki') };
}

async function startManager(dir, controllers) {
  const [kubeconfig, pki, log] = [join(dir, 'kubeconfig'), join(dir, 'pki'), openSync(join(dir, 'kube-controller-manager.log'), 'a')];
  const flags = [
    ...['', 'authentication-', 'authorization-'].map((prefix) => `--${prefix}kubeconfig=${kubeconfig}`),
    '--bind-address=127.0.0.1',
    `--secure-port=${await freePort()}`,
    `--cert-dir=${join(dir, 'manager-certs')}`,
    `--service-account-private-key-file=${join(pki, 'sa.key')}`,
    `--root-ca-file=${join(pki, 'ca.crt')}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    // Nothing is to be learned from its patience.
    '--kube-api-qps=2000',
    '--kube-api-burst=4000',
    `--controllers=${controllers.join(',')}`,
  ];
  return spawn(join(bin, 'kube-controller-manager'), flags, { stdio: ['ignore', log, log] });
}

/** Asks as the administrator of the test tokens. */
export function asker(url, agent) {
  return (method, path, body, type = 'application/json') =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = { authorization: 'Bearer admin-token', ...(body && { 'content-type': type, 'content-length': Buffer.byteLength(text) }) };
      const request = https.request(`${url}${path}`, { method, agent, rejectUnauthorized: false, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => resolve({ code: response.statusCode, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(text);
    });
}

function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'));
}
