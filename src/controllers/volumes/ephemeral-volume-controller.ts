// Makes the claims of ephemeral volumes, one for each such volume of a pod; the pod owns them, so they go with it.
import { type SourceItem, sourceKey, splitKey } from '#api/source.ts';
import { messageOf } from '#base/message-of.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { type Controller, controller, keysOf } from '#controllers/controller.ts';
import { claimNamesOf, type StoredPod } from '#controllers/volumes/claim-users.ts';
import type { StoredClaim } from '#controllers/volumes/storage-objects.ts';
import type { VolumeLoopOptions } from '#controllers/volumes/volume-loop-options.ts';

const workers = 5;

type EphemeralVolume = { readonly name: string; readonly ephemeral: NonNullable<NonNullable<StoredPod['spec']>['volumes']>[number]['ephemeral'] };

export function ephemeralVolumes(options: VolumeLoopOptions): Controller {
  const { client, sources } = options;
  const pods = sources.of<StoredPod>(kinds.pods);
  const claims = sources.of<StoredClaim>(kinds.persistentVolumeClaims);
  const events = new CoreEventRecorder({ ...options, component: 'ephemeral_volume' });
  const { attempts, failures } = countsOf(options);
  const ensure = async (pod: StoredPod, volume: EphemeralVolume) => {
    const { namespace = '' } = pod.metadata;
    const claim = claimFor(pod, volume);
    const { name = '' } = claim.metadata;
    const found = claims.get(namespace, name)?.object;
    if (found !== undefined) return refuseForeign(pod, found);
    attempts.value += 1;
    try {
      await client.create(kinds.persistentVolumeClaims, namespace, claim);
    } catch (error) {
      failures.value += 1;
      throw new Error(`create PVC ${name}: ${messageOf(error)}`, { cause: error });
    }
  };
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const pod = pods.get(namespace, name)?.object;
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    for (const volume of ephemeralOf(pod)) {
      try {
        await ensure(pod, volume);
      } catch (error) {
        events.event(regarding(kinds.pods, pod), 'Warning', 'FailedBinding', `ephemeral volume ${volume.name}: ${messageOf(error)}`);
        throw error;
      }
    }
  };
  const ofPods = keysOf(pods, (item, type) => (type === 'ADDED' && hasEphemeral(item) ? [sourceKey(item)] : []));
  // A claim that goes while its pod stays is made again.
  const ofClaims = keysOf(claims, ({ namespace, name }, type) =>
    type === 'DELETED' ? pods.list(namespace).flatMap((item) => (hasEphemeral(item) && claimNamesOf(item.object).includes(name) ? [sourceKey(item)] : [])) : [],
  );
  const retry = { firstMs: 5, maxMs: 1_000_000 };
  return controller({ ...options, name: 'ephemeral_volume', sources: [ofPods, ofClaims], reconcile, workers, retry });
}

function countsOf({ metrics: { ofLoops } }: VolumeLoopOptions) {
  return {
    attempts: ofLoops.counter({ name: 'ephemeral_volume_controller_create_total', help: 'Claims that were to be made' }).at(),
    failures: ofLoops.counter({ name: 'ephemeral_volume_controller_create_failures_total', help: 'Claims that could not be made' }).at(),
  };
}

function ephemeralOf({ spec }: StoredPod): readonly EphemeralVolume[] {
  return (spec?.volumes ?? []).flatMap(({ name, ephemeral }) => (ephemeral ? [{ name, ephemeral }] : []));
}

const volumesPath = [Buffer.from('spec'), Buffer.from('volumes')];

/** Without parsing the pod where it has no volumes. */
function hasEphemeral(item: SourceItem<StoredPod>): boolean {
  const volumes = item.valueAt(volumesPath) as readonly { readonly ephemeral?: unknown }[] | undefined;
  return volumes?.some(({ ephemeral }) => ephemeral !== undefined) === true;
}

function claimFor({ metadata: { name, uid } }: StoredPod, volume: EphemeralVolume): StoredClaim {
  const template = volume.ephemeral?.volumeClaimTemplate;
  const { annotations, labels } = template?.metadata ?? {};
  const owner = { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    metadata: { name: `${name}-${volume.name}`, ownerReferences: [owner], ...(annotations && { annotations }), ...(labels && { labels }) },
    spec: template?.spec,
  } as unknown as StoredClaim;
}

/** Somebody else's claim under that name must not be used by the pod. */
function refuseForeign({ metadata: pod }: StoredPod, { metadata: claim }: StoredClaim): void {
  if (claim.ownerReferences?.some(({ uid, controller: controls }) => controls === true && uid === pod.uid)) return;
  throw new Error(`PVC ${claim.namespace}/${claim.name} was not created for pod ${pod.namespace}/${pod.name} (pod is not owner)`);
}
