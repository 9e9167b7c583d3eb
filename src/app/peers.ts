// The other servers of this cluster, where --peer-ca-file says how they are known: what of the command line and of this server the proxy to them needs.
import { readFileSync } from 'node:fs';
import type { ApiServices } from '#aggregation/api-services.ts';
import { OwnVersions } from '#aggregation/peers/own-versions.ts';
import { PeerMetrics } from '#aggregation/peers/peer-metrics.ts';
import { peerProxy } from '#aggregation/peers/peer-proxy.ts';
import { Peers } from '#aggregation/peers/peers.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import { peerLeases } from '#app/etcd/server-leases.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { serverIdentity } from '#app/loops/server-facts.ts';
import type { Reads } from '#app/reads.ts';
import { APIGroupDiscoveryList } from '#kinds/apidiscovery/v2/api-group-discovery.ts';
import type { Middleware } from '#server/front/exchange.ts';

export interface PeerProxy {
  readonly peers: Peers;
  readonly own: OwnVersions;
  readonly metrics: PeerMetrics;
  readonly step: Middleware;
}

interface PeerParts {
  readonly reads: Reads;
  readonly live: Pick<LiveCertificates, 'proxyClient'>;
  readonly apiServices: ApiServices;
}

export function buildPeers({ flags }: ServerOptions, { reads, live, apiServices }: PeerParts): PeerProxy {
  const { proxyClient } = live;
  if (proxyClient === undefined) throw new FlagError('error building peer proxy handler, proxy-cert-file not specified');
  const { catalog, clock, places } = reads;
  const own = new OwnVersions(clock);
  const metrics = new PeerMetrics();
  const peers = new Peers({
    identity: serverIdentity(),
    addressOf: peerLeases(places.of({ group: '', plural: 'apiServerPeerIPInfo' }).store).addressOf,
    ca: readFileSync(flags.text('peer-ca-file'), 'utf8'),
    own,
    schema: APIGroupDiscoveryList,
    metrics,
    now: () => clock.now(),
    clientCertificate: () => proxyClient.value,
  });
  const isServedHere = (group: string, version: string, resource: string) =>
    catalog.find(group, version, resource) !== undefined || apiServices.remote(group, version) !== undefined;
  return { peers, own, metrics, step: peerProxy({ peers, metrics, random: Math.random, isServedHere }) };
}
