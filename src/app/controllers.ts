// Which loops run beside the server, as ordinary clients of it.
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import type { ApiServer } from '#app/api-server.ts';
import type { Log } from '#base/log.ts';
import { quotaControllerOptions } from '#app/quota-counting.ts';
import { runResourceQuota } from '#controllers/resource-quota-controller.ts';
import { runRoleAggregation } from '#controllers/role-aggregation-controller.ts';

export interface ControllerParts {
  readonly api: ApiServer;
  readonly log: Log;
  readonly ledger: QuotaLedger;
}

type Controller = (parts: ControllerParts, signal: AbortSignal) => Promise<void>;

/** By the names of kube-controller-manager. */
const controllers: Readonly<Record<string, Controller>> = {
  'clusterrole-aggregation-controller': ({ api, log }, signal) => runRoleAggregation({ client: api.client, log, random: Math.random }, signal),
  'resourcequota-controller': (parts, signal) => runResourceQuota(quotaControllerOptions(parts), signal),
};

/** `*` means all, `name` this one, `-name` not this one. Resolves when `signal` has aborted and all have stopped. */
export async function runControllers(chosen: readonly string[], parts: ControllerParts, signal: AbortSignal): Promise<void> {
  const running = Object.entries(controllers).filter(([name]) => isOn(chosen, name));
  await Promise.all(running.map(([, run]) => run(parts, signal)));
}

export function isOn(chosen: readonly string[], name: string): boolean {
  if (chosen.includes(`-${name}`)) return false;
  return chosen.includes(name) || chosen.includes('*');
}
