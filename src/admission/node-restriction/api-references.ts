// A mirror pod stands for something the node runs by itself: it must not reach for objects of the API.
import { namesSecrets } from '#admission/pod-secrets.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';

/** What kind of object the pod refers to; undefined for none. */
export function apiReference(pod: Pod): string | undefined {
  const { spec } = pod;
  if (spec.serviceAccountName) return 'serviceaccounts';
  if (namesSecrets(pod)) return 'secrets';
  if (namesConfigMaps(pod)) return 'configmaps';
  if (spec.resourceClaims?.length) return 'resourceclaims';
  return (spec.volumes ?? []).map(volumeReference).find((found) => found !== undefined);
}

interface EnvSources {
  readonly env?: readonly { readonly valueFrom?: { readonly configMapKeyRef?: unknown } | undefined }[] | undefined;
  readonly envFrom?: readonly { readonly configMapRef?: unknown }[] | undefined;
}

function namesConfigMaps({ spec }: Pod): boolean {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])] as readonly EnvSources[];
  const inEnv = containers.some(({ env = [], envFrom = [] }) => envFrom.some((one) => one.configMapRef) || env.some((one) => one.valueFrom?.configMapKeyRef));
  return inEnv || (spec.volumes ?? []).some(({ configMap, projected }) => configMap || projected?.sources?.some((source) => source.configMap));
}

function volumeReference(volume: Volume): string | undefined {
  if (volume.csi) return 'csidrivers (via CSI volumes)';
  if (volume.glusterfs) return 'endpoints (via glusterFS volumes)';
  if (volume.persistentVolumeClaim) return 'persistentvolumeclaims';
  if (volume.ephemeral) return 'persistentvolumeclaims (via ephemeral volumes)';
  const sources = volume.projected?.sources ?? [];
  if (sources.some((source) => source.serviceAccountToken)) return 'serviceaccounts (via projected volumes)';
  if (sources.some((source) => source.clusterTrustBundle)) return 'clustertrustbundles';
  return sources.some((source) => source.podCertificate) ? 'podcertificates' : undefined;
}
