import { type Infer, list, map, optional, quantity, ref, required, string, struct } from '#schema/build.ts';

export const ResourceRequirements = struct('io.k8s.api.core.v1.ResourceRequirements', () => ({
  limits: optional(1, map(quantity), { goType: 'v1.ResourceList' }),
  requests: optional(2, map(quantity), { goType: 'v1.ResourceList' }),
  claims: optional(3, list(ref<ResourceClaim>(ResourceClaim)), { merge: { keys: ['name'] } }),
}));
export interface ResourceRequirements extends Infer<typeof ResourceRequirements> {}

export const ResourceClaim = struct('io.k8s.api.core.v1.ResourceClaim', () => ({
  name: required(1, string),
  request: optional(2, string),
}));
export interface ResourceClaim extends Infer<typeof ResourceClaim> {}
