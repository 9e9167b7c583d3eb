import type { FlagValues } from '#app/flags/flags.ts';
import { clusterNetworks } from '#app/flags/cluster-networks.ts';
import type { BuildController } from '#app/loops/registration.ts';
import { parseCidrSloppy } from '#base/ip-address.ts';
import { nodeIpam } from '#controllers/nodes/node-ipam-controller.ts';
import { nodeLifecycle } from '#controllers/nodes/node-lifecycle-controller.ts';
import { podGarbage } from '#controllers/nodes/pod-garbage-collector-controller.ts';
import { taintEviction } from '#controllers/nodes/taint-eviction-controller.ts';
import { ttlController } from '#controllers/nodes/ttl-controller.ts';

export const buildNodeLifecycle: BuildController = ({ server: { reads, options }, loops, client }) => {
  const { flags } = options;
  const periods = { graceMs: flags.durationMs('node-monitor-grace-period'), startupGraceMs: flags.durationMs('node-startup-grace-period') };
  const monitorMs = flags.durationMs('node-monitor-period');
  return nodeLifecycle({ ...loops, client, sources: reads.sources, clock: reads.clock, monitorMs, periods, rates: ratesOf(flags) });
};

function ratesOf(flags: FlagValues) {
  return {
    perSecond: flags.number('node-eviction-rate'),
    secondaryPerSecond: flags.number('secondary-node-eviction-rate'),
    largeZone: flags.number('large-cluster-size-threshold'),
    unhealthyShare: flags.number('unhealthy-zone-threshold'),
  };
}

export const buildTaintEviction: BuildController = ({ server: { reads }, loops, client }) =>
  taintEviction({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildPodGarbage: BuildController = ({ server: { reads, options }, loops, client }) =>
  podGarbage({ ...loops, client, sources: reads.sources, clock: reads.clock, threshold: options.flags.number('terminated-pod-gc-threshold') });

export const buildTtlController: BuildController = ({ server: { reads }, loops, client }) => ttlController({ ...loops, client, sources: reads.sources });

/** Without --cluster-cidr there is nothing to give, as without --allocate-node-cidrs in the original. */
export const buildNodeIpam: BuildController = ({ server: { reads, options }, loops, client }) => {
  const networks = clusterNetworks(options.flags);
  if (networks.length === 0) return undefined;
  const serviceNetworks = options.serviceClusterIpRanges.flatMap((range) => parseCidrSloppy(range.trim()) ?? []);
  return nodeIpam({ ...loops, client, sources: reads.sources, clock: reads.clock, clusterNetworks: networks, serviceNetworks });
};
