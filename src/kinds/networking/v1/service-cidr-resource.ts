import { serviceCidrColumns, serviceCidrStrategy } from '#kinds/networking/v1/service-cidr-strategy.ts';
import { ServiceCIDR, ServiceCIDRList } from '#kinds/networking/v1/service-cidr.ts';
import { defineResource } from '#resource/definition.ts';

export const servicecidrs = defineResource<ServiceCIDR>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  singular: 'servicecidr',
  namespaced: false,
  strategy: serviceCidrStrategy,
  columns: serviceCidrColumns,
  schema: ServiceCIDR,
  list: ServiceCIDRList,
  storage: { version: 'v1', prefix: 'servicecidrs', hash: 'gNLvruQhW2g=' },
  lifecycle: { introduced: '1.33' },
  subresources: [{ name: 'status', kind: 'ServiceCIDR', verbs: ['get', 'patch', 'update'] }],
});
