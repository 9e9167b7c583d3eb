#!/usr/bin/env node
// Our controllers beside those of the real kube-controller-manager: the same operations on a binnacle of each, then the same objects, owners of
// fields and events are left, but for names, times and uids.
//   node test/conformance/controllers.mjs [--workloads | --batch] [--bundle] [--show]
// --workloads: Deployments, StatefulSets and the like (workloads-walk.mjs); --batch: Jobs, CronJobs and autoscalers (batch-walk.mjs); without them
// everything else (controllers-walk.mjs).
// Programs: REFERENCE_BIN or ~/.cache/reference-server/bin.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bin, startManager, stopAll } from '../support/control-plane-programs.mjs';
import { startServer } from '../support/server-under-test.mjs';
import { compareStates } from './compare-states.mjs';

const boolean = { type: 'boolean' };
const { values: options } = parseArgs({ options: { workloads: boolean, batch: boolean, bundle: boolean, show: boolean } });
const walk = options.workloads ? 'workloads' : options.batch ? 'batch' : 'controllers';
const { controllers, flags = [], walkOn } = await import(`./${walk}-walk.mjs`);
if (!existsSync(join(bin, 'kube-controller-manager'))) {
  console.error(`SKIPPED: there is no kube-controller-manager in ${bin} (../shared/reference-server/install kube-controller-manager)`);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const running = [];
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

const [ours, theirs] = await Promise.all([stateAfterWalk(false), stateAfterWalk(true)]);
compareStates(ours, theirs, options.show);

async function stateAfterWalk(withManager) {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-controllers-'));
  const chosen = `--controllers=${controllers.join(',')}`;
  const server = await startServer({ dir, flags: withManager ? ['--controllers='] : [chosen, ...flags], ...(options.bundle && { from: 'bundle' }) });
  const manager = withManager ? [(await startManager(server, dir, [chosen, ...flags])).child] : [];
  running.push(...manager);
  try {
    return await walkOn(server.url);
  } finally {
    await stopAll(manager);
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
