// Volumes, claims and attribute classes do not go away under their users.
import type { AdmissionPlugin } from '#admission/admission.ts';

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
};

export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  mutate({ definition, operation, subresource, object }) {
    if (operation !== 'CREATE' || subresource !== '' || object === undefined) return;
    const finalizer = definition.group === '' || definition.group === 'storage.k8s.io' ? finalizers[definition.plural] : undefined;
    if (finalizer === undefined || object.metadata.finalizers?.includes(finalizer)) return;
    object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  },
};
