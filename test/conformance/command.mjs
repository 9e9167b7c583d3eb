#!/usr/bin/env node
// The command as a newcomer uses it: what it prints, what it says when something is wrong, its sub-commands, and a state that is exported and imported.
//   node test/conformance/command.mjs
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, root } from '../support/server-under-test.mjs';

const program = join(root, 'bin/binnacle');
const dir = mkdtempSync(join(tmpdir(), 'binnacle-command-'));
const running = [];

function run(...words) {
  return runIn({}, ...words);
}

function runIn(env, ...words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', env: { ...process.env, HOME: dir, ...env } });
  return { status, stdout, stderr };
}

/** Resolves with what it has printed when it is ready. */
async function serve(...flags) {
  const child = spawn(program, ['--bind-address=127.0.0.1', ...flags], { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, HOME: dir } });
  running.push(child);
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (/Try:\n( .*\n){3}/.test(printed)) return { child, printed };
  }
  throw new Error(`it ended: ${printed}`);
}

async function stop({ child }) {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}

const checks = {
  'the help fits on a screen and every flag is behind --help-all': () => {
    const { status, stdout } = run('--help');
    assert.equal(status, 0);
    assert.ok(stdout.split('\n').length < 60, 'longer than a screen');
    assert.ok(run('serve', '--help').stdout === stdout);
    assert.ok(run('--help-all').stdout.includes('--audit-webhook-batch-max-size'));
    assert.ok(!stdout.includes('--audit-webhook-batch-max-size'));
    for (const command of ['kubeconfig', 'export', 'import', 'nodes', 'stages', 'completion', 'version']) assert.equal(run(command, '--help').status, 0);
    assert.match(run('version').stdout, /^binnacle \d+\.\d+\.\d+, Kubernetes v1\.36/);
  },
  'a wrong command line is one sentence with the nearest right word, and exit code 2': () => {
    assert.deepEqual(run('--secure-prot=1'), { status: 2, stdout: '', stderr: 'Error: unknown flag: --secure-prot; did you mean --secure-port?\n' });
    assert.deepEqual(run('exprot'), { status: 2, stdout: '', stderr: 'Error: unknown command "exprot"; did you mean export?\n' });
    assert.deepEqual(run('export', '--ouput=x'), { status: 2, stdout: '', stderr: 'Error: unknown flag: --ouput; did you mean --output?\n' });
    assert.equal(run('--secure-port=many').status, 2);
    assert.equal(run('import').status, 2);
    assert.equal(run('completion', 'tcsh').status, 2);
    assert.match(run('kubeconfig', `--data-dir=${dir}/none`).stderr, /^Error: .*\/none has no kubeconfig yet: a first start of the server there makes it\n$/);
  },
  'a port that is taken is named, and exit code 3': async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address();
    const { status, stderr } = await runAsync('--memory', '--bind-address=127.0.0.1', `--secure-port=${port}`);
    assert.equal(status, 3);
    assert.match(stderr, new RegExp(`Error: port ${port} is taken by another program; choose another one with --secure-port\n$`));
    const other = await runAsync('--memory', '--bind-address=127.0.0.1', '--secure-port=0', `--insecure-port=${port}`);
    assert.equal(other.status, 3);
    assert.match(other.stderr, /--insecure-port\n$/);
    taken.close();
  },
  'the banner tells address, kubeconfig and three lines to try; a second server on the directory exits with code 4': async () => {
    const server = await serve(`--data-dir=${dir}/one`, '--secure-port=0');
    assert.match(server.printed, /address +https:\/\/127\.0\.0\.1:\d+\n/);
    assert.ok(server.printed.includes(`${dir}/one/admin.kubeconfig`));
    const second = run('--bind-address=127.0.0.1', '--secure-port=0', `--data-dir=${dir}/one`);
    assert.equal(second.status, 4);
    assert.match(second.stderr, /Error: the data directory .* is in use by another server: process \d+ on /);
    assert.equal(run('kubeconfig', `--data-dir=${dir}/one`).stdout, readFileSync(join(dir, 'one/admin.kubeconfig'), 'utf8'));
    const elsewhere = JSON.parse(run('kubeconfig', `--data-dir=${dir}/one`, '--server=https://k8s.example:6443').stdout);
    assert.equal(elsewhere.clusters[0].cluster.server, 'https://k8s.example:6443');
    await stop(server);
  },
  'curl without a credential is the administrator on the insecure port': async () => {
    const port = await freePort();
    const server = await serve('--memory', `--data-dir=${dir}/insecure`, '--secure-port=0', `--insecure-port=${port}`);
    assert.ok(server.printed.includes(`curl http://localhost:${port}/api/v1/namespaces`));
    assert.equal((await fetch(`http://localhost:${port}/api/v1/pods`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/pods`, { headers: { origin: 'https://evil.example' } })).status, 403);
    await stop(server);
  },
  'a state that is exported is imported into another server, and exported again as the same objects': async () => {
    const one = await serve('--memory', '--nodes=0', `--data-dir=${dir}/from`, '--secure-port=0');
    const manifest = Array.from(
      { length: 600 },
      (_, i) => `---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: m${i}, namespace: default }\ndata: { i: "${i}" }\n`,
    );
    writeFileSync(join(dir, 'in.yaml'), manifest.join(''));
    assert.match(run('import', join(dir, 'in.yaml'), `--data-dir=${dir}/from`).stderr, /imported 600 objects: 600 created, 0 updated, 0 refused\n$/);
    const exported = run('export', `--data-dir=${dir}/from`, `--output=${dir}/state.yaml`);
    assert.equal(exported.status, 0, exported.stderr);
    assert.equal(statSync(join(dir, 'state.yaml')).mode & 0o777, 0o600);
    const two = await serve('--memory', '--nodes=0', `--data-dir=${dir}/to`, '--secure-port=0');
    const imported = run('import', join(dir, 'state.yaml'), `--data-dir=${dir}/to`);
    assert.equal(imported.status, 0, imported.stderr);
    const titles = (text) => [...text.matchAll(/^kind: (\w+)\nmetadata:\n {2}name: (\S+)/gm)].map(([, kind, name]) => `${kind} ${name}`).sort();
    const before = titles(readFileSync(join(dir, 'state.yaml'), 'utf8'));
    assert.ok(before.length > 600);
    assert.deepEqual(titles(run('export', `--data-dir=${dir}/to`).stdout), before);
    await Promise.all([stop(one), stop(two)]);
    assert.match(run('export', `--data-dir=${dir}/to`).stderr, /^Error: no server answers where the kubeconfig says: is it running\?\n$/);
    writeFileSync(join(dir, 'bad.yaml'), 'a: [');
    assert.match(run('import', join(dir, 'bad.yaml'), `--data-dir=${dir}/to`).stderr, /^Error: the document at line 1 is no YAML/);
    assert.match(run('import', join(dir, 'nowhere.yaml'), `--data-dir=${dir}/to`).stderr, /^Error: .*nowhere\.yaml/);
  },
  'authorities that no kubeconfig names are trusted where SSL_CERT_FILE or NODE_EXTRA_CA_CERTS names them, and plugins see what the user has set': async () => {
    const server = await serve('--memory', '--nodes=0', `--data-dir=${dir}/trusted`, '--secure-port=0');
    const config = JSON.parse(run('kubeconfig', `--data-dir=${dir}/trusted`).stdout);
    const ca = join(dir, 'trusted-ca.crt');
    writeFileSync(ca, Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64'));
    delete config.clusters[0].cluster['certificate-authority-data'];
    const { 'client-certificate-data': cert, 'client-key-data': key } = config.users[0].user;
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { clientCertificateData: String(Buffer.from(cert, 'base64')), clientKeyData: String(Buffer.from(key, 'base64')) },
    };
    writeFileSync(join(dir, 'credential.json'), JSON.stringify(credential));
    const [seen, kubeconfig] = [join(dir, 'seen'), join(dir, 'trusting.kubeconfig')];
    const args = ['-c', `printf %s "$SSL_CERT_FILE,$NODE_EXTRA_CA_CERTS" > ${seen}; cat ${dir}/credential.json`];
    config.users[0].user = { exec: { apiVersion: credential.apiVersion, command: 'sh', args, interactiveMode: 'Never' } };
    writeFileSync(kubeconfig, JSON.stringify(config));
    const exported = (env) => runIn({ SSL_CERT_FILE: '', NODE_EXTRA_CA_CERTS: '', ...env }, 'export', `--kubeconfig=${kubeconfig}`);
    assert.match(exported({}).stderr, /certificate/);
    for (const name of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
      const { status, stderr } = exported({ [name]: ca });
      assert.equal(status, 0, stderr);
      assert.equal(readFileSync(seen, 'utf8'), name === 'SSL_CERT_FILE' ? `${ca},` : `,${ca}`);
    }
    await stop(server);
  },
  'bash completes commands and flags': () => {
    const ask = (...words) => {
      const script = `source <(${program} completion bash); COMP_WORDS=(binnacle ${words.join(' ')}); COMP_CWORD=${words.length}; _binnacle; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n');
    };
    assert.deepEqual(ask('exp'), ['export']);
    assert.deepEqual(ask('export', '--kub'), ['--kubeconfig']);
    assert.deepEqual(ask('completion', 'f'), ['fish']);
    assert.deepEqual(ask('--insecure-p'), ['--insecure-port']);
    for (const shell of ['zsh', 'fish']) {
      const { status, stdout } = run('completion', shell);
      assert.equal(status, 0);
      assert.ok(stdout.includes('secure-port'));
      if (spawnSync('which', [shell]).status === 0) assert.equal(spawnSync(shell, ['-n'], { input: stdout }).status, 0, `${shell} does not read it`);
    }
  },
};

async function runAsync(...words) {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: dir } });
  running.push(child);
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [status] = await once(child, 'close');
  return { status, stderr };
}

let failed = 0;
try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      console.log(`ok   ${name}`);
    } catch (problem) {
      failed++;
      console.log(`FAIL ${name}\n${problem.stack}`);
    }
  }
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
