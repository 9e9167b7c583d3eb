import { claimConversion } from '#kinds/resource/v1beta1/resource-claim-conversion.ts';
import { ResourceClaim, ResourceClaimList } from '#kinds/resource/v1beta1/resource-claim.ts';
import { resourceClaimDefaults } from '#kinds/resource/v1beta1/resource-claim-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceclaims = defineResource<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1beta1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  namespaced: true,
  schema: ResourceClaim,
  defaults: resourceClaimDefaults,
  list: ResourceClaimList,
  storage: { version: 'v1', prefix: 'resourceclaims', hash: 'wgAZaHcZxUg=' },
  conversion: claimConversion,
  enabled: false,
  lifecycle: { introduced: '1.32', deprecated: '1.35', removed: '1.38' },
  subresources: [{ name: 'status', kind: 'ResourceClaim', verbs: ['get', 'patch', 'update'], tables: false }],
});
