// Volumes, claims and attribute classes do not go away under their users.
import type { AdmissionPlugin, AdmissionScope } from '#admission/admission.ts';

const finalizers: Readonly<Record<string, string>> = {
  persistentvolumes: 'kubernetes.io/pv-protection',
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
};

export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  matches: (scope) => scope.operation === 'CREATE' && scope.subresource === '' && finalizerFor(scope) !== undefined,
  mutate({ definition, object }) {
    const finalizer = finalizerFor({ definition });
    if (object === undefined || finalizer === undefined || object.metadata.finalizers?.includes(finalizer)) return;
    object.metadata.finalizers = [...(object.metadata.finalizers ?? []), finalizer];
  },
};

function finalizerFor({ definition }: Pick<AdmissionScope, 'definition'>): string | undefined {
  return definition.group === '' || definition.group === 'storage.k8s.io' ? finalizers[definition.plural] : undefined;
}
