import { defaultNetworkPolicy, defaultNetworkPolicyPort, networkPolicyColumns, networkPolicyStrategy } from '#kinds/networking/v1/network-policy-strategy.ts';
import { NetworkPolicy, NetworkPolicyList, NetworkPolicyPort } from '#kinds/networking/v1/network-policy.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const networkpolicies = defineResource<NetworkPolicy>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  singular: 'networkpolicy',
  namespaced: true,
  strategy: networkPolicyStrategy,
  columns: networkPolicyColumns,
  schema: NetworkPolicy,
  defaults: [defaultsOf(NetworkPolicy, defaultNetworkPolicy), defaultsOf(NetworkPolicyPort, defaultNetworkPolicyPort)],
  list: NetworkPolicyList,
  shortNames: ['netpol'],
  storage: { version: 'v1', prefix: 'networkpolicies', hash: 'YpfwF18m1G8=' },
  lifecycle: { introduced: '1.7' },
});
