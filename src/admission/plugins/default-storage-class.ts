// Claims that name no storage class get the cluster's default.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { newestMarked } from '#api/newest-marked.ts';
import { only } from '#admission/request-subject.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';

const claims = { group: '', resource: 'persistentvolumeclaims' };
const classes = { group: 'storage.k8s.io', resource: 'storageclasses' };
const marks = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
const oldClassName = 'volume.beta.kubernetes.io/storage-class';

export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  matches: only(['CREATE'], claims),
  mutate(request) {
    const { spec, metadata } = request.object as unknown as PersistentVolumeClaim & KubernetesObject;
    if (spec.storageClassName !== undefined || metadata.annotations?.[oldClassName] !== undefined) return undefined;
    return fillIn(request, spec);
  },
};

async function fillIn({ lister }: AdmissionRequest, spec: PersistentVolumeClaim['spec']): Promise<void> {
  const chosen = newestMarked(await lister.list(classes), marks);
  if (chosen?.metadata.name) spec.storageClassName = chosen.metadata.name;
}
