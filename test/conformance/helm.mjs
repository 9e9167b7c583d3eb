#!/usr/bin/env node
// helm 4, built from its Go module, against the bundle: a chart with a definition is installed, upgraded, rolled back, listed and uninstalled.
//   node test/conformance/helm.mjs [--helm PATH]
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/server-under-test.mjs';
import { startTestServer } from '../../dist/testing.mjs';

const version = 'v4.3.1';
const versions = { ConfigMap: 'v1', Service: 'v1', Deployment: 'apps/v1', Ship: 'sea.example.com/v1', PodDisruptionBudget: 'policy/v1' };
const dir = mkdtempSync(join(tmpdir(), 'binnacle-helm-'));
const given = process.argv.includes('--helm') ? process.argv[process.argv.indexOf('--helm') + 1] : undefined;
const program = given ?? builtHelm();
if (program === undefined) process.exit(0);
const server = await startTestServer({ controllers: ['*'] });
let status = 1;
try {
  await walk();
  console.log(`ok   helm ${version}: install with definitions, upgrade, rollback, list, history, uninstall`);
  status = 0;
} catch (problem) {
  console.log(`FAIL helm\n${problem.stack}`);
} finally {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(status);

/** Kept in the cache of Go's builds: the second time takes seconds. */
function builtHelm() {
  if (spawnSync('go', ['version']).status !== 0) {
    console.log('SKIPPED: there is no Go');
    return undefined;
  }
  const env = { ...process.env, GOBIN: join(homedir(), '.cache/binnacle-test') };
  const built = spawnSync('go', ['install', `helm.sh/helm/v4/cmd/helm@${version}`], { env, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`helm could not be built: ${built.stderr}`);
  return join(env.GOBIN, 'helm');
}

async function walk() {
  const chart = join(root, 'test/conformance/helm/harbour');
  await helm('install', 'port', chart, '--namespace', 'sea', '--create-namespace');
  assert.deepEqual(await state(), { text: 'first', cargo: 'first', berth: 1, replicas: 1, budgets: 0 });
  assert.deepEqual(await releases(), [{ name: 'port', revision: '1', status: 'deployed' }]);
  await helm('upgrade', 'port', chart, '--namespace', 'sea', '--set', 'text=second,berths=3');
  assert.deepEqual(await state(), { text: 'second', cargo: 'second', berth: 3, replicas: 3, budgets: 1 });
  await helm('rollback', 'port', '1', '--namespace', 'sea');
  assert.deepEqual(await state(), { text: 'first', cargo: 'first', berth: 1, replicas: 1, budgets: 0 });
  assert.deepEqual(await releases(), [{ name: 'port', revision: '3', status: 'deployed' }]);
  const history = JSON.parse(await helm('history', 'port', '--namespace', 'sea', '--output', 'json'));
  assert.deepEqual(
    history.map((one) => one.status),
    ['superseded', 'superseded', 'deployed'],
  );
  await refused('install', 'port', chart, '--namespace', 'sea');
  await refused('upgrade', 'port', chart, '--namespace', 'sea', '--set', 'berths=-1');
  await helm('uninstall', 'port', '--namespace', 'sea', '--wait');
  assert.deepEqual(await releases(), []);
  for (const kind of ['ConfigMap', 'Service', 'Deployment', 'Ship'])
    assert.deepEqual(
      (await list(kind)).filter(({ metadata: { name } }) => name.startsWith('port')),
      [],
      kind,
    );
  // Definitions outlive the chart that brought them, as helm has it.
  await server.client.get({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, '', 'ships.sea.example.com');
}

async function list(kind) {
  return (await server.client.list({ apiVersion: versions[kind], kind }, 'sea')).items;
}

async function state() {
  const get = (kind, name) => server.client.get({ apiVersion: versions[kind], kind }, 'sea', name);
  const [map, ship, deployment, budgets] = await Promise.all([
    get('ConfigMap', 'port-text'),
    get('Ship', 'port-ship'),
    get('Deployment', 'port'),
    list('PodDisruptionBudget'),
  ]);
  return { text: map.data.text, cargo: ship.spec.cargo, berth: ship.spec.berth, replicas: deployment.spec.replicas, budgets: budgets.length };
}

async function releases() {
  const listed = JSON.parse(await helm('list', '--namespace', 'sea', '--output', 'json'));
  return listed.map(({ name, revision, status: state }) => ({ name, revision: String(revision), status: state }));
}

async function refused(...words) {
  await assert.rejects(() => helm(...words), `helm ${words.join(' ')} should have been refused`);
}

/** Not in one go: the server is in this process. */
async function helm(...words) {
  const env = { ...process.env, KUBECONFIG: server.kubeconfig, HELM_CACHE_HOME: dir, HELM_CONFIG_HOME: dir, HELM_DATA_HOME: dir };
  return (await promisify(execFile)(program, words, { env, timeout: 120_000 })).stdout;
}
