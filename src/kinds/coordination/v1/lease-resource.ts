import { leaseColumns, leaseStrategy } from '#kinds/coordination/v1/lease-strategy.ts';
import { Lease, LeaseList } from '#kinds/coordination/v1/lease.ts';
import { defineResource } from '#resource/definition.ts';

export const leases = defineResource<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  singular: 'lease',
  namespaced: true,
  strategy: leaseStrategy,
  columns: leaseColumns,
  schema: Lease,
  list: LeaseList,
  storage: { version: 'v1', prefix: 'leases', hash: 'gqkMMb/YqFM=' },
  lifecycle: { introduced: '1.14' },
});
