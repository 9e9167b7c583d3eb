// Gives every node a network for its pods, one of each family of the cluster.
import { type ChangeType, type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { type IpNetwork, parseCidrSloppy } from '#base/ip-address.ts';
import { CoreEventRecorder } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import { NodeNetworks } from '#controllers/nodes/node-networks.ts';
import type { StoredNode } from '#controllers/nodes/stored-kinds.ts';

export interface NodeIpamOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** One, or one of each family, with the size of a node's part. */
  readonly clusterNetworks: readonly { readonly network: IpNetwork; readonly nodePrefix: number }[];
  /** Addresses of Services are no pod's. */
  readonly serviceNetworks: readonly IpNetwork[];
}

export function nodeIpam(options: NodeIpamOptions): Controller {
  return new NodeIpam(options).controller;
}

class NodeIpam {
  readonly controller: Controller;
  readonly #options: NodeIpamOptions;
  readonly #nodes: Source<StoredNode>;
  readonly #networks: readonly NodeNetworks[];
  readonly #events: CoreEventRecorder;
  /** What nodes have, so that it can be given back when they are gone. */
  readonly #held = new Map<string, readonly string[]>();

  constructor(options: NodeIpamOptions) {
    const { client, sources, clock, log, clusterNetworks, serviceNetworks } = options;
    this.#options = options;
    this.#nodes = sources.of(kinds.nodes);
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'cidrAllocator' });
    this.#networks = clusterNetworks.map(({ network, nodePrefix }) => new NodeNetworks(network, nodePrefix));
    for (const network of this.#networks) for (const service of serviceNetworks) network.occupy(service);
    this.controller = controller({
      ...options,
      name: 'cidrallocator_node',
      sources: [keysOf(this.#nodes, (item, type) => this.#changed(item, type))],
      reconcile: (key) => this.#settle(key),
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  /** What nodes have is known before the first one gets something: the controller looks at nothing before all of them were told. */
  #changed(item: SourceItem<StoredNode>, type: ChangeType): readonly string[] {
    const key = sourceKey(item);
    const given = type === 'DELETED' ? [] : (item.object.spec?.podCIDRs ?? []);
    const held = this.#held.get(key) ?? [];
    if (given.length > 0 && held.length === 0) this.#hold(key, given);
    if (type === 'DELETED') this.#release(key);
    return given.length === 0 && type !== 'DELETED' ? [key] : [];
  }

  #hold(key: string, cidrs: readonly string[]): void {
    this.#held.set(key, cidrs);
    for (const [index, cidr] of cidrs.entries()) {
      const network = parseCidrSloppy(cidr);
      const isOurs = network !== undefined && this.#networks[index]?.occupy(network);
      if (!isOurs) this.#options.log.warn('a node has a network that is none of the cluster', { node: splitKey(key).name, cidr });
    }
  }

  #release(key: string): void {
    for (const [index, cidr] of (this.#held.get(key) ?? []).entries()) {
      const network = parseCidrSloppy(cidr);
      if (network !== undefined) this.#networks[index]?.release(network);
    }
    this.#held.delete(key);
  }

  async #settle(key: string): Promise<void> {
    const { name } = splitKey(key);
    const node = this.#nodes.get('', name)?.object;
    if (node === undefined || node.metadata.deletionTimestamp !== undefined || (node.spec?.podCIDRs?.length ?? 0) > 0 || this.#held.has(key)) return;
    const podCIDRs = this.#networks.map((network) => network.take());
    const all = podCIDRs.filter((cidr) => cidr !== undefined);
    this.#held.set(key, all);
    if (all.length < podCIDRs.length) return this.#fail(key, node, 'CIDRNotAvailable', new Error('there are no remaining CIDRs left to allocate'));
    try {
      await this.#options.client.patch(kinds.nodes, { namespace: '', name }, patchTypes.strategic, { spec: { podCIDR: all[0], podCIDRs: all } });
    } catch (error) {
      this.#fail(key, node, 'CIDRAssignmentFailed', error);
    }
  }

  #fail(key: string, { metadata: { name = '', uid } }: StoredNode, reason: string, error: unknown): never {
    this.#release(key);
    this.#events.event({ kind: 'Node', apiVersion: 'v1', metadata: { name, uid } }, 'Normal', reason, `Node ${name} status is now: ${reason}`);
    throw error;
  }
}
