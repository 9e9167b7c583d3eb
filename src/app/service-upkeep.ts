// What keeps services whole while the server runs: the service `kubernetes` is made again when it goes, lost addresses and ports are found.
import { unlessRefused } from '#app/unless-refused.ts';
import type { ApiServer } from '#app/api-server.ts';
import type { Log } from '#base/log.ts';
import { pause, type Timers } from '#base/timers.ts';
import { ensureKubernetesService, ensureServiceCidr, type ServerFacts } from '#controllers/bootstrap/kubernetes-service.ts';
import type { ServiceAllocators } from '#kinds/core/v1/service/service-allocators.ts';

const everyMs = 10_000;
/** Repairs are dearer: they look at every service. */
const roundsPerRepair = 18;

export interface ServiceUpkeep {
  /** Once, before the server counts as started. */
  start(): Promise<void>;
  /** Until `signal` aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export function serviceUpkeep(api: ApiServer, pool: ServiceAllocators, facts: ServerFacts, { timers, log }: { timers: Timers; log: Log }): ServiceUpkeep {
  const { lister, writer, clock } = api.world;
  const repair = () => pool.repair({ lister, writer }, clock.now());
  const ensure = async () => {
    await ensureServiceCidr(api.client, facts, clock.now());
    await ensureKubernetesService(api.client, facts);
  };
  return {
    async start() {
      await unlessRefused(log, 'the service kubernetes', ensure);
      await repair();
    },
    async run(signal) {
      for (let round = 1; ; round++) {
        await pause(timers, everyMs, signal);
        if (signal.aborted) return;
        try {
          await ensure();
          if (round % roundsPerRepair === 0) await repair();
        } catch (error) {
          if (!signal.aborted) log.error('services could not be looked after', error);
        }
      }
    },
  };
}
