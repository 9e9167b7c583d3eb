import { IPAddress, IPAddressList } from '#kinds/networking/v1beta1/ip-address.ts';
import { defineResource } from '#resource/definition.ts';

export const ipaddresses = defineResource<IPAddress>({
  group: 'networking.k8s.io',
  version: 'v1beta1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  singular: 'ipaddress',
  namespaced: false,
  schema: IPAddress,
  list: IPAddressList,
  shortNames: ['ip'],
  storage: { version: 'v1', prefix: 'ipaddresses', hash: '3f/plJFChNE=' },
  enabled: false,
  lifecycle: { introduced: '1.31', deprecated: '1.34', removed: '1.37' },
});
