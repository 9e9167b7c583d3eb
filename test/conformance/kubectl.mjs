#!/usr/bin/env node
// The walk of kubectl-walk.mjs: kubectl, with the kubeconfig that a first start writes, against the bundle.
//   node test/conformance/kubectl.mjs --kubectl PATH [--only SECTION] [--kubeconfig FILE]     the latter for another server
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, leakedSecrets, root, untilReady } from '../support/server-under-test.mjs';
import { sections } from './kubectl-walk.mjs';

const { values: options } = parseArgs({ options: { kubectl: { type: 'string' }, only: { type: 'string' }, kubeconfig: { type: 'string' } } });
const patienceMs = 30_000;
const dir = mkdtempSync(join(tmpdir(), 'binnacle-kubectl-'));
const kubeconfig = options.kubeconfig ?? join(dir, 'admin.kubeconfig');
const files = join(dir, 'files');
const logFile = join(dir, 'server.log');
const count = { passed: 0, failed: 0 };
/** Tokens that the server gave out. */
const issued = [];

const server = options.kubeconfig === undefined ? await startBundle() : undefined;
try {
  makeFiles();
  const chosen = Object.entries(sections).filter(([title]) => options.only === undefined || options.only === title);
  await inParallel(chosen, 3, ([title, steps]) => walk(title, steps));
  if (server !== undefined) note('log', 'holds no secret', leakedSecrets(logFile, issued, [join(dir, 'pki'), files]));
} finally {
  server?.kill('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
}
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 && count.passed > 0 ? 0 : 1;

async function startBundle() {
  const port = await freePort();
  // The walk itself says how far workloads have come, and where pods run.
  const controllers = [
    '*',
    '-scheduler',
    ...['deployment', 'replicaset', 'replicationcontroller', 'statefulset', 'daemonset'].map((name) => `-${name}-controller`),
  ];
  const own = [`--controllers=${controllers.join(',')}`, '--v=10'];
  const flags = ['--memory', `--data-dir=${dir}`, '--bind-address=127.0.0.1', `--secure-port=${port}`, ...own];
  const child = spawn(join(root, 'bin/binnacle'), flags, { stdio: ['ignore', 'ignore', openSync(logFile, 'a')] });
  process.once('exit', () => child.kill('SIGKILL'));
  await untilReady(port, child);
  return child;
}

/** A key with a certificate and a signing request, for the steps that want one. */
function makeFiles() {
  mkdirSync(files);
  const openssl = (words) => spawnSync('openssl', words.split(' '), { cwd: files, stdio: 'ignore' });
  openssl('ecparam -name prime256v1 -genkey -noout -out tls.key');
  openssl('req -new -key tls.key -subj /O=team-a/CN=walker -out request.csr');
  openssl('req -x509 -new -key tls.key -subj /CN=walker -days 10 -out tls.crt');
}

async function walk(title, steps) {
  const namespace = `walk-${title}`;
  const run = (words, more) => kubectl(words, namespace, more).ended;
  const start = (words, more) => kubectl(words, namespace, more);
  const made = await run(['create', 'namespace', namespace]);
  note(title, 'create namespace', made.code === 0 ? undefined : made.err);
  await run(['wait', 'serviceaccount/default', '--for=create', '--timeout=10s']);
  for (const step of steps) {
    if (typeof step === 'function') note(title, step.name, await problemOf(() => step({ run, start, namespace })));
    else note(title, step.line, await takeStep(step, run, namespace));
  }
  const gone = await run(['delete', 'namespace', namespace]);
  note(title, 'delete namespace', /deleted/.test(gone.out) ? undefined : gone.err);
}

function note(title, what, problem) {
  if (problem === undefined) count.passed++;
  else count.failed++;
  console.log(`${problem === undefined ? 'ok  ' : 'FAIL'} ${title}: ${what}${problem === undefined ? '' : `\n${problem}`}`);
}

async function problemOf(work) {
  try {
    await work();
    return undefined;
  } catch (problem) {
    return String(problem);
  }
}

/** Undefined when the command ended and spoke as it should. */
async function takeStep(step, run, namespace) {
  const input = typeof step.in === 'object' ? signingRequest(step.in.csr) : step.in;
  const found = await run(wordsOf(step.line.replaceAll('$NS', namespace)), { input: input?.replaceAll('$NS', namespace), env: step.env });
  const said = step.both ? found.out + found.err : found.out;
  const good = found.code === step.code && (step.out?.test(said) ?? true) && (step.err?.test(found.err) ?? true);
  return good ? undefined : `  expected ${step.code} ${step.out ?? ''} ${step.err ?? ''}, found ${found.code}\n${found.out}${found.err}`;
}

/** Words as a shell would split them; only single quotes are known. */
function wordsOf(line) {
  return (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
}

function signingRequest(name) {
  const request = readFileSync(join(files, 'request.csr')).toString('base64');
  const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  return JSON.stringify({ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name }, spec });
}

/** A kubectl that runs: `ended` resolves to { code, out, err }, `prints` resolves when its output matches. */
function kubectl(words, namespace, { input = '', env = {}, user } = {}) {
  const config = user === undefined ? kubeconfig : configFor(user);
  const child = spawn(options.kubectl, ['--kubeconfig', config, '--namespace', namespace, ...words], {
    cwd: files,
    env: { PATH: process.env.PATH, HOME: dir, LANG: 'C.UTF-8', TZ: 'UTC', ...env },
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (said.err += text));
  child.stdin.on('error', () => undefined).end(input);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => {
      clearTimeout(tooLong);
      resolve({ code, ...said });
    });
  });
  return { ended, stop: () => child.kill('SIGTERM'), prints: (expected) => untilPrinted(child, ended, said, expected) };
}

function untilPrinted(child, ended, said, expected) {
  return new Promise((resolve, reject) => {
    const look = () => expected.test(said.out) && resolve();
    child.stdout.on('data', look);
    ended.then(() => reject(new Error(`ended without ${expected}:\n${said.out}${said.err}`)), reject);
    look();
  });
}

/** The kubeconfig of somebody else: `{ token }`, or `{ cert }` with the key of the signing request. */
function configFor({ token, cert }) {
  if (token !== undefined) issued.push(token);
  const { out } = syncKubectl(['config', 'view', '--raw', '--flatten', '-o', 'json']);
  const config = JSON.parse(out);
  const base64 = (text) => Buffer.from(text).toString('base64');
  const key = readFileSync(join(files, 'tls.key'), 'utf8');
  for (const user of config.users) user.user = token === undefined ? { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) } : { token };
  const file = join(dir, `${token === undefined ? 'certificate' : 'token'}.kubeconfig`);
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function syncKubectl(words) {
  const { stdout, stderr, status } = spawnSync(options.kubectl, ['--kubeconfig', kubeconfig, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return { out: stdout };
}

async function inParallel(items, width, work) {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
