import { type Infer, pointer, required, string, struct } from '#schema/build.ts';

export const PodGroupResourceClaim = struct('io.k8s.api.scheduling.v1alpha2.PodGroupResourceClaim', () => ({
  name: required(1, string),
  resourceClaimName: pointer(2, string),
  resourceClaimTemplateName: pointer(3, string),
}));
export interface PodGroupResourceClaim extends Infer<typeof PodGroupResourceClaim> {}
