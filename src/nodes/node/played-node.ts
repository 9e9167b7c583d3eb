// One node that is played: who it is, its addresses, and what it tells the server regularly.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { CoreEventRecorder } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { Lease } from '#kinds/coordination/v1/lease.ts';
import { AddressPool, hostAddress, podNetwork } from '#nodes/node/addresses.ts';
import { type NodeFacts, nodeStatus, type StoredNode } from '#nodes/node/node-object.ts';

type StoredLease = Lease & KubernetesObject;

export interface PlayedNodeParts {
  /** Asks as `system:node:NAME` of the group `system:nodes`. */
  readonly client: RestClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly kubeletVersion: string;
}

const leaseNamespace = 'kube-node-lease';
const leaseSeconds = 40;
/** A person or a test lets the node fall silent, as if its machine had died: no heartbeats, and its pods stay as they are. */
const silenceAnnotation = 'nodes.binnacle.dev/heartbeat';

export class PlayedNode {
  readonly name: string;
  readonly uid: string;
  readonly slot: number;
  readonly hostIP: string;
  readonly pool: AddressPool;
  readonly client: RestClient;
  readonly #parts: PlayedNodeParts;
  #events: CoreEventRecorder | undefined;
  #lease: StoredLease | undefined;

  constructor(node: StoredNode, slot: number, parts: PlayedNodeParts) {
    const { name = '', uid = '' } = node.metadata;
    const { client } = parts;
    this.name = name;
    this.uid = uid;
    this.slot = slot;
    this.client = client;
    this.hostIP = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? hostAddress(slot);
    this.pool = new AddressPool(node.spec?.podCIDR || podNetwork(slot));
    this.#parts = parts;
  }

  /** Made when there is something to tell: of a thousand nodes most tell nothing. */
  get events(): CoreEventRecorder {
    const { client, clock, log } = this.#parts;
    this.#events ??= new CoreEventRecorder({ client, clock, log, component: 'kubelet' });
    return this.#events;
  }

  /** Kubelets renew their lease by an update of what they have read last; only when that fails they look again. */
  async renewLease(): Promise<void> {
    const renewTime = this.#parts.clock.now().toISOString().replace('Z', '000Z');
    try {
      this.#lease = this.#lease === undefined ? await this.#findLease(renewTime) : await this.#write(this.#lease, renewTime);
    } catch (error) {
      this.#lease = undefined;
      if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
      this.#lease = await this.#findLease(renewTime);
    }
  }

  async #findLease(renewTime: string): Promise<StoredLease> {
    const { client, name, uid } = this;
    const known = await client.find<StoredLease>(kinds.leases, leaseNamespace, name);
    if (known !== undefined) return this.#write(known, renewTime);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
    const spec = { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime };
    return client.create(kinds.leases, leaseNamespace, { metadata: { name, namespace: leaseNamespace, ownerReferences }, spec } as StoredLease);
  }

  #write(lease: StoredLease, renewTime: string): Promise<StoredLease> {
    const { managedFields: _, ...metadata } = lease.metadata;
    const spec = { ...lease.spec, holderIdentity: this.name, leaseDurationSeconds: leaseSeconds, renewTime };
    return this.client.update(kinds.leases, { ...lease, metadata, spec } as StoredLease);
  }

  async postStatus(node: StoredNode): Promise<void> {
    const { managedFields: _, ...metadata } = node.metadata;
    const status = nodeStatus(node.status, this.facts());
    await this.client.updateBriefly(kinds.nodes, { kind: 'Node', metadata, spec: node.spec, status } as StoredNode, 'status');
  }

  facts(): NodeFacts {
    const { clock, kubeletVersion } = this.#parts;
    return { name: this.name, hostIP: this.hostIP, kubeletVersion, podCIDR: undefined, now: clock.now() };
  }
}

export function isSilent({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.[silenceAnnotation] === 'stopped';
}
