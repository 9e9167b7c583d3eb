// Where a pod names secrets.
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';

type Spec = Pod['spec'];

export interface EnvHolder {
  readonly name: string;
  readonly env?:
    | readonly { readonly name: string; readonly valueFrom?: { readonly secretKeyRef?: { readonly name?: string } | undefined } | undefined }[]
    | undefined;
  readonly envFrom?: readonly { readonly secretRef?: { readonly name?: string } | undefined }[] | undefined;
}

export function namesSecrets({ spec }: Pod): boolean {
  return Boolean(spec.imagePullSecrets?.length) || containersOf(spec).some(envNamesSecret) || (spec.volumes ?? []).some(volumeNamesSecret);
}

function containersOf(spec: Spec): readonly EnvHolder[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])] as readonly EnvHolder[];
}

function envNamesSecret({ env = [], envFrom = [] }: EnvHolder): boolean {
  return envFrom.some(({ secretRef }) => secretRef) || env.some(({ valueFrom }) => valueFrom?.secretKeyRef);
}

/** Every volume source that can hold credentials says so in its own way. */
function volumeNamesSecret(volume: Volume): boolean {
  const { azureFile, cephfs, cinder, flexVolume, projected, rbd, secret, scaleIO, iscsi, storageos, csi } = volume;
  const references = [cephfs?.secretRef, cinder?.secretRef, flexVolume?.secretRef, rbd?.secretRef, scaleIO?.secretRef, iscsi?.secretRef, storageos?.secretRef];
  return Boolean(
    azureFile?.secretName ||
      secret ||
      csi?.nodePublishSecretRef ||
      references.some((reference) => reference) ||
      projected?.sources?.some((source) => source.secret),
  );
}
