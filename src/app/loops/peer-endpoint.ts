// Where other servers reach this one when they pass on what only this one serves: kept in the etcd that they share while it runs.
import { advertised } from '#app/build-server.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import type { OwnEndpoints } from '#app/loops/own-service.ts';
import { serverIdentity } from '#app/loops/server-facts.ts';
import { pause } from '#base/timers.ts';

const renewEveryMs = 10_000;

/** Undefined where there can be no other servers, or the gate is off. */
export async function ownPeerEndpoint({ options, reads, isShared, port, signal }: ListeningServer): Promise<OwnEndpoints | undefined> {
  const { places, timers, log, gate } = reads;
  if (!isShared || !gate('UnknownVersionInteroperabilityProxy')) return undefined;
  const { peerLeases } = await import('#app/etcd/server-leases.ts');
  const leases = peerLeases(places.of({ group: '', plural: 'apiServerPeerIPInfo' }).store);
  const { flags } = options;
  const [ip, givenPort] = [flags.text('peer-advertise-ip'), flags.text('peer-advertise-port')];
  const address = ip === '' || givenPort === '' ? { host: advertised(options), port } : { host: ip, port: Number(givenPort) };
  let renewing: Promise<void> = Promise.resolve();
  let isLeaving = false;
  const keep = async () => {
    while (!isLeaving && !signal.aborted) {
      renewing = leases
        .renew(serverIdentity(), address)
        .catch((error: unknown) => log.warn('peers were not told where this server is', { err: String(error) }));
      await renewing;
      await pause(timers, renewEveryMs, signal);
    }
  };
  return {
    announce: () => void keep(),
    leave: async () => {
      isLeaving = true;
      await renewing;
      await leases.remove(serverIdentity());
    },
  };
}
