import { serviceAccountColumns, serviceAccountStrategy } from '#kinds/core/v1/service-account-strategy.ts';
import { ServiceAccount, ServiceAccountList } from '#kinds/core/v1/service-account.ts';
import { defineResource } from '#resource/definition.ts';

export const serviceaccounts = defineResource<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  singular: 'serviceaccount',
  namespaced: true,
  strategy: serviceAccountStrategy,
  columns: serviceAccountColumns,
  schema: ServiceAccount,
  list: ServiceAccountList,
  shortNames: ['sa'],
  storage: { version: 'v1', prefix: 'serviceaccounts', hash: 'pbx9ZvyFpBE=' },
  lifecycle: { introduced: '1.0' },
  subresources: [{ name: 'token', kind: 'TokenRequest', verbs: ['create'], group: 'authentication.k8s.io', version: 'v1' }],
});
