import { ipAddressColumns, ipAddressStrategy } from '#kinds/networking/v1/ip-address-strategy.ts';
import { IPAddress, IPAddressList } from '#kinds/networking/v1/ip-address.ts';
import { defineResource } from '#resource/definition.ts';

export const ipaddresses = defineResource<IPAddress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  singular: 'ipaddress',
  namespaced: false,
  strategy: ipAddressStrategy,
  columns: ipAddressColumns,
  schema: IPAddress,
  list: IPAddressList,
  shortNames: ['ip'],
  storage: { version: 'v1', prefix: 'ipaddresses', hash: '3f/plJFChNE=' },
  lifecycle: { introduced: '1.33' },
});
