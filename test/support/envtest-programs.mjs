// The programs of dist/envtest, started with the flags that controller-runtime's envtest gives them.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root } from './server-under-test.mjs';

export const assets = join(root, 'dist/envtest');

/** Starts etcd and kube-apiserver in a folder of their own; `ready` resolves when anonymous /healthz says ok. */
export async function startEnvironment({ flags = [], dir = mkdtempSync(join(tmpdir(), 'k8s_test_framework_')), spawnWith = spawn } = {}) {
  const [etcdPort, port] = [await freePort(), await freePort()];
  const certs = join(dir, 'certs');
  mkdirSync(certs, { recursive: true });
  writeServiceAccountFiles(certs);
  const quiet = { stdio: 'ignore' };
  const etcd = spawnWith(
    join(assets, 'etcd'),
    [`--listen-client-urls=http://127.0.0.1:${etcdPort}`, `--data-dir=${join(dir, 'etcd')}`, '--unsafe-no-fsync=true'],
    quiet,
  );
  const server = spawnWith(join(assets, 'kube-apiserver'), [...envtestFlags(certs, etcdPort, port), ...flags], quiet);
  return { dir, certs, etcd, server, etcdPort, port, ready: () => waitFor(async () => (await get(port, '/healthz')).body === 'ok') };
}

/** As envtest makes them: the signer's certificate is what tokens are verified with. */
function writeServiceAccountFiles(certs) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(certs, 'sa-signer.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(certs, 'sa-signer.crt'), publicKey.export({ type: 'spki', format: 'pem' }));
}

function envtestFlags(certs, etcdPort, port) {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--cert-dir=${certs}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--authorization-mode=RBAC',
    '--disable-admission-plugins=ServiceAccount',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    `--service-account-key-file=${join(certs, 'sa-signer.crt')}`,
    `--service-account-signing-key-file=${join(certs, 'sa-signer.key')}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
  ];
}

/** As nobody, or with a client certificate. */
export function get(port, path, pair = {}) {
  return new Promise((resolve) => {
    const request = https.get({ host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false, ...pair }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk)).on('end', () => resolve({ code: response.statusCode, body }));
    });
    request.on('error', () => resolve({ code: 0, body: '' }));
  });
}

export async function waitFor(holds, limitMs = 60_000) {
  for (const end = performance.now() + limitMs; performance.now() < end; ) {
    if (await holds()) return;
    await new Promise((next) => setTimeout(next, 10));
  }
  throw new Error(`it did not come about in ${limitMs} ms: ${holds}`);
}

/** Neither running nor waiting to be reaped by us. */
export function isAlive(pid) {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
