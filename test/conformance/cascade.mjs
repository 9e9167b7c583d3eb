#!/usr/bin/env node
// kubectl delete --cascade=foreground|orphan|background --wait for every kind that owns others: what is left when it returns, and in the end.
// The owners and what they own are made here, as the controllers of workloads make them; ours collects.
//   node test/conformance/cascade.mjs [--kubectl PATH] [--bundle] [--server URL]
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ask } from '../fault/hostile-client.mjs';
import { bin } from '../support/control-plane-programs.mjs';
import { startServer } from '../support/server-under-test.mjs';

const run = promisify(execFile);
const { values: options } = parseArgs({
  options: { kubectl: { type: 'string', default: join(bin, 'kubectl') }, bundle: { type: 'boolean' }, server: { type: 'string' } },
});
if (!existsSync(options.kubectl)) {
  console.log('SKIPPED: there is no kubectl (set KUBECTL=/path/to/kubectl)');
  process.exit(0);
}
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always' } };
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: { app: 'x' } };
const boats = '/apis/cascade.example.com/v1';

/** Path of the group-version, resource, apiVersion, kind and the rest of an object beside its metadata. */
const kinds = {
  deployment: ['/apis/apps/v1', 'deployments', 'apps/v1', 'Deployment', { spec: { selector, template } }],
  replicaset: ['/apis/apps/v1', 'replicasets', 'apps/v1', 'ReplicaSet', { spec: { selector, template } }],
  statefulset: ['/apis/apps/v1', 'statefulsets', 'apps/v1', 'StatefulSet', { spec: { serviceName: 's', selector, template } }],
  daemonset: ['/apis/apps/v1', 'daemonsets', 'apps/v1', 'DaemonSet', { spec: { selector, template } }],
  controllerrevision: ['/apis/apps/v1', 'controllerrevisions', 'apps/v1', 'ControllerRevision', { revision: 1, data: {} }],
  job: ['/apis/batch/v1', 'jobs', 'batch/v1', 'Job', { spec: { template: once } }],
  cronjob: ['/apis/batch/v1', 'cronjobs', 'batch/v1', 'CronJob', { spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: once } } } }],
  replicationcontroller: ['/api/v1', 'replicationcontrollers', 'v1', 'ReplicationController', { spec: { selector: { app: 'x' }, template } }],
  pod: ['/api/v1', 'pods', 'v1', 'Pod', { spec: { ...once.spec, automountServiceAccountToken: false } }],
  boat: [boats, 'boats', 'cascade.example.com/v1', 'Boat', {}],
  configmap: ['/api/v1', 'configmaps', 'v1', 'ConfigMap', {}],
};
/** What an owner of each kind owns, and what that owns. */
const owned = {
  deployment: { replicaset: { pod: {} } },
  replicaset: { pod: {} },
  statefulset: { pod: {}, controllerrevision: {} },
  daemonset: { pod: {}, controllerrevision: {} },
  job: { pod: {} },
  cronjob: { job: { pod: {} } },
  replicationcontroller: { pod: {} },
  boat: { boat: { configmap: {} }, pod: {} },
};
/** Those of workloads would make more pods, and adopt. */
const alone = ['garbage-collector-controller', 'namespace-controller', 'serviceaccount-controller'];
const policies = ['foreground', 'orphan', 'background'];
const agent = new https.Agent({ keepAlive: true, maxSockets: 16 });
const server = options.server
  ? { url: options.server, stop: async () => {} }
  : await startServer({ flags: [`--controllers=${alone.join(',')}`], ...(options.bundle && { from: 'bundle' }) });
const count = { passed: 0, failed: 0 };
try {
  await defineBoats();
  // Each policy in a namespace of its own, all at once: kubectl takes longer to start than the server to delete.
  await Promise.all(policies.map(deleteAll));
} finally {
  agent.destroy();
  await server.stop();
}
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 && count.passed === policies.length * Object.keys(owned).length ? 0 : 1;

async function deleteAll(policy) {
  const namespace = `cascade-${policy}`;
  await must('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await poll(async () => (await to('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`)).code === 200);
  for (const [kind, below] of Object.entries(owned)) {
    try {
      await deleteOne(policy, namespace, kind, below);
      count.passed++;
      console.log(`ok   ${kind} ${policy}`);
    } catch (problem) {
      count.failed++;
      console.log(`FAIL ${kind} ${policy}: ${problem}`);
    }
  }
}

async function deleteOne(policy, namespace, kind, below) {
  const owner = await make(namespace, kind, `the-${kind}`);
  const bystander = await make(namespace, 'configmap', `beside-${kind}`);
  const all = await makeBelow(owner, below);
  // As they were made: nothing goes while its owner is there.
  assert.deepEqual(
    await states(all),
    all.map(({ owners }) => owners),
  );
  const words = ['--server', server.url, '--token', 'admin-token', '--insecure-skip-tls-verify', '-n', namespace];
  const { stdout } = await run(options.kubectl, [...words, 'delete', named(kind), owner.name, `--cascade=${policy}`, '--wait', '--timeout=20s']);
  assert.match(stdout, new RegExp(`"${owner.name}" deleted`));
  assert.equal((await to('GET', owner.path)).code, 404, 'kubectl returned while the owner was there');
  const gone = all.map(() => 'gone');
  if (policy === 'foreground') assert.deepEqual(await states(all), gone, 'kubectl returned while something that blocks its owner was there');
  if (policy === 'background') await poll(async () => (await states(all)).every((state) => state === 'gone'));
  if (policy === 'orphan')
    assert.deepEqual(
      await states(all),
      all.map(({ owners }) => (owners === owner.uid ? '' : owners)),
    );
  assert.equal((await to('GET', bystander.path)).code, 200, 'something else went');
}

/** Resolves to all that was made: what is owned before what that owns. */
async function makeBelow(owner, below) {
  const made = [];
  for (const [kind, further] of Object.entries(below)) {
    const object = await make(owner.namespace, kind, `${owner.name}-${kind}`, owner);
    made.push(object, ...(await makeBelow(object, further)));
  }
  return made;
}

async function make(namespace, kind, name, owner) {
  const [group, plural, apiVersion, kindName, rest] = kinds[kind];
  const reference = owner && { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.name, uid: owner.uid, controller: true, blockOwnerDeletion: true };
  const metadata = { name, ...(reference && { ownerReferences: [reference] }) };
  const collection = `${group}/namespaces/${namespace}/${plural}`;
  const { uid } = (await must('POST', collection, { apiVersion, kind: kindName, metadata, ...rest })).metadata;
  return { namespace, name, uid, apiVersion, kind: kindName, path: `${collection}/${name}`, owners: owner?.uid ?? '' };
}

/** Of each object: that it is gone (or another one, or on its way), or the uids of its owners. */
async function states(objects) {
  return await Promise.all(
    objects.map(async ({ path, uid }) => {
      const { code, body } = await to('GET', path);
      const { metadata } = JSON.parse(body);
      if (code === 404 || metadata.uid !== uid) return 'gone';
      return metadata.deletionTimestamp ? 'going' : (metadata.ownerReferences ?? []).map((reference) => reference.uid).join();
    }),
  );
}

function named(kind) {
  return kind === 'boat' ? 'boats.cascade.example.com' : kind;
}

async function defineBoats() {
  const schema = { openAPIV3Schema: { type: 'object' } };
  const spec = {
    group: 'cascade.example.com',
    scope: 'Namespaced',
    names: { plural: 'boats', kind: 'Boat' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  };
  await must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'boats.cascade.example.com' }, spec });
  await poll(async () => (await to('GET', `${boats}/boats`)).code === 200);
}

async function must(method, path, body) {
  const { code, body: answer } = await to(method, path, body);
  assert.ok(code < 300, `${method} ${path}: ${answer}`);
  return JSON.parse(answer);
}

function to(method, path, body) {
  return ask(server, { method, path, agent, headers: body ? { 'content-type': 'application/json' } : {}, ...(body && { body: JSON.stringify(body) }) });
}

async function poll(isSo) {
  const gaveUp = Date.now() + 20_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < gaveUp, `waited in vain for ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
