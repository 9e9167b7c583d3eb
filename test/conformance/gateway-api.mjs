#!/usr/bin/env node
// The tests that gateway-api has for the validation rules of its own definitions (standard channel), against a server of our own.
//   node test/conformance/gateway-api.mjs [--bundle] [--program FILE]   FILE: the tests, built before
// Definitions and tests come from the project's Go module, which Go downloads by name: nothing of it is kept here.
import { execFileSync, spawnSync } from 'node:child_process';
import https from 'node:https';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { startServer } from '../support/server-under-test.mjs';

const module = 'sigs.k8s.io/gateway-api@v1.4.0';
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const { values: options } = parseArgs({ options: { bundle: { type: 'boolean', default: false }, program: { type: 'string' } } });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
if (spawnSync('go', ['version']).status !== 0) {
  console.error('SKIPPED: there is no Go, which downloads and builds the tests');
  process.exit(0);
}
const { Dir: folder } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
const dir = mkdtempSync(join(tmpdir(), 'binnacle-gateway-api-'));
let code = 1;
try {
  code = await run(options.program ?? build());
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exit(code);

function build() {
  const program = join(dir, 'cel.test');
  const { status } = spawnSync('go', ['test', '-c', '-tags', 'standard', '-o', program, './pkg/test/cel'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0 || !existsSync(program)) throw new Error('the tests could not be built');
  return program;
}

async function run(program) {
  const server = await startServer({ dir, from: options.bundle ? 'bundle' : 'sources' });
  try {
    for (const definition of definitions()) await define(server.url, definition);
    const env = { ...process.env, KUBECONFIG: kubeconfigOf(server) };
    const { status, stdout } = spawnSync(program, ['-test.v'], { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 26 });
    const count = (what) => [...stdout.matchAll(new RegExp(`^    --- ${what}: `, 'gm'))].length;
    for (const [failure] of stdout.matchAll(/^ *--- FAIL: .*\n(?: {8}.*\n)*/gm)) console.log(failure);
    console.log(`gateway-api's own tests: ${count('PASS')} subtests passed, ${count('FAIL')} failed`);
    return status === 0 && count('PASS') > 100 ? 0 : 1;
  } finally {
    await server.stop();
  }
}

function kubeconfigOf({ url, pki }) {
  const file = join(dir, 'kubeconfig');
  const cluster = { server: url, 'certificate-authority': join(pki, 'ca.crt') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'own', cluster }],
    users: [{ name: 'admin', user: { token: 'admin-token' } }],
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'admin' } }],
    'current-context': 'own',
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

function definitions() {
  const channel = join(folder, 'config/crd/standard');
  const files = readdirSync(channel).filter((name) => name.endsWith('.yaml'));
  const documents = files.flatMap((name) => parseAllDocuments(readFileSync(join(channel, name), 'utf8')).map((document) => document.toJSON()));
  return documents.filter((document) => document?.kind === 'CustomResourceDefinition');
}

/** Resolves when the definition is served. */
async function define(url, definition) {
  const { status } = await ask(url, 'POST', definitionsPath, definition);
  if (status !== 201) throw new Error(`POST of ${definition.metadata.name}: ${status}`);
  for (const begun = Date.now(); Date.now() - begun < 30_000; ) {
    const { body } = await ask(url, 'GET', `${definitionsPath}/${definition.metadata.name}`);
    if (body.status?.conditions?.some(({ type, status: truth }) => type === 'Established' && truth === 'True')) return;
  }
  throw new Error(`${definition.metadata.name} is not established`);
}

function ask(url, method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
    const request = https.request(`${url}${path}`, { method, headers, rejectUnauthorized: false }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }));
    });
    request.on('error', reject).end(body && JSON.stringify(body));
  });
}
