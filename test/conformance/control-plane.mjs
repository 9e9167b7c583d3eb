#!/usr/bin/env node
// The real kube-controller-manager and kube-scheduler on a binnacle: what they make of a few objects, and what they complain about.
//   node test/conformance/control-plane.mjs [--bundle] [--minutes N]     their complaints must all be in control-plane-complaints.json
//   node test/conformance/control-plane.mjs --record                     the same against a real kube-apiserver, whose complaints are added to that file
// Programs: REFERENCE_BIN or ~/.cache/reference-server/bin.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, root, startServer } from '../support/server-under-test.mjs';
import { ClusterWalk } from './control-plane-walk.mjs';

const { values: options } = parseArgs({
  options: { bundle: { type: 'boolean' }, record: { type: 'boolean' }, minutes: { type: 'string', default: '0' }, keep: { type: 'boolean' } },
});
const bin = process.env.REFERENCE_BIN ?? join(homedir(), '.cache/reference-server/bin');
const knownFile = join(root, 'test/conformance/control-plane-complaints.json');
/** Who loses a race, and over what, is chance: any controller may say these. */
const races = [
  'is not as new as written version',
  'the object has been modified; please apply your changes to the latest version and try again',
  'unable to create new content in namespace plane because it is being terminated',
];
const programs = ['kube-controller-manager', 'kube-scheduler'];
const missing = programs.filter((name) => !existsSync(join(bin, name)));
if (missing.length > 0) {
  console.error(`SKIPPED: there is no ${missing.join(', ')} in ${bin} (../shared/reference-server/install ${missing.join(' ')})`);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const dir = mkdtempSync(join(tmpdir(), 'binnacle-control-plane-'));
const children = [];
process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
const server = options.record ? await startReference() : await startServer({ dir, flags: ['--controllers='], ...(options.bundle && { from: 'bundle' }) });
let problems = [];
try {
  const logs = [await startManager(), await startScheduler()];
  const walk = new ClusterWalk(server.url);
  problems = await walk.run(Number(options.minutes) * 60_000);
  await stop(children);
  const complaints = new Set(logs.flatMap((file) => complaintsOf(readFileSync(file, 'utf8'))));
  if (options.record) remember(complaints);
  else problems.push(...unknown(complaints));
} finally {
  await stop(children);
  await server.stop();
  if (options.keep) console.error(`logs: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
}
for (const problem of problems) console.error(`✘ ${problem}`);
console.log(problems.length === 0 ? 'the control plane works' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function startReference() {
  const port = await freePort();
  const shared = join(root, '../shared/reference-server');
  const { status, stderr } = spawnSync(join(shared, 'up'), [dir, String(port)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { url: `https://127.0.0.1:${port}`, pki: join(dir, 'pki'), stop: async () => void spawnSync(join(shared, 'down'), [dir]) };
}

async function startManager() {
  const { pki } = server;
  const kubeconfig = kubeconfigFor('system:kube-controller-manager');
  const flexVolumes = join(dir, 'flex-volumes');
  mkdirSync(flexVolumes, { recursive: true });
  return start('kube-controller-manager', [
    ...(await ownPort(kubeconfig)),
    `--service-account-private-key-file=${join(pki, 'sa.key')}`,
    `--root-ca-file=${join(pki, 'ca.crt')}`,
    `--cluster-signing-cert-file=${join(pki, 'ca.crt')}`,
    `--cluster-signing-key-file=${join(pki, 'ca.key')}`,
    '--use-service-account-credentials=true',
    // Its default is a directory of the machine, about which it complains where it does not exist yet.
    `--flex-volume-plugin-dir=${flexVolumes}`,
  ]);
}

async function startScheduler() {
  return start('kube-scheduler', await ownPort(kubeconfigFor('system:kube-scheduler')));
}

async function ownPort(kubeconfig) {
  const flags = [`--kubeconfig=${kubeconfig}`, `--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`];
  return [...flags, '--bind-address=127.0.0.1', `--secure-port=${await freePort()}`, `--cert-dir=${join(dir, 'certs')}`];
}

function start(program, flags) {
  const logFile = join(dir, `${program}.log`);
  const log = openSync(logFile, 'a');
  children.push(spawn(join(bin, program), flags, { stdio: ['ignore', log, log] }));
  return logFile;
}

/** Each with its own certificate, so that it has the rights of its role and no more. */
function kubeconfigFor(user) {
  const { pki } = server;
  const file = (ending) => join(dir, `${user.replace('system:', '')}.${ending}`);
  const openssl = (...words) => spawnSync('openssl', words, { stdio: 'ignore' });
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file('key'));
  openssl('req', '-new', '-key', file('key'), '-subj', `/CN=${user}`, '-out', file('csr'));
  writeFileSync(file('ext'), 'extendedKeyUsage=clientAuth\n');
  const signer = ['-CA', join(pki, 'ca.crt'), '-CAkey', join(pki, 'ca.key'), '-CAcreateserial'];
  openssl('x509', '-req', '-in', file('csr'), ...signer, '-days', '30', '-extfile', file('ext'), '-out', file('crt'));
  const cluster = { server: server.url, 'certificate-authority': join(pki, 'ca.crt') };
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

function stop(running) {
  return Promise.all(
    running.map((child) => {
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      return new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM'));
    }),
  );
}

/** Lines of level warning and above, without what differs from run to run. */
function complaintsOf(text) {
  const lines = text.split('\n').filter((line) => /^[EWF]\d{4} /.test(line) && !/context canceled|leaderelection lost|shutting down/i.test(line));
  return lines.map((line) => races.find((race) => line.includes(race)) ?? withoutChance(line));
}

function withoutChance(line) {
  return line
    .replace(/^([EWF])\d{4} \S+ +\d+ (\S+?):\d+\]/, '$1 $2')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>')
    .replace(/plane\/[a-z0-9-]+/g, 'plane/<name>')
    .replace(/\\"[a-z0-9.-]+\\" (not found|is forbidden|already exists)/g, '\\"<name>\\" $1')
    .replace(/\/tmp\/[\w./-]+/g, '<file>')
    .replace(/127\.0\.0\.1:\d+/g, '<server>')
    .replace(/\b\d+(\.\d+)?(µs|ms|s)?\b/g, '<n>');
}

function remember(complaints) {
  const known = existsSync(knownFile) ? JSON.parse(readFileSync(knownFile, 'utf8')) : [];
  const all = [...new Set([...known, ...complaints])].sort();
  writeFileSync(knownFile, `${JSON.stringify(all, undefined, 2)}\n`);
  console.log(`${complaints.size} complaints about the original, ${all.length - known.length} of them new`);
}

function unknown(complaints) {
  const known = new Set(JSON.parse(readFileSync(knownFile, 'utf8')));
  return [...complaints].filter((complaint) => !known.has(complaint)).map((complaint) => `only about us: ${complaint}`);
}
