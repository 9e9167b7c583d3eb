// One node: what is attached to it and what should be. A volume of a CSI driver is known by the name of its VolumeAttachment, any other by its
// unique name.
import type { KubernetesObject } from '#api/object.ts';
import type { Clock } from '#base/clock.ts';
import { messageOf } from '#base/message-of.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import { type AttachableVolume, attachmentName, csiOfUniqueName } from '#controllers/volumes/attach/attachable-volumes.ts';
import { tellWaiting } from '#controllers/volumes/attach/tell-waiting.ts';
import type { StoredPod } from '#controllers/volumes/claim-users.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';
import type { VolumeAttachment } from '#kinds/storage/v1/volume-attachment.ts';

export type StoredAttachment = VolumeAttachment & KubernetesObject;
export type StoredNode = Node & KubernetesObject;

export interface WantedVolume {
  readonly volume: AttachableVolume;
  readonly pods: readonly StoredPod[];
}

export interface NodeState {
  readonly name: string;
  /** Undefined: it is gone. */
  readonly node: StoredNode | undefined;
  readonly attachments: readonly StoredAttachment[];
  readonly wanted: readonly WantedVolume[];
}

export interface NodeVolumesOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  /** Names of the nodes that have the volume, or are about to get or to lose it. */
  readonly holdersOf: (volume: AttachableVolume) => readonly string[];
  readonly podsWith: (node: string, volume: AttachableVolume) => readonly StoredPod[];
  readonly tell: (pod: StoredPod, type: 'Normal' | 'Warning', reason: string, message: string) => void;
  readonly onForced: (reason: 'timeout' | 'out-of-service') => void;
}

/** A node that does not answer may keep a volume mounted for so long before it is taken away. */
const maxWaitForUnmountMs = 6 * 60_000;
/** An attacher that has said nothing for so long is complained about. */
const attachTimeoutMs = 2 * 60_000;
/** For volumes that no attachment tells of. */
const waitMs = 1_000;

type Attached = NonNullable<NonNullable<Node['status']>['volumesAttached']>[number];

export class NodeVolumes {
  readonly #options: NodeVolumesOptions;
  /** Since when nobody on the node wants a volume that it still has mounted. */
  readonly #unwantedSince = new Map<string, number>();
  /** Nodes that wait for a volume which another has, and were told so; by its unique name. */
  readonly #waiting = new Map<string, Set<string>>();

  constructor(options: NodeVolumesOptions) {
    this.#options = options;
  }

  waitingFor(uniqueName: string): readonly string[] {
    return [...(this.#waiting.get(uniqueName) ?? [])];
  }

  /** Returns after which time the node must be looked at again. */
  async keep(state: NodeState): Promise<{ readonly againMs: number } | undefined> {
    const looks: number[] = [];
    const leaving = this.#leaving(state, looks);
    const attached = this.#attached(state, leaving);
    // The kubelet must not begin to use what is about to go.
    await this.#report(state, attached);
    for (const { metadata } of state.attachments) if (leaving.has(metadata.name ?? '')) await this.#detach(metadata);
    for (const wanted of state.wanted) if (!attached.some(({ name }) => name === wanted.volume.uniqueName)) await this.#attach(state, wanted, looks);
    return looks.length === 0 ? undefined : { againMs: Math.max(0, Math.min(...looks)) };
  }

  /** What nobody wants any more and is not mounted, or was for too long. */
  #leaving({ name, node, attachments, wanted }: NodeState, looks: number[]): ReadonlySet<string> {
    const ids = (names: readonly string[]) => new Set(names.map((one) => idOf(one, name)));
    const wantedIds = ids(wanted.map(({ volume }) => volume.uniqueName));
    const mounted = ids(node?.status?.volumesInUse ?? []);
    const told = (node?.status?.volumesAttached ?? []).map((one) => one.name);
    const leaving = new Set<string>();
    for (const id of new Set([...ids(told), ...attachments.filter(isOurs).map(({ metadata }) => metadata.name ?? '')])) {
      const key = `${name}/${id}`;
      const isMounted = !wantedIds.has(id) && mounted.has(id);
      if (!isMounted) this.#unwantedSince.delete(key);
      const leftMs = isMounted ? this.#unmountMs(key, node) : 0;
      if (leftMs > 0 && Number.isFinite(leftMs)) looks.push(leftMs);
      if (!wantedIds.has(id) && leftMs <= 0) leaving.add(id);
    }
    return leaving;
  }

  /** For how long a volume that is mounted must still be left alone; a healthy node tells when it has unmounted it. */
  #unmountMs(key: string, node: StoredNode | undefined): number {
    if (node?.spec?.taints?.some((taint) => taint.key === 'node.kubernetes.io/out-of-service')) {
      this.#options.onForced('out-of-service');
      return 0;
    }
    const now = this.#options.clock.now().getTime();
    const since = this.#unwantedSince.get(key) ?? now;
    this.#unwantedSince.set(key, since);
    if (node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True') return Infinity;
    const leftMs = since + maxWaitForUnmountMs - now;
    if (leftMs <= 0) this.#options.onForced('timeout');
    return leftMs;
  }

  /** What the node is told: what it was told and still has, and what an attacher has finished since. */
  #attached(state: NodeState, leaving: ReadonlySet<string>): readonly Attached[] {
    const told = (state.node?.status?.volumesAttached ?? []).filter(({ name }) => !leaving.has(idOf(name, state.name)) && isStillAttached(state, name));
    const names = new Set(told.map(({ name }) => name));
    const fresh = state.wanted.filter(({ volume }) => !names.has(volume.uniqueName) && this.#isReady(state, volume));
    for (const { volume, pods } of fresh) {
      this.#waiting.delete(volume.uniqueName);
      const message = `AttachVolume.Attach succeeded for volume ${JSON.stringify(volume.name)} `;
      for (const pod of pods) this.#options.tell(pod, 'Normal', 'SuccessfulAttachVolume', message);
    }
    return [...told, ...fresh.map(({ volume }) => ({ name: volume.uniqueName, devicePath: '' }))];
  }

  /** Only attachers of CSI drivers have anything to do; the others' volumes are attached as soon as no other node has them. */
  #isReady({ name, attachments }: NodeState, volume: AttachableVolume): boolean {
    if (volume.csi === undefined) return !volume.isExclusive || this.#others(volume, name).length === 0;
    const id = idOf(volume.uniqueName, name);
    return attachments.some((attachment) => attachment.metadata.name === id && isAttached(attachment));
  }

  #others(volume: AttachableVolume, node: string): readonly string[] {
    return this.#options.holdersOf(volume).filter((holder) => holder !== node);
  }

  async #report({ name, node }: NodeState, attached: readonly Attached[]): Promise<void> {
    const told = node?.status?.volumesAttached ?? [];
    if (node === undefined || JSON.stringify(told) === JSON.stringify(attached)) return;
    const patch = { status: { volumesAttached: attached.length > 0 ? attached : null } };
    await unlessGone(this.#options.client.patch(kinds.nodes, { namespace: '', name, subresource: 'status' }, patchTypes.strategic, patch));
  }

  async #detach({ name = '', deletionTimestamp }: StoredAttachment['metadata']): Promise<void> {
    if (deletionTimestamp === undefined) await unlessGone(this.#options.client.delete(kinds.volumeAttachments, '', name));
  }

  async #attach({ name, attachments }: NodeState, { volume, pods }: WantedVolume, looks: number[]): Promise<void> {
    const { tell } = this.#options;
    const id = idOf(volume.uniqueName, name);
    const known = attachments.find(({ metadata }) => metadata.name === id);
    const others = volume.isExclusive && known === undefined ? this.#others(volume, name) : [];
    if (others.length > 0) {
      if (volume.csi === undefined) looks.push(waitMs);
      return this.#wait(name, { volume, pods }, others);
    }
    const fail = (why: string) => {
      for (const pod of pods) tell(pod, 'Warning', 'FailedAttachVolume', `AttachVolume.Attach failed for volume ${JSON.stringify(volume.name)} : ${why}`);
    };
    if (known !== undefined) return this.#await(known, volume, fail, looks);
    if (volume.csi) await this.#request(id, name, volume.csi, fail);
  }

  #wait(node: string, { volume, pods }: WantedVolume, others: readonly string[]): void {
    const waiting = this.#waiting.get(volume.uniqueName) ?? new Set<string>();
    this.#waiting.set(volume.uniqueName, waiting);
    if (waiting.has(node)) return;
    waiting.add(node);
    const users = others.flatMap((other) => this.#options.podsWith(other, volume));
    tellWaiting(volume, pods, users, this.#options.tell);
  }

  #await({ metadata, status }: StoredAttachment, { csi }: AttachableVolume, fail: (why: string) => void, looks: number[]): void {
    if (metadata.deletionTimestamp !== undefined) return fail('volume attachment is being deleted');
    if (status?.attachError?.message !== undefined) return fail(status.attachError.message);
    const leftMs = Date.parse(metadata.creationTimestamp ?? '') + attachTimeoutMs - this.#options.clock.now().getTime();
    if (leftMs <= 0) fail(`timed out waiting for external-attacher of ${csi?.driver} CSI driver to attach volume ${csi?.handle}`);
    looks.push(leftMs > 0 ? leftMs : attachTimeoutMs);
  }

  async #request(name: string, nodeName: string, csi: NonNullable<AttachableVolume['csi']>, fail: (why: string) => void): Promise<void> {
    const spec = { attacher: csi.driver, nodeName, source: { persistentVolumeName: csi.persistentVolume } };
    try {
      await this.#options.client.create(kinds.volumeAttachments, '', { metadata: { name }, spec });
    } catch (error) {
      fail(`kubernetes.io/csi: attacher.Attach failed: ${messageOf(error)}`);
      throw error;
    }
  }
}

function idOf(uniqueName: string, node: string): string {
  const csi = csiOfUniqueName(uniqueName);
  return csi ? attachmentName(csi, node) : uniqueName;
}

/** Others may make attachments too, under names of their own. */
function isOurs({ metadata }: StoredAttachment): boolean {
  return /^csi-[0-9a-f]{64}$/.test(metadata.name ?? '');
}

function isAttached({ metadata, status }: StoredAttachment): boolean {
  return status?.attached === true && metadata.deletionTimestamp === undefined;
}

/** Somebody may have removed the attachment of a volume that the node was told of. */
function isStillAttached({ name, attachments }: NodeState, uniqueName: string): boolean {
  if (csiOfUniqueName(uniqueName) === undefined) return true;
  const id = idOf(uniqueName, name);
  return attachments.some((attachment) => attachment.metadata.name === id && attachment.status?.attached === true);
}
