// Which loops of kube-controller-manager run beside the server, each as the user that it is there.
import type { QuotaLedger } from '#admission/quota/ledger.ts';
import { parseApiVersion } from '#api/names.ts';
import { serviceAccountUser } from '#api/user.ts';
import type { ApiServer } from '#app/api-server.ts';
import type { OwnClients } from '#app/own-clients.ts';
import { quotaCounting } from '#app/loops/quota-counting.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { Controller, LoopParts } from '#controllers/controller.ts';
import { garbageCollector, type GarbageCollectorOptions } from '#controllers/garbage-collector/garbage-collector-controller.ts';
import { namespaceDeletion } from '#controllers/namespace-deletion-controller.ts';
import { rootCaPublisher, serviceAccountController } from '#controllers/namespace-defaults-controller.ts';
import { resourceQuotaController } from '#controllers/resource-quota-controller.ts';
import { roleAggregation } from '#controllers/role-aggregation-controller.ts';
import type { ResourceDefinition } from '#resource/definition.ts';

export interface ControllerParts {
  readonly api: ApiServer;
  readonly own: OwnClients;
  readonly loops: LoopParts;
  readonly ledger: QuotaLedger;
  /** PEM of the authority behind our serving certificate; empty when it was given without one. */
  readonly rootCa: string;
}

interface Kept {
  /** Its service account in kube-system; the role of the original is bound to it. */
  readonly account: string;
  readonly build: (parts: ControllerParts, client: RestClient) => Controller | undefined;
}

/** By the names of kube-controller-manager. */
const controllers: Readonly<Record<string, Kept>> = {
  'clusterrole-aggregation-controller': {
    account: 'clusterrole-aggregation-controller',
    build: ({ api, loops }, client) => roleAggregation({ ...loops, client, sources: api.reads.sources }),
  },
  'garbage-collector-controller': {
    account: 'generic-garbage-collector',
    build: ({ api, loops }, client) => garbageCollector({ ...loops, ...collectedKinds(api), client, sources: api.reads.sources }),
  },
  'namespace-controller': {
    account: 'namespace-controller',
    build: ({ api, loops }, client) => namespaceDeletion({ ...loops, client, sources: api.reads.sources, contents: () => namespacedContents(api) }),
  },
  'root-ca-certificate-publisher-controller': {
    account: 'root-ca-cert-publisher',
    build: ({ api, loops, rootCa }, client) => (rootCa === '' ? undefined : rootCaPublisher({ ...loops, client, sources: api.reads.sources, rootCa })),
  },
  'serviceaccount-controller': {
    account: 'service-account-controller',
    build: ({ api, loops }, client) => serviceAccountController({ ...loops, client, sources: api.reads.sources }),
  },
  'resourcequota-controller': {
    account: 'resourcequota-controller',
    build: ({ api, loops, ledger }, client) => resourceQuotaController({ ...loops, ...quotaCounting(api, ledger), client, sources: api.reads.sources }),
  },
};

/** `*` means all, `name` this one, `-name` not this one. Resolves when `signal` has aborted and all have stopped. */
export async function runControllers(chosen: readonly string[], parts: ControllerParts, signal: AbortSignal): Promise<void> {
  const running = Object.entries(controllers).filter(([name]) => isOn(chosen, name));
  await Promise.all(running.map(([name, { account, build }]) => build(parts, parts.own.as(serviceAccountUser('kube-system', account), name))?.run(signal)));
}

export function isOn(chosen: readonly string[], name: string): boolean {
  if (chosen.includes(`-${name}`)) return false;
  return chosen.includes(name) || chosen.includes('*');
}

/** Events own nothing and go by themselves: the original's collector ignores them too. */
function collectedKinds({ reads: { catalog } }: ApiServer): Pick<GarbageCollectorOptions, 'collected' | 'onChange' | 'resourceOf'> {
  const addressOf = ({ group, version, plural, namespaced }: ResourceDefinition) => ({ group, version, resource: plural, namespaced });
  return {
    collected: () =>
      catalog
        .hubs()
        .filter(({ plural, verbs }) => plural !== 'events' && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb)))
        .map((hub) => addressOf(catalog.versionsOf(hub.group, hub.plural)[0] ?? hub)),
    onChange: (listener) => catalog.onChange(listener),
    resourceOf: (apiVersion, kind) => {
      const named = parseApiVersion(apiVersion);
      const found = named && catalog.byKind(named.group, named.version, kind);
      return found && addressOf(found);
    },
  };
}

function namespacedContents({ reads: { catalog } }: ApiServer): readonly ResourceAddress[] {
  return catalog
    .hubs()
    .filter(({ namespaced, verbs }) => namespaced && verbs.includes('list') && verbs.includes('delete'))
    .map(({ group, version, plural }) => ({ group, version, resource: plural, namespaced: true }));
}
