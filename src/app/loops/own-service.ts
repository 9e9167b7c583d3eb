// The service `kubernetes` and its endpoints while this server runs, and what others are told when it goes.
import { advertised } from '#app/build-server.ts';
import { serverAddresses } from '#app/etcd/server-addresses.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import { unlessRefused } from '#app/loops/unless-refused.ts';
import { reconcileEndpoints } from '#controllers/bootstrap/kubernetes-endpoints.ts';
import type { LoopParts } from '#controllers/controller.ts';
import { ensureServices, serviceUpkeep } from '#controllers/service-upkeep-controller.ts';

/** The place of this server in endpoints that it shares with others. */
export interface OwnEndpoints {
  /** It is ready. */
  announce(): void;
  /** It is about to stop: nobody must be sent here any more. */
  leave(): Promise<void>;
}

/** Once before the server counts as started, then again and again. */
export async function startOwnService(server: ListeningServer, loops: LoopParts): Promise<OwnEndpoints> {
  const { options, reads, api, pool, port, isShared, signal } = server;
  const { clock, lister, log, places } = reads;
  const addresses = await serverAddresses(options, advertised(options), isShared, places);
  let isLeaving = false;
  const endpoints = async () => {
    if (addresses && !isLeaving) await reconcileEndpoints(api.client, addresses, port);
  };
  const repair = () => pool.repair({ lister, writer: api.world.writer }, clock.now());
  const facts = { ranges: options.serviceClusterIpRanges, port };
  const upkeep = { ...loops, client: api.client, facts, now: () => clock.now(), repair, endpoints };
  await unlessRefused(log, 'the service kubernetes', () => ensureServices(upkeep));
  if (addresses?.isAlone) await unlessRefused(log, 'the endpoints of the service kubernetes', endpoints);
  await repair();
  const running = serviceUpkeep(upkeep);
  void running.run(signal);
  return {
    announce: () => {
      if (!addresses?.isAlone) running.enqueue('/endpoints');
    },
    leave: async () => {
      isLeaving = true;
      if (addresses && !addresses.isAlone) await reconcileEndpoints(api.client, addresses, port, true);
    },
  };
}
