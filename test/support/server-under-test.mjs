// Starts a binnacle of one's own for tests over the wire: temporary certificates and tokens, a free port, nothing left behind.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTraces, tracesOf } from './secret-scan.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const tokens = [
  'admin-token,admin,admin-uid,"system:masters"',
  'alice-token,alice,alice-uid,"team-a"',
  'bob-token,bob,bob-uid,',
  'viewer-token,viewer,viewer-uid,"viewers"',
];

/**
 * Options: flags (added to those of the reference server), from ('bundle' | 'sources'), port, dir, keep (the directory outlives the server),
 * checkout (of another commit), everyMs (how often /readyz is asked), through (a program that starts the server, with its arguments), watched (it logs all it can, and `stop` rejects when a secret stands in the log).
 * Resolves to { url, port, dir, pki, logFile, child, stop } once /readyz says so.
 */
export async function startServer({
  flags = [],
  from = 'sources',
  port,
  through = [],
  keep = false,
  watched = false,
  checkout = root,
  everyMs = 50,
  dir = mkdtempSync(join(tmpdir(), 'binnacle-')),
} = {}) {
  const chosen = port ?? (await freePort());
  const pki = makePki(join(dir, 'pki'));
  const [program, ...first] = [...through, ...(through.includes('node') ? scriptOf(from, checkout) : commandOf(from, checkout))];
  const logFile = join(dir, 'server.log');
  const log = openSync(logFile, 'a');
  const child = spawn(
    program,
    [...first, ...referenceFlags(pki, chosen, dir), ...(checkout === root ? ['--nodes=0'] : []), ...(watched ? ['--v=10'] : []), ...flags],
    {
      cwd: root,
      stdio: ['ignore', log, log],
    },
  );
  // Whoever ends this process must not leave the server behind.
  const abandon = () => child.kill('SIGKILL');
  process.once('exit', abandon);
  child.once('exit', () => process.off('exit', abandon));
  const url = `https://127.0.0.1:${chosen}`;
  const stop = async () => {
    await stopChild(child);
    const leaked = watched
      ? leakedSecrets(
          logFile,
          tokens.map((line) => line.split(',')[0]),
          [pki],
        )
      : undefined;
    if (!keep) rmSync(dir, { recursive: true, force: true });
    if (leaked !== undefined) throw new Error(leaked);
  };
  try {
    await untilReady(chosen, child, { everyMs, hint: `, see ${logFile}` });
  } catch (problem) {
    await stopChild(child);
    throw problem;
  }
  return { url, port: chosen, dir, pki, logFile, child, stop };
}

/** What a log says that it must not: one of these tokens, or a key of these folders. Undefined when all is well. */
export function leakedSecrets(logFile, secrets, keyFolders) {
  const keys = keyFolders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.key'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const log = readFileSync(logFile, 'utf8');
  if (!log.includes('HTTP verb=')) return 'the log does not even name the requests: nothing was looked at';
  const found = findTraces(log, [...secrets, ...keys].flatMap(tracesOf));
  return found.length === 0 ? undefined : `secrets stand in the log, ${found.length} times, for example:\n${found.slice(0, 3).join('\n---\n')}`;
}

function commandOf(from, checkout) {
  if (from === 'bundle') return [join(checkout, 'bin/binnacle')];
  return [process.execPath, '--import', 'tsx', join(checkout, 'src/app/binnacle.ts')];
}

/** What node runs, for programs that start node themselves. */
function scriptOf(from, checkout) {
  const script = join(checkout, 'dist/binnacle-main.cjs');
  return from === 'bundle' && existsSync(script) ? [script] : commandOf(from, checkout);
}

/** As ../shared/reference-server/up starts the original, with our store in place of etcd, and without nodes. */
function referenceFlags(pki, port, dir) {
  const flags = {
    'data-dir': join(dir, 'data'),
    memory: 'true',
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': port,
    'tls-cert-file': join(pki, 'apiserver.crt'),
    'tls-private-key-file': join(pki, 'apiserver.key'),
    'client-ca-file': join(pki, 'ca.crt'),
    'token-auth-file': join(pki, 'tokens.csv'),
    'authorization-mode': 'Node,RBAC',
    'service-cluster-ip-range': '10.96.0.0/16',
    'allow-privileged': 'true',
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': join(pki, 'sa.pub'),
    'service-account-signing-key-file': join(pki, 'sa.key'),
    'requestheader-client-ca-file': join(pki, 'ca.crt'),
    'requestheader-allowed-names': 'front-proxy',
    'requestheader-username-headers': 'X-Remote-User',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'proxy-client-cert-file': join(pki, 'front-proxy.crt'),
    'proxy-client-key-file': join(pki, 'front-proxy.key'),
    'enable-aggregator-routing': 'true',
  };
  return Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
}

function makePki(folder) {
  if (existsSync(join(folder, 'tokens.csv'))) return folder;
  mkdirSync(folder, { recursive: true });
  const openssl = (...words) => run('openssl', words, folder);
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'ca.key');
  openssl('req', '-x509', '-new', '-key', 'ca.key', '-days', '3650', '-subj', '/CN=reference-ca', '-out', 'ca.crt');
  const leaf = (name, subject, usage, names) => {
    writeFileSync(
      join(folder, `${name}.ext`),
      `keyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=${usage}\n${names ? `subjectAltName=${names}\n` : ''}`,
    );
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', `${name}.key`);
    openssl('req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '3650',
      '-extfile',
      `${name}.ext`,
      '-out',
      `${name}.crt`,
    );
  };
  leaf(
    'apiserver',
    '/CN=kube-apiserver',
    'serverAuth',
    'DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:10.96.0.1',
  );
  leaf('admin', '/O=system:masters/CN=admin', 'clientAuth');
  leaf('front-proxy', '/CN=front-proxy', 'clientAuth');
  openssl('genrsa', '-out', 'sa.key', '2048');
  openssl('rsa', '-in', 'sa.key', '-pubout', '-out', 'sa.pub');
  writeFileSync(join(folder, 'tokens.csv'), `${tokens.join('\n')}\n`);
  return folder;
}

function run(program, words, cwd) {
  const { status, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${words[0]}: ${stderr}`);
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Resolves when the server on this port of the loopback interface says that it is ready; rejects when `child` ends first. */
export async function untilReady(port, child, { everyMs = 50, hint = '', seconds = 30 } = {}) {
  const gaveUp = Date.now() + seconds * 1_000;
  // One connection for all questions: handshakes would slow down the start that they wait for.
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  while (!(await isReady(port, agent))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended before it was ready${hint}`);
    if (Date.now() > gaveUp) throw new Error(`the server was not ready in ${seconds} s${hint}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  agent.destroy();
}

function isReady(port, agent) {
  return new Promise((resolve) => {
    const request = https.get({ host: '127.0.0.1', port, path: '/readyz', agent }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}

function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const hard = setTimeout(() => child.kill('SIGKILL'), 5000);
    child.once('exit', () => {
      clearTimeout(hard);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
