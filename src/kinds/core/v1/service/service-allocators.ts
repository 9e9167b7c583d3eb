// The state behind services: made once per server, reached by the strategy through its context.
import { ClusterIpPool } from '#kinds/core/v1/service/cluster-ip-pool.ts';
import { NodePortPool, type PortRange, type SharedPorts } from '#kinds/core/v1/service/node-port-pool.ts';
import type { PoolAccess, ServicePool } from '#resource/service-pool.ts';

export interface ServiceRanges {
  /** CIDRs, at most one per family; the first one is of the default family. */
  readonly clusterIps: readonly string[];
  readonly nodePorts: PortRange;
}

export class ServiceAllocators implements ServicePool {
  readonly addresses: ClusterIpPool;
  readonly nodePorts: NodePortPool;

  /** `shared`: where other servers draw on the same ports. */
  constructor({ clusterIps, nodePorts }: ServiceRanges, random: () => number, shared?: SharedPorts) {
    this.addresses = new ClusterIpPool(clusterIps, random);
    this.nodePorts = new NodePortPool(nodePorts, random, shared);
  }

  get families(): readonly string[] {
    return this.addresses.families;
  }

  /** Mends what crashes between two writes leave behind. */
  async repair(access: PoolAccess, now: Date): Promise<void> {
    await this.nodePorts.repair(access);
    await this.addresses.repair(access, now);
  }
}
