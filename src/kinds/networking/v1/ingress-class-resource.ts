import { defaultIngressClass, ingressClassColumns, ingressClassStrategy } from '#kinds/networking/v1/ingress-class-strategy.ts';
import { IngressClass, IngressClassList } from '#kinds/networking/v1/ingress-class.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const ingressclasses = defineResource<IngressClass>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  singular: 'ingressclass',
  namespaced: false,
  strategy: ingressClassStrategy,
  columns: ingressClassColumns,
  schema: IngressClass,
  defaults: [defaultsOf(IngressClass, defaultIngressClass)],
  list: IngressClassList,
  storage: { version: 'v1', prefix: 'ingressclasses', hash: 'l/iqIbDgFyQ=' },
  lifecycle: { introduced: '1.19' },
});
