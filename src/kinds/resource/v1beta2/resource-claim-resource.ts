import { ResourceClaim, ResourceClaimList } from '#kinds/resource/v1beta2/resource-claim.ts';
import { resourceClaimDefaults } from '#kinds/resource/v1beta2/resource-claim-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceclaims = defineResource<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1beta2',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  namespaced: true,
  schema: ResourceClaim,
  defaults: resourceClaimDefaults,
  list: ResourceClaimList,
  storage: { version: 'v1', prefix: 'resourceclaims', hash: 'wgAZaHcZxUg=' },
  enabled: false,
  lifecycle: { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
  subresources: [{ name: 'status', kind: 'ResourceClaim', verbs: ['get', 'patch', 'update'], tables: false }],
});
