#!/usr/bin/env node
// The official JavaScript client, with the kubeconfig that a first start writes: every verb, list in pages, watch, informer.
//   node test/conformance/client-node.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiException, CoreV1Api, KubeConfig, makeInformer, PatchStrategy, setHeaderOptions, Watch } from '@kubernetes/client-node';
import { freePort, root, untilReady } from '../support/server-under-test.mjs';

const namespace = 'node-client';
const patienceMs = 20_000;

const dir = mkdtempSync(join(tmpdir(), 'binnacle-client-node-'));
const port = await freePort();
const server = spawn(join(root, 'bin/binnacle'), ['--memory', `--data-dir=${dir}`, '--bind-address=127.0.0.1', `--secure-port=${port}`], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
process.once('exit', () => server.kill('SIGKILL'));
let failures = 0;
try {
  await untilReady(port, server);
  const config = new KubeConfig();
  config.loadFromFile(join(dir, 'admin.kubeconfig'));
  const api = config.makeApiClient(CoreV1Api);
  await check('creates, reads, replaces and patches', () => writes(api));
  await check('reads a refusal as a Status', () => refusals(api));
  await check('lists in pages that make up the list', () => pages(api));
  await check('watches changes in their order, and only what it selects', () => watches(config, api));
  await check('an informer ends up with what the server has', () => informs(config, api));
} finally {
  server.kill('SIGTERM');
  rmSync(dir, { recursive: true, force: true });
}
// Sockets that the client keeps must not keep the test.
process.exit(failures === 0 ? 0 : 1);

async function check(what, test) {
  const late = deferred();
  const timer = setTimeout(() => late.reject(new Error(`nothing came of it in ${patienceMs} ms`)), patienceMs);
  try {
    await Promise.race([test(), late.promise]);
    console.log(`ok   ${what}`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${what}\n${error.stack}`);
  } finally {
    clearTimeout(timer);
  }
}

async function writes(api) {
  await api.createNamespace({ body: { metadata: { name: namespace } } });
  const created = await create(api, 'first', { labels: { tier: 'a' } });
  assert.ok(created.metadata.creationTimestamp instanceof Date);
  const read = await api.readNamespacedConfigMap({ namespace, name: 'first' });
  assert.deepEqual(read.data, { k: 'first' });
  const replaced = await api.replaceNamespacedConfigMap({ namespace, name: 'first', body: { ...read, data: { k: 'second' } } });
  assert.notEqual(replaced.metadata.resourceVersion, read.metadata.resourceVersion);
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  const patched = await api.patchNamespacedConfigMap({ namespace, name: 'first', body: { data: { more: 'x' } } }, merge);
  assert.deepEqual(patched.data, { k: 'second', more: 'x' });
}

async function refusals(api) {
  await assert.rejects(api.readNamespacedConfigMap({ namespace, name: 'absent' }), (error) => {
    assert.ok(error instanceof ApiException);
    assert.equal(error.code, 404);
    assert.equal(JSON.parse(error.body).message, 'configmaps "absent" not found');
    return true;
  });
  await assert.rejects(create(api, 'first'), (error) => error.code === 409);
}

async function pages(api) {
  for (let i = 0; i < 7; i++) await create(api, `page-${i}`, { labels: { paged: 'yes' } });
  const names = [];
  let token;
  let count = 0;
  do {
    const page = await api.listNamespacedConfigMap({ namespace, labelSelector: 'paged=yes', limit: 3, _continue: token });
    names.push(...page.items.map(({ metadata }) => metadata.name));
    token = page.metadata._continue;
    count++;
  } while (token);
  assert.equal(count, 3);
  assert.deepEqual(
    names,
    Array.from({ length: 7 }, (_, i) => `page-${i}`),
  );
}

async function watches(config, api) {
  const { metadata } = await api.listNamespacedConfigMap({ namespace });
  const seen = [];
  const complete = deferred();
  const query = { resourceVersion: metadata.resourceVersion, labelSelector: 'watched=yes' };
  const heard = (type, object) => {
    seen.push(`${type} ${object.metadata.name}`);
    if (seen.length === 4) complete.resolve();
  };
  const controller = await new Watch(config).watch(`/api/v1/namespaces/${namespace}/configmaps`, query, heard, () => {});
  await create(api, 'unwatched');
  const object = await create(api, 'w', { labels: { watched: 'yes' } });
  await api.replaceNamespacedConfigMap({ namespace, name: 'w', body: { ...object, data: { k: 'changed' } } });
  await create(api, 'v', { labels: { watched: 'yes' } });
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
  await api.patchNamespacedConfigMap({ namespace, name: 'w', body: { metadata: { labels: { watched: null } } } }, merge);
  await complete.promise;
  controller.abort();
  assert.deepEqual(seen, ['ADDED w', 'MODIFIED w', 'ADDED v', 'DELETED w']);
}

async function informs(config, api) {
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () => api.listNamespacedConfigMap({ namespace }));
  const known = new Map();
  const [last, gone] = [deferred(), deferred()];
  const put = (object) => {
    known.set(object.metadata.name, object.metadata.resourceVersion);
    if (object.metadata.name === 'last') last.resolve();
  };
  informer.on('add', put);
  informer.on('update', put);
  informer.on('delete', ({ metadata: { name } }) => {
    known.delete(name);
    if (name === 'page-0') gone.resolve();
  });
  informer.on('error', (error) => last.reject(error));
  await informer.start();
  await create(api, 'last');
  await last.promise;
  await api.deleteNamespacedConfigMap({ namespace, name: 'page-0' });
  await gone.promise;
  await informer.stop();
  const { items } = await api.listNamespacedConfigMap({ namespace });
  assert.deepEqual(new Map([...known].sort()), new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]).sort()));
  assert.ok(known.has('last') && !known.has('page-0'));
}

function create(api, name, metadata = {}) {
  return api.createNamespacedConfigMap({ namespace, body: { metadata: { name, ...metadata }, data: { k: name } } });
}

function deferred() {
  let settle;
  const promise = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}
