import { proxyMethods } from '#kinds/core/v1/connect-methods.ts';
import { serviceColumns } from '#kinds/core/v1/service/service-columns.ts';
import { serviceStrategy } from '#kinds/core/v1/service/service-strategy.ts';
import { Service, ServiceList } from '#kinds/core/v1/service/service.ts';
import { defaultService } from '#kinds/core/v1/service/service-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const services = defineResource<Service>({
  group: '',
  version: 'v1',
  kind: 'Service',
  plural: 'services',
  singular: 'service',
  namespaced: true,
  strategy: serviceStrategy,
  columns: serviceColumns,
  schema: Service,
  defaults: [defaultsOf(Service, defaultService)],
  list: ServiceList,
  shortNames: ['svc'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'services/specs', hash: '0/CO1lhkEBI=' },
  lifecycle: { introduced: '1.0' },
  subresources: [
    { name: 'proxy', kind: 'ServiceProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'], connects: proxyMethods },
    { name: 'status', kind: 'Service', verbs: ['get', 'patch', 'update'] },
  ],
});
