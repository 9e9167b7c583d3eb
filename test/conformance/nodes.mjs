#!/usr/bin/env node
// Nodes that play, with kubectl as people use it: what `kubectl describe node` says, a pod that runs, one that ends, one that crashes, a drain, a
// deletion with its grace period, a rollout and a Job.
//   node test/conformance/nodes.mjs [--kubectl PATH] [--bundle]
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bin } from '../support/control-plane-programs.mjs';
import { startServer } from '../support/server-under-test.mjs';

const run = promisify(execFile);
const { values: options } = parseArgs({ options: { kubectl: { type: 'string', default: join(bin, 'kubectl') }, bundle: { type: 'boolean' } } });
if (!existsSync(options.kubectl)) {
  console.log('SKIPPED: there is no kubectl (set KUBECTL=/path/to/kubectl)');
  process.exit(0);
}
const dir = mkdtempSync(join(tmpdir(), 'binnacle-nodes-'));
const server = await startServer({ dir, flags: ['--nodes=2'], ...(options.bundle && { from: 'bundle' }) });
const access = ['--server', server.url, '--token', 'admin-token', '--insecure-skip-tls-verify', '--cache-dir', join(dir, 'cache')];

/** What it printed; throws when it failed. */
async function kubectl(...words) {
  return (await run(options.kubectl, [...access, ...words], { env: { PATH: process.env.PATH, HOME: dir } })).stdout;
}

async function refused(...words) {
  try {
    await kubectl(...words);
  } catch (problem) {
    return problem.stderr;
  }
  throw new Error(`kubectl ${words.join(' ')} was expected to fail`);
}

async function until(holds, what) {
  for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) if (await holds()) return;
  throw new Error(`waited in vain: ${what}`);
}

function onNode(node, more = {}) {
  return ['--overrides', JSON.stringify({ spec: { nodeName: node, ...more } })];
}

const steps = {
  'nodes are there, ready, and say that nothing runs on them': async () => {
    await kubectl('wait', '--for=condition=Ready', 'node/node-0', 'node/node-1', '--timeout=20s');
    const described = await kubectl('describe', 'node', 'node-1');
    for (const part of ['played by Binnacle: nothing runs on this node', 'HolderIdentity:  node-1', 'PodCIDR:', 'Capacity:'])
      assert.ok(described.includes(part), part);
  },
  'a pod runs, and its logs and shells say why there are none': async () => {
    await kubectl('run', 'web', '--image=nginx', ...onNode('node-0'));
    await kubectl('wait', '--for=condition=Ready', 'pod/web', '--timeout=20s');
    assert.match(await kubectl('get', 'pod', 'web'), /web\s+1\/1\s+Running\s+0/);
    assert.match(await refused('logs', 'web'), /nothing runs on this node/);
    assert.match(await refused('exec', 'web', '--', 'ls'), /nothing runs on this node/);
  },
  'a pod that is not restarted completes': async () => {
    await kubectl('run', 'once', '--image=busybox', '--restart=Never', ...onNode('node-0'));
    await kubectl('wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/once', '--timeout=20s');
    assert.match(await kubectl('get', 'pod', 'once'), /once\s+0\/1\s+Completed/);
  },
  'a pod that fails again and again backs off': async () => {
    const annotations = ['--annotations=nodes.binnacle.dev/exit-after=100ms', '--annotations=nodes.binnacle.dev/exit-code=1'];
    await kubectl('run', 'crashing', '--image=nginx', ...annotations, ...onNode('node-0'));
    await until(async () => /CrashLoopBackOff/.test(await kubectl('get', 'pod', 'crashing')), 'CrashLoopBackOff');
    await until(async () => /Back-off restarting failed container crashing/.test(await kubectl('describe', 'pod', 'crashing')), 'the Event of the back-off');
  },
  'a deleted pod has its grace period': async () => {
    await kubectl('run', 'slow', '--image=nginx', '--annotations=nodes.binnacle.dev/stop-after=2s', ...onNode('node-0'));
    await kubectl('wait', '--for=condition=Ready', 'pod/slow', '--timeout=20s');
    await kubectl('delete', 'pod', 'slow', '--wait=false');
    assert.match(await kubectl('get', 'pod', 'slow'), /slow\s+1\/1\s+Terminating/);
    await kubectl('wait', '--for=delete', 'pod/slow', '--timeout=20s');
  },
  'a drained node is empty and takes no new pods': async () => {
    await kubectl('run', 'drained', '--image=nginx', ...onNode('node-1'));
    await kubectl('wait', '--for=condition=Ready', 'pod/drained', '--timeout=20s');
    await kubectl('drain', 'node-1', '--force', '--timeout=20s');
    assert.match(await kubectl('get', 'node', 'node-1'), /Ready,SchedulingDisabled/);
    await until(
      async () => (await kubectl('get', 'node', 'node-1', '-o', 'yaml')).includes('node.kubernetes.io/unschedulable'),
      'the taint of a cordoned node',
    );
    assert.equal(await kubectl('get', 'pods', '--field-selector=spec.nodeName=node-1', '-o', 'name'), '');
    await kubectl('uncordon', 'node-1');
    await until(async () => !(await kubectl('get', 'node', 'node-1', '-o', 'yaml')).includes('node.kubernetes.io/unschedulable'), 'the taint to go');
  },
  'a Deployment is rolled out, over all nodes, and again': async () => {
    await kubectl('create', 'deployment', 'shop', '--image=nginx', '--replicas=3');
    await kubectl('rollout', 'status', 'deployment/shop', '--timeout=30s');
    await kubectl('set', 'image', 'deployment/shop', 'nginx=nginx:2');
    await kubectl('rollout', 'status', 'deployment/shop', '--timeout=30s');
    assert.match(await kubectl('get', 'deployment', 'shop'), /shop\s+3\/3\s+3\s+3/);
  },
  'a Job completes': async () => {
    await kubectl('create', 'job', 'sum', '--image=busybox');
    await kubectl('wait', '--for=condition=Complete', 'job/sum', '--timeout=30s');
  },
};

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  try {
    const began = performance.now();
    await step();
    console.log(`✓ ${name} (${Math.round(performance.now() - began)} ms)`);
  } catch (problem) {
    failed++;
    console.log(`✘ ${name}\n${problem.message}${problem.stderr ?? ''}`);
  }
}
await server.stop();
rmSync(dir, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
