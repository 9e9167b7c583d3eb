import { ingressColumns, ingressStrategy } from '#kinds/networking/v1/ingress-strategy.ts';
import { Ingress, IngressList } from '#kinds/networking/v1/ingress.ts';
import { defineResource } from '#resource/definition.ts';

export const ingresses = defineResource<Ingress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  singular: 'ingress',
  namespaced: true,
  strategy: ingressStrategy,
  columns: ingressColumns,
  schema: Ingress,
  list: IngressList,
  shortNames: ['ing'],
  storage: { version: 'v1', prefix: 'ingress', hash: '39NQlfNR+bo=' },
  lifecycle: { introduced: '1.19' },
  subresources: [{ name: 'status', kind: 'Ingress', verbs: ['get', 'patch', 'update'] }],
});
