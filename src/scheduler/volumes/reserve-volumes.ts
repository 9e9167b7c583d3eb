// Holds the volumes of a placement, and binds them before the pod: volumes get their claims, claims their node, and both are waited for.
import type { KubernetesObject } from '#api/object.ts';
import type { Timers } from '#base/timers.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { isMeantFor } from '#controllers/volumes/storage-objects.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import { PluginError, type Reservation } from '#scheduler/framework.ts';
import { reaches } from '#scheduler/volumes/find-volume.ts';
import { type PodVolumes, selectedNode } from '#scheduler/volumes/pod-volumes.ts';
import type { StoredClaim, StoredVolume, VolumeWorld } from '#scheduler/volumes/volume-world.ts';

const boundByController = 'pv.kubernetes.io/bound-by-controller';
const bindCompleted = 'pv.kubernetes.io/bind-completed';
/** Whoever provisions has so long. */
const bindTimeoutMs = 600_000;

export interface VolumeParts {
  readonly world: VolumeWorld;
  readonly client: RestClient;
  readonly timers: Timers;
}

export function reserveVolumes({ world, client, timers }: VolumeParts, { bindings, provisions }: PodVolumes, node: NodeInfo): Reservation {
  const volumes = bindings.map(({ claim, volume }) => boundTo(volume, claim));
  const claims = provisions.map((claim) => withNode(claim, node.name));
  for (const volume of volumes) world.volumes.assume(volume);
  for (const claim of claims) world.claims.assume(claim);
  const release = () => {
    for (const volume of volumes) world.volumes.forget(volume);
    for (const claim of claims) world.claims.forget(claim);
  };
  return {
    isPending: volumes.length > 0 || claims.length > 0,
    release,
    async bind(signal) {
      const written = await write(client, volumes, claims);
      const late = new AbortController();
      const cancel = timers.after(bindTimeoutMs, () => late.abort());
      const over = AbortSignal.any([signal, late.signal]);
      const all = [...bindings.map(({ claim }) => claim), ...claims];
      try {
        while (!all.every((claim) => isBound(world, claim, node, written))) {
          if (over.aborted) throw new PluginError('binding volumes: context deadline exceeded');
          await world.nextChange(over);
        }
      } finally {
        cancel();
      }
    },
  };
}

/** The revisions from which on the server is believed again. */
async function write(client: RestClient, volumes: readonly StoredVolume[], claims: readonly StoredClaim[]): Promise<ReadonlyMap<string, number>> {
  const written = new Map<string, number>();
  const note = ({ metadata: { namespace = '', name = '', resourceVersion } }: KubernetesObject) => written.set(`${namespace}/${name}`, Number(resourceVersion));
  for (const volume of volumes) note(await client.update(kinds.persistentVolumes, volume));
  for (const claim of claims) note(await client.update(kinds.persistentVolumeClaims, claim));
  return written;
}

function isBound(world: VolumeWorld, { metadata: { namespace = '', name = '' } }: StoredClaim, node: NodeInfo, written: ReadonlyMap<string, number>): boolean {
  const claim = world.claims.get(namespace, name);
  if (claim === undefined) throw new PluginError(`binding volumes: failed to check provisioning pvc: persistentvolumeclaim "${name}" not found`);
  const least = written.get(`${namespace}/${name}`);
  if (least !== undefined) {
    if (Number(claim.metadata.resourceVersion) < least) return false;
    if (claim.metadata.annotations?.[selectedNode] !== node.name) throw new PluginError(`binding volumes: provisioning failed for PVC "${name}"`);
  }
  if (!isFullyBound(claim)) return false;
  const volume = world.volumes.get('', claim.spec?.volumeName ?? '');
  if (volume === undefined) return false;
  if (!reaches(volume, node)) {
    throw new PluginError(`binding volumes: pv "${volume.metadata.name}" node affinity doesn't match node "${node.name}": no matching NodeSelectorTerms`);
  }
  return true;
}

export function isFullyBound({ metadata, spec }: StoredClaim): boolean {
  return Boolean(spec?.volumeName) && metadata.annotations?.[bindCompleted] !== undefined;
}

function boundTo(volume: StoredVolume, claim: StoredClaim): StoredVolume {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  const annotations = isMeantFor(volume, claim) ? volume.metadata.annotations : { ...volume.metadata.annotations, [boundByController]: 'yes' };
  return { ...volume, metadata: { ...volume.metadata, ...(annotations && { annotations }) }, spec: { ...volume.spec, claimRef } } as StoredVolume;
}

function withNode(claim: StoredClaim, nodeName: string): StoredClaim {
  return { ...claim, metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, [selectedNode]: nodeName } } };
}
