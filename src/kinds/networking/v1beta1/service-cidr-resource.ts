import { ServiceCIDR, ServiceCIDRList } from '#kinds/networking/v1beta1/service-cidr.ts';
import { defineResource } from '#resource/definition.ts';

export const servicecidrs = defineResource<ServiceCIDR>({
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  singular: 'servicecidr',
  namespaced: false,
  schema: ServiceCIDR,
  list: ServiceCIDRList,
  storage: { version: 'v1', prefix: 'servicecidrs', hash: 'gNLvruQhW2g=' },
  enabled: false,
  lifecycle: { introduced: '1.31', deprecated: '1.34', removed: '1.37' },
  subresources: [{ name: 'status', kind: 'ServiceCIDR', verbs: ['get', 'patch', 'update'] }],
});
