// Starts the real kube-controller-manager and kube-scheduler on a server under test, each with its own certificate and so with the rights of its role alone.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './server-under-test.mjs';

export const bin = process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin');

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

export async function startScheduler(server, dir) {
  return start(dir, 'kube-scheduler', await ownPort(dir, kubeconfigFor(server, dir, 'system:kube-scheduler')));
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
