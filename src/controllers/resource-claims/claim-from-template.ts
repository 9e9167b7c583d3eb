// The claim that is made for a pod from a template.
import type { KubernetesObject } from '#api/object.ts';
import type { PodClaim, StoredPod, StoredResourceClaim } from '#controllers/resource-claims/pod-claims.ts';
import type { ResourceClaimTemplate } from '#kinds/resource/v1/resource-claim-template.ts';

export type StoredTemplate = ResourceClaimTemplate & KubernetesObject;

export const podClaimAnnotation = 'resource.kubernetes.io/pod-claim-name';

/** A name of 63 characters less the five that the server makes up, and a dash. */
const longestBase = 57;

export function claimFromTemplate(template: StoredTemplate, pod: StoredPod, podClaim: PodClaim): StoredResourceClaim {
  const { metadata, spec } = template.spec;
  const owner = { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name, uid: pod.metadata.uid, controller: true };
  return {
    metadata: {
      generateName: generateName(pod.metadata.name ?? '', podClaim.name),
      ownerReferences: [owner],
      annotations: { ...metadata?.annotations, [podClaimAnnotation]: podClaim.name },
      ...(metadata?.labels && { labels: metadata.labels }),
    },
    spec,
  } as unknown as StoredResourceClaim;
}

/** Both names are cut in proportion where they are too long together. */
export function generateName(pod: string, claim: string): string {
  const whole = `${pod}-${claim}-`;
  if (whole.length <= longestBase) return whole;
  const cut = (name: string) => name.slice(0, Math.floor((name.length * longestBase) / whole.length));
  return `${cut(pod)}-${cut(claim)}`;
}

export function wantsAdminAccess({ spec }: StoredResourceClaim): boolean {
  return spec?.devices?.requests?.some(({ exactly }) => exactly?.adminAccess === true) === true;
}
