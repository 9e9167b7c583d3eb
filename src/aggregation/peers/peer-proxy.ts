// The step of the pipeline for clusters of mixed versions: a resource that this server does not serve, but a peer does, is asked for there.
import type { ExtensionServer } from '#aggregation/extension-server.ts';
import { forward } from '#aggregation/forward.ts';
import type { PeerMetrics } from '#aggregation/peers/peer-metrics.ts';
import { peerProxiedHeader } from '#aggregation/peers/peer-proxied-header.ts';
import type { Peers } from '#aggregation/peers/peers.ts';
import { ApiError } from '#api/api-error.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';

export interface PeerProxyOptions {
  readonly peers: Peers;
  readonly metrics: PeerMetrics;
  readonly random: () => number;
  /** Built-in, custom, or of an APIService. */
  readonly isServedHere: (group: string, version: string, resource: string) => boolean;
}

export function peerProxy({ peers, metrics, random, isServedHere }: PeerProxyOptions): Middleware {
  return (next) => (exchange) => {
    const { isResource, group, version, resource } = exchange.info;
    if (!isResource || !peers.isSynced || isServedHere(group, version, resource)) return next(exchange);
    // Passed on once already: servers that each think the other one knows would go on for ever.
    if (exchange.headers[peerProxiedHeader] === 'true') return next(exchange);
    const serving = peers.serving(group, version, resource);
    return serving.length === 0 ? next(exchange) : passOn(exchange, serving, { metrics, random });
  };
}

async function passOn(
  exchange: Exchange,
  serving: readonly ExtensionServer[],
  { metrics, random }: Pick<PeerProxyOptions, 'metrics' | 'random'>,
): Promise<void> {
  const { group, version, resource } = exchange.info;
  const found = await Promise.all(serving.map(hasAddress));
  const reachable = serving.filter((_, index) => found[index]);
  const chosen = reachable[Math.floor(random() * reachable.length)];
  if (chosen === undefined) {
    metrics.onUnresolved(group, version, resource);
    throw new ApiError(503, 'ServiceUnavailable', 'Error getting ip and port info of the remote server while proxying');
  }
  await forward(exchange, chosen, {
    refuseRedirects: true,
    headers: { [peerProxiedHeader]: 'true' },
    onAnswer: (code) => metrics.onRerouted({ code, group, version, resource }),
  });
}

async function hasAddress(server: ExtensionServer): Promise<boolean> {
  return server.address().then(
    () => true,
    () => false,
  );
}
