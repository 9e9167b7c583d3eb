#!/usr/bin/env node
// Our controllers of namespaces, owners, service accounts, quotas and roles beside those of the original (a real kube-apiserver with a real
// kube-controller-manager): after the same operations the same objects, conditions, owners of fields and events are left.
//   node test/conformance/core-controllers.mjs [--bundle] [--show]
import https from 'node:https';
import { parseArgs } from 'node:util';
import { asker, missingOriginal, startOriginal } from '../support/control-plane-programs.mjs';
import { startServer } from '../support/server-under-test.mjs';
import { compareStates } from './compare-states.mjs';
import { controllers, CoreWalk } from './core-controllers-walk.mjs';

const { values: options } = parseArgs({ options: { bundle: { type: 'boolean' }, show: { type: 'boolean' } } });
const missing = missingOriginal();
if (missing !== undefined) {
  console.error(`SKIPPED: ${missing} (../shared/reference-server/install kube-controller-manager)`);
  process.exit(0);
}
const [ours, theirs] = await Promise.all([oursAfterWalk(), theirsAfterWalk()]);
compareStates(ours, theirs, options.show);

async function oursAfterWalk() {
  const server = await startServer({ flags: [`--controllers=${controllers.join(',')}`], ...(options.bundle && { from: 'bundle' }) });
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8 });
  try {
    return await new CoreWalk(asker(server.url, agent)).run();
  } finally {
    agent.destroy();
    await server.stop();
  }
}

async function theirsAfterWalk() {
  const original = await startOriginal(controllers);
  try {
    return await new CoreWalk(original.ask).run();
  } finally {
    await original.stop();
  }
}
