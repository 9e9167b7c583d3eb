// Starts the real kube-controller-manager and kube-scheduler on a server under test or on a real kube-apiserver, each with its own certificate
// and so with the rights of its role alone. Programs: REFERENCE_BIN or ~/.cache/reference-server/bin.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask } from '../fault/hostile-client.mjs';
import { freePort, root } from './server-under-test.mjs';

export const bin = process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin');
const shared = join(root, '../shared/reference-server');

/**
 * A real kube-apiserver with a manager that runs these controllers, to record what they make of objects. `prepare(ask)` runs before they do; `flags` are more of the manager's.
 * Resolves to { url, ask, pki, stop }.
 */
export async function startOriginal(controllers, prepare = async () => {}, flags = []) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-original-'));
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const pki = join(dir, 'pki');
  const agent = new https.Agent({ keepAlive: true, maxSockets: 32 });
  const running = [];
  const stop = async () => {
    agent.destroy();
    await stopAll(running);
    spawnSync(join(shared, 'down'), [dir]);
    rmSync(dir, { recursive: true, force: true });
  };
  process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
  const { status, stderr } = spawnSync(join(shared, 'up'), [dir, String(port)], { encoding: 'utf8', env: { ...process.env, ETCD_FLAGS: '--unsafe-no-fsync' } });
  try {
    if (status !== 0) throw new Error(stderr);
    await prepare(asker(url, agent));
    // Nothing is to be learned from its patience.
    const patience = ['--leader-elect=false', '--kube-api-qps=2000', '--kube-api-burst=4000'];
    running.push((await startManager({ url, pki }, dir, [...patience, `--controllers=${controllers.join(',')}`, ...flags])).child);
  } catch (problem) {
    await stop();
    throw problem;
  }
  return { url, ask: asker(url, agent), pki, stop };
}

/** Asks as the administrator of the test tokens. */
function asker(url, agent) {
  return async (method, path, body, type = 'application/json') => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    // Node sends no length for a DELETE by itself.
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
    const answer = await ask({ url }, { method, path, agent, headers, body: text });
    return { code: answer.code, text: answer.body.toString() };
  };
}

/** `server`: its url and pki folder; `dir`: where logs and certificates go. Resolves to the file of its log and the process. */
export async function startManager(server, dir, flags = []) {
  const { pki } = server;
  const kubeconfig = kubeconfigFor(server, dir, 'system:kube-controller-manager');
  const flexVolumes = join(dir, 'flex-volumes');
  mkdirSync(flexVolumes, { recursive: true });
  return start(dir, 'kube-controller-manager', [
    ...(await ownPort(dir, kubeconfig)),
    `--service-account-private-key-file=${join(pki, 'sa.key')}`,
    `--root-ca-file=${join(pki, 'ca.crt')}`,
    `--cluster-signing-cert-file=${join(pki, 'ca.crt')}`,
    `--cluster-signing-key-file=${join(pki, 'ca.key')}`,
    '--use-service-account-credentials=true',
    // Its default is a directory of the machine, about which it complains where it does not exist yet.
    `--flex-volume-plugin-dir=${flexVolumes}`,
    ...flags,
  ]);
}

export async function startScheduler(server, dir, flags = []) {
  return start(dir, 'kube-scheduler', [...(await ownPort(dir, kubeconfigFor(server, dir, 'system:kube-scheduler'))), ...flags]);
}

async function ownPort(dir, kubeconfig) {
  const flags = [`--kubeconfig=${kubeconfig}`, `--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`];
  return [...flags, '--bind-address=127.0.0.1', `--secure-port=${await freePort()}`, `--cert-dir=${join(dir, 'certs')}`];
}

function start(dir, program, flags) {
  const logFile = join(dir, `${program}.log`);
  const log = openSync(logFile, 'a');
  return { logFile, child: spawn(join(bin, program), flags, { stdio: ['ignore', log, log] }) };
}

function kubeconfigFor({ pki, url }, dir, user) {
  const file = (ending) => join(dir, `${user.replace('system:', '')}.${ending}`);
  const openssl = (...words) => spawnSync('openssl', words, { stdio: 'ignore' });
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file('key'));
  openssl('req', '-new', '-key', file('key'), '-subj', `/CN=${user}`, '-out', file('csr'));
  writeFileSync(file('ext'), 'extendedKeyUsage=clientAuth\n');
  const signer = ['-CA', join(pki, 'ca.crt'), '-CAkey', join(pki, 'ca.key'), '-CAcreateserial'];
  openssl('x509', '-req', '-in', file('csr'), ...signer, '-days', '30', '-extfile', file('ext'), '-out', file('crt'));
  const cluster = { server: url, 'certificate-authority': join(pki, 'ca.crt') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: { 'client-certificate': file('crt'), 'client-key': file('key') } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(file('kubeconfig'), JSON.stringify(config));
  return file('kubeconfig');
}

export function stopAll(children) {
  return Promise.all(
    children.map((child) => {
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      return new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'));
    }),
  );
}
