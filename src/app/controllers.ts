// Which loops run beside the server, as ordinary clients of it.
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import type { ApiServer } from '#app/api-server.ts';
import type { Log } from '#base/log.ts';
import type { ResourceAddress } from '#client/rest-client.ts';
import { quotaControllerOptions } from '#app/quota-counting.ts';
import { runNamespaceDeletion } from '#controllers/namespace-deletion-controller.ts';
import { runRootCaPublisher, runServiceAccounts } from '#controllers/namespace-defaults-controller.ts';
import { runResourceQuota } from '#controllers/resource-quota-controller.ts';
import { runRoleAggregation } from '#controllers/role-aggregation-controller.ts';

export interface ControllerParts {
  readonly api: ApiServer;
  readonly log: Log;
  readonly ledger: QuotaLedger;
  /** PEM of the authority behind our serving certificate; empty when it was given without one. */
  readonly rootCa: string;
}

type Controller = (parts: ControllerParts, signal: AbortSignal) => Promise<void>;

/** By the names of kube-controller-manager. */
const controllers: Readonly<Record<string, Controller>> = {
  'clusterrole-aggregation-controller': ({ api, log }, signal) => runRoleAggregation({ client: api.client, log, random: Math.random }, signal),
  'namespace-controller': ({ api, log }, signal) =>
    runNamespaceDeletion({ client: api.client, log, random: Math.random, contents: () => namespacedContents(api) }, signal),
  'root-ca-certificate-publisher-controller': async ({ api, log, rootCa }, signal) => {
    if (rootCa !== '') await runRootCaPublisher({ client: api.client, log, random: Math.random, rootCa }, signal);
  },
  'serviceaccount-controller': ({ api, log }, signal) => runServiceAccounts({ client: api.client, log, random: Math.random }, signal),
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

function namespacedContents({ world: { catalog } }: ApiServer): readonly ResourceAddress[] {
  return catalog
    .hubs()
    .filter(({ namespaced, verbs }) => namespaced && verbs.includes('list') && verbs.includes('delete'))
    .map(({ group, version, plural }) => ({ group, version, resource: plural, namespaced: true }));
}
