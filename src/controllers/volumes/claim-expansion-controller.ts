// Tells who makes a volume larger when its claim asks for more. Every driver that can has a resizer of its own outside; where one has taken
// over from a plugin that was part of Kubernetes, the claim is handed to it by name.
import { mirror, type Source, sourceKey, splitKey } from '#api/source.ts';
import { compareQuantities, type Quantity } from '#base/quantity.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type KeySource } from '#controllers/controller.ts';
import { storageOf } from '#controllers/volumes/find-volume.ts';
import { migratedDriverOf, pluginOf, type StoredClaim, type StoredVolume } from '#controllers/volumes/storage-objects.ts';
import type { VolumeLoopOptions } from '#controllers/volumes/volume-loop-options.ts';

const workers = 10;
const resizerAnnotation = 'volume.kubernetes.io/storage-resizer';

export function claimExpansion(options: VolumeLoopOptions): Controller {
  const { client, sources } = options;
  const claims = sources.of<StoredClaim>(kinds.persistentVolumeClaims);
  const volumes = sources.of<StoredVolume>(kinds.persistentVolumes);
  const events = new CoreEventRecorder({ ...options, component: 'volume_expand' });
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const claim = claims.get(namespace, name)?.object;
    if (claim === undefined || !wantsMore(claim)) return;
    const volume = volumes.get('', claim.spec.volumeName ?? '')?.object;
    if (volume === undefined) throw new Error(`the volume ${claim.spec.volumeName} of the claim is not there`);
    if (volume.spec.claimRef?.uid !== claim.metadata.uid) throw new Error(`the volume ${volume.metadata.name} is not bound to the claim`);
    const tell = (message: string) => events.event(regarding(kinds.persistentVolumeClaims, claim), 'Normal', 'ExternalExpanding', message);
    const plugin = pluginOf(volume.spec);
    const driver = plugin && migratedDriverOf(plugin);
    if (driver === undefined) return tell('waiting for an external controller to expand this PVC');
    tell(`CSI migration enabled for ${plugin}; waiting for external resizer to expand the pvc`);
    if (claim.metadata.annotations?.[resizerAnnotation] === driver) return;
    const { uid, resourceVersion } = claim.metadata;
    const patch = { metadata: { uid, resourceVersion, annotations: { [resizerAnnotation]: driver } } };
    await client.patch(kinds.persistentVolumeClaims, { namespace, name, subresource: 'status' }, patchTypes.strategic, patch);
  };
  const all = [grownClaims(claims), keysOf(volumes, () => [])];
  return controller({ ...options, name: 'volume_expand', sources: all, reconcile, workers, retry: { firstMs: 5, maxMs: 1_000_000 } });
}

function wantsMore({ spec, status }: StoredClaim): boolean {
  return compareQuantities(storageOf(spec.resources?.requests), storageOf(status?.capacity)) > 0;
}

/** Bound claims when they are first seen, and whenever they ask for more or have got more. */
function grownClaims(claims: Source<StoredClaim>): KeySource {
  return (enqueue, signal) => {
    const sizes = new Map<string, readonly [Quantity, Quantity]>();
    const put = ({ metadata: { namespace = '', name = '' }, spec, status }: StoredClaim) => {
      if (status?.phase !== 'Bound') return;
      const key = sourceKey({ namespace, name });
      const before = sizes.get(key);
      const now = [storageOf(spec.resources?.requests), storageOf(status.capacity)] as const;
      sizes.set(key, now);
      if (before === undefined || now.some((size, at) => compareQuantities(size, before[at] ?? size) > 0)) enqueue(key);
    };
    const drop = (namespace: string, name: string) => void sizes.delete(sourceKey({ namespace, name }));
    return claims.follow(mirror({ put, drop }), signal);
  };
}
