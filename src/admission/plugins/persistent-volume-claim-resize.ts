// A claim grows only when it is bound and its class can expand volumes.
import { compareQuantities, parseQuantity } from '#base/quantity.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { only, refusal } from '#admission/request-subject.ts';
import { storageClassOf } from '#admission/storage-class-of.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import type { StorageClass } from '#kinds/storage/v1/storage-class.ts';

const claims = { group: '', resource: 'persistentvolumeclaims' };
const classes = { group: 'storage.k8s.io', resource: 'storageclasses' };

type Claim = PersistentVolumeClaim & KubernetesObject;

export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  matches: only(['UPDATE'], claims),
  validate(request) {
    const [claim, old] = [request.object as unknown as Claim, request.old as unknown as Claim];
    if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return undefined;
    if (old.status.phase !== 'Bound') throw refusal(request, 'Only bound persistent volume claims can be expanded');
    return refuseUnlessExpandable(request, claim, old);
  },
};

function sizeOf({ spec }: Claim) {
  return parseQuantity((spec.resources.requests as Record<string, string> | undefined)?.['storage'] ?? '0');
}

async function refuseUnlessExpandable(request: AdmissionRequest, claim: Claim, old: Claim): Promise<void> {
  const name = storageClassOf(claim);
  const found = name !== '' && name === storageClassOf(old) ? await request.lister.get<StorageClass & KubernetesObject>(classes, '', name) : undefined;
  if (found?.allowVolumeExpansion) return;
  throw refusal(request, 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize');
}
