import { resourceClaimColumns, resourceClaimStrategy } from '#kinds/resource/v1/resource-claim-strategy.ts';
import { AllocationResult, ResourceClaim, ResourceClaimList } from '#kinds/resource/v1/resource-claim.ts';
import { resourceClaimDefaults } from '#kinds/resource/v1/resource-claim-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const resourceclaims = defineResource<ResourceClaim>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaim',
  plural: 'resourceclaims',
  singular: 'resourceclaim',
  namespaced: true,
  strategy: resourceClaimStrategy(() => AllocationResult),
  columns: resourceClaimColumns,
  schema: ResourceClaim,
  defaults: resourceClaimDefaults,
  list: ResourceClaimList,
  storage: { version: 'v1', prefix: 'resourceclaims', hash: 'wgAZaHcZxUg=' },
  lifecycle: { introduced: '1.34' },
  subresources: [{ name: 'status', kind: 'ResourceClaim', verbs: ['get', 'patch', 'update'], tables: false }],
});
