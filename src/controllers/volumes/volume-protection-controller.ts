// A PersistentVolume stays while it is bound to a claim.
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import { keepProtected, needsProtectionWork } from '#controllers/volumes/protection-finalizer.ts';
import type { StoredVolume } from '#controllers/volumes/storage-objects.ts';

export interface ProtectionOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
}

const finalizer = 'kubernetes.io/pv-protection';

export function volumeProtection(options: ProtectionOptions): Controller {
  const volumes = options.sources.of<StoredVolume>(kinds.persistentVolumes);
  const reconcile = async (key: string) => {
    const volume = volumes.get('', splitKey(key).name)?.object;
    if (volume) await keepProtected(options.client, kinds.persistentVolumes, volume, finalizer, () => volume.status?.phase === 'Bound');
  };
  const sources = [keysOf(volumes, (item) => (needsProtectionWork(item.object, finalizer) ? [sourceKey(item)] : []))];
  return controller({ ...options, name: 'persistentvolume-protection-controller', sources, reconcile, retry: { firstMs: 5, maxMs: 1_000_000 } });
}
