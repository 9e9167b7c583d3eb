// What keeps services whole while the server runs: the service `kubernetes` is made again when it goes, lost addresses and ports are found.
import type { RestClient } from '#client/rest-client.ts';
import { ensureKubernetesService, ensureServiceCidr, type ServerFacts } from '#controllers/bootstrap/kubernetes-service.ts';
import { type Controller, controller, every, type LoopParts } from '#controllers/controller.ts';

export interface ServiceUpkeepOptions extends LoopParts {
  readonly client: RestClient;
  readonly facts: ServerFacts;
  readonly now: () => Date;
  /** Finds addresses and ports that services have and the pool does not know, or the other way round. */
  readonly repair: () => Promise<void>;
  /** Keeps the endpoints of the service. */
  readonly endpoints: () => Promise<void>;
}

const ensureMs = 10_000;
/** Repairs are dearer: they look at every service. */
const repairMs = 3 * 60_000;

/** The service and the network it has its address from. */
export async function ensureServices({ client, facts, now }: Pick<ServiceUpkeepOptions, 'client' | 'facts' | 'now'>): Promise<void> {
  await ensureServiceCidr(client, facts, now());
  await ensureKubernetesService(client, facts);
}

export function serviceUpkeep(options: ServiceUpkeepOptions): Controller {
  const { timers, repair, endpoints } = options;
  const work: Readonly<Record<string, () => Promise<void>>> = { '/kubernetes': () => ensureServices(options), '/endpoints': endpoints, '/repair': repair };
  return controller({
    ...options,
    name: 'service-upkeep',
    sources: [every(timers, ensureMs, '/kubernetes'), every(timers, ensureMs, '/endpoints'), every(timers, repairMs, '/repair')],
    reconcile: async (key) => work[key]?.(),
  });
}
