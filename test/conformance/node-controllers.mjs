#!/usr/bin/env node
// Our controllers of nodes beside the original's: the same nodes that play and the same operations on Binnacle alone, and on a real kube-apiserver
// with the real kube-controller-manager, where `binnacle nodes` plays them over HTTPS. Then the same nodes, pods and Events are left.
//   node test/conformance/node-controllers.mjs [--bundle] [--show] [--long]
// --long also waits for the pods of a node that was deleted, for which the original takes more than a minute.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, startOriginal } from '../support/control-plane-programs.mjs';
import { root, startServer } from '../support/server-under-test.mjs';
import { ask } from '../fault/hostile-client.mjs';
import { compareStates } from './compare-states.mjs';
import { comparable } from './walk.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' }, show: { type: 'boolean' }, long: { type: 'boolean' } } });
for (const program of ['kube-apiserver', 'etcd', 'kube-controller-manager']) {
  if (existsSync(join(bin, program))) continue;
  console.error(`SKIPPED: there is no ${program} in ${bin} (../shared/reference-server/install)`);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const controllers = [
  'node-lifecycle-controller',
  'taint-eviction-controller',
  'node-ipam-controller',
  'pod-garbage-collector-controller',
  'ttl-controller',
  'serviceaccount-controller',
];
const flags = ['--node-monitor-period=500ms', '--node-monitor-grace-period=16s', '--node-eviction-rate=100', '--cluster-cidr=10.244.0.0/16'];
const merge = 'application/merge-patch+json';
const pods = '/api/v1/namespaces/default/pods';
const patienceMs = 120_000;

const [ours, theirs] = await Promise.all([stateOfOurs(), stateOfTheirs()]);
compareStates(ours, theirs, options.show);

async function stateOfOurs() {
  const server = await startServer({ flags: ['--nodes=4', ...flags, `--controllers=${controllers.join(',')}`], ...(options.bundle && { from: 'bundle' }) });
  try {
    return await walk(async (method, path, body, type = 'application/json') => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) };
      const answer = await ask(server, { method, path, headers, body: text });
      return { code: answer.code, text: answer.body.toString() };
    });
  } finally {
    await server.stop();
  }
}

async function stateOfTheirs() {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-node-controllers-'));
  const original = await startOriginal(controllers, undefined, [...flags, '--allocate-node-cidrs=true']);
  const player = playNodes(original, dir);
  try {
    return await walk(original.ask);
  } finally {
    player.kill();
    await original.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

function playNodes({ url, pki }, dir) {
  const file = join(dir, 'admin.kubeconfig');
  const cluster = { server: url, 'certificate-authority': join(pki, 'ca.crt') };
  const named = {
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: { token: 'admin-token' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...named, 'current-context': 'x' }));
  const program = options.bundle ? [join(root, 'bin/binnacle')] : [process.execPath, '--import', 'tsx', join(root, 'src/app/binnacle.ts')];
  const [command, ...words] = [...program, 'nodes', `--kubeconfig=${file}`, '--nodes=4'];
  const child = spawn(command, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function walk(send) {
  const call = async (...words) => {
    const { code, text } = await send(...words);
    if (code >= 300) throw new Error(`${words[0]} ${words[1]}: ${code} ${text}`);
    return JSON.parse(text);
  };
  const until = async (holds, what) => {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(100)) if (await holds()) return;
    throw new Error(`waited ${patienceMs / 1000} s in vain: ${what}`);
  };
  const node = (name) => call('GET', `/api/v1/nodes/${name}`);
  const taintsOf = async (name) => ((await node(name)).spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`);
  const isGone = async (name) => (await send('GET', `${pods}/${name}`)).code === 404;
  const pod = async (name, nodeName, tolerations = [], more = {}) => {
    const spec = { nodeName, tolerations, containers: [{ name: 'c', image: 'i' }], automountServiceAccountToken: false };
    await call('POST', pods, { metadata: { name, ...more }, spec });
    if (nodeName) await until(async () => (await call('GET', `${pods}/${name}`)).status.phase === 'Running', `${name} to run`);
  };
  const patchNode = (name, patch) => call('PATCH', `/api/v1/nodes/${name}`, patch, merge);
  const always = [{ operator: 'Exists' }];
  const shortly = [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 }];

  await until(async () => (await send('GET', '/api/v1/namespaces/default/serviceaccounts/default')).code === 200, 'the account of pods');
  for (const name of ['node-0', 'node-1', 'node-2', 'node-3']) {
    await until(async () => (await send('GET', `/api/v1/nodes/${name}`)).code === 200, `${name} to be registered`);
    await until(async () => (await taintsOf(name)).length === 0 && (await node(name)).spec.podCIDR !== undefined, `${name} to be ready`);
  }
  // A taint by hand: who does not tolerate it goes at once, who tolerates it for a time goes then, unless it is taken away before.
  await pod('intolerant', 'node-0');
  await pod('patient', 'node-0', always);
  await pod('brief', 'node-0', shortly);
  await pod('saved', 'node-0', [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 600 }]);
  await patchNode('node-0', { spec: { taints: [{ key: 'example.com/away', effect: 'NoExecute' }] } });
  await until(async () => (await isGone('intolerant')) && (await isGone('brief')), 'intolerant pods to go');
  await patchNode('node-0', { spec: { taints: null } });
  await patchNode('node-2', { spec: { unschedulable: true } });
  await until(async () => (await taintsOf('node-2')).length === 1, 'the taint of a cordoned node');
  await patchNode('node-2', { metadata: { labels: { 'kubernetes.io/arch': 'arm64' } } });
  // A node that falls silent, with a pod that may stay and one that may not.
  await pod('kept', 'node-1', always);
  await pod('marked', 'node-1', shortly);
  await patchNode('node-1', { metadata: { annotations: { 'nodes.binnacle.dev/heartbeat': 'stopped' } } });
  await until(async () => (await taintsOf('node-1')).length === 2, 'node-1 to be given up');
  await until(async () => (await call('GET', `${pods}/marked`)).metadata.deletionTimestamp !== undefined, 'the pod of a silent node to be marked');
  await pod('late', undefined, always);
  await call('POST', `${pods}/late/binding`, { metadata: { name: 'late' }, target: { kind: 'Node', name: 'node-1' } });
  // Pods that nobody would ever end.
  await pod('unplaced', undefined, always, { finalizers: ['example.com/held'] });
  await call('DELETE', `${pods}/unplaced`);
  await until(async () => (await call('GET', `${pods}/unplaced`)).status.phase === 'Failed', 'an unplaced pod to be collected');
  if (options.long) {
    await pod('orphan', 'node-3', always, { finalizers: ['example.com/held'] });
    await call('DELETE', '/api/v1/nodes/node-3');
    await until(async () => (await call('GET', `${pods}/orphan`)).status.phase === 'Failed', 'the pod of a node that is gone to be collected');
  }
  await sleep(3_000);
  return stateOf(call);
}

/** Addresses and networks are handed out in any order; images of the server differ. */
function withoutChance(object) {
  const text = JSON.stringify(comparable(object)).replaceAll(/"10\.(244|128)\.\d+\.\d+(\/24)?"/g, '"*"');
  return JSON.parse(text);
}

async function stateOf(call) {
  const state = {};
  for (const item of (await call('GET', '/api/v1/nodes')).items) {
    const { metadata, spec, status } = item;
    const conditions = status.conditions.map(({ lastHeartbeatTime: _, ...rest }) => rest);
    const told = {
      labels: metadata.labels,
      annotations: metadata.annotations,
      spec: { ...spec, taints: (spec.taints ?? []).map(({ timeAdded: _, ...rest }) => rest) },
      conditions,
    };
    state[`node/${metadata.name}`] = withoutChance(told);
  }
  for (const item of (await call('GET', pods)).items) {
    const { managedFields: _, ...metadata } = item.metadata;
    state[`pod/${metadata.name}`] = withoutChance({ metadata, spec: item.spec, status: item.status });
  }
  for (const { involvedObject, reason, type, message, source } of (await call('GET', '/api/v1/namespaces/default/events')).items) {
    // Told when the node was changed by somebody else three times in a row, and mended by the next try: a matter of chance.
    if (reason === 'CIDRAssignmentFailed') continue;
    state[`event/${involvedObject.kind}/${involvedObject.name} ${reason} ${message}`] = { type, source };
  }
  return state;
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
