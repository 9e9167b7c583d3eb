// A PersistentVolumeClaim stays while a pod that has a node uses it.
import { type SourceItem, sourceKey, splitKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import { type Controller, controller, keysOf } from '#controllers/controller.ts';
import { claimNamesOf, type StoredPod } from '#controllers/volumes/claim-users.ts';
import { keepProtected, needsProtectionWork } from '#controllers/volumes/protection-finalizer.ts';
import type { StoredClaim } from '#controllers/volumes/storage-objects.ts';
import type { ProtectionOptions } from '#controllers/volumes/volume-protection-controller.ts';

const finalizer = 'kubernetes.io/pvc-protection';

export function claimProtection(options: ProtectionOptions): Controller {
  const { client, sources } = options;
  const claims = sources.of<StoredClaim>(kinds.persistentVolumeClaims);
  const pods = sources.of<StoredPod>(kinds.pods);
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const claim = claims.get(namespace, name)?.object;
    if (claim === undefined) return;
    const isUsed = async () => {
      if (pods.list(namespace).some(({ object }) => uses(object, claim))) return true;
      // The source may be behind: a pod that it does not know yet must not lose its claim.
      return (await client.list<StoredPod>(kinds.pods, namespace)).items.some((pod) => uses(pod, claim));
    };
    await keepProtected(client, kinds.persistentVolumeClaims, claim, finalizer, isUsed);
  };
  const ofClaims = keysOf(claims, (item) => (needsProtectionWork(item.object, finalizer) ? [sourceKey(item)] : []));
  const ofPods = keysOf(pods, (item, type) => (type === 'DELETED' || isShutDown(item.object) || hasEnded(item.object) ? claimsOf(item) : []));
  const retry = { firstMs: 5, maxMs: 1_000_000 };
  return controller({ ...options, name: 'persistentvolumeclaim-protection-controller', sources: [ofClaims, ofPods], reconcile, retry });
}

function claimsOf({ namespace, object }: SourceItem<StoredPod>): readonly string[] {
  return claimNamesOf(object).map((name) => sourceKey({ namespace, name }));
}

/** A pod without a node does not count: no kubelet starts it with a claim that is being deleted. */
function uses(pod: StoredPod, { metadata }: StoredClaim): boolean {
  if (!pod.spec?.nodeName) return false;
  return (pod.spec.volumes ?? []).some(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim?.claimName === metadata.name) return true;
    const isOfPod = metadata.ownerReferences?.some(({ controller: controls, uid }) => controls === true && uid === pod.metadata.uid) === true;
    return ephemeral !== undefined && !isShutDown(pod) && `${pod.metadata.name}-${name}` === metadata.name && isOfPod;
  });
}

/** The kubelet is done with the pod, or never had it: only finalizers keep it. */
function isShutDown({ metadata }: StoredPod): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}

function hasEnded({ status }: StoredPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
