import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, intOrString, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const NetworkPolicy = rootStruct(
  'io.k8s.api.networking.v1.NetworkPolicy',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<NetworkPolicySpec>(NetworkPolicySpec)),
  }),
  { gvks: [['networking.k8s.io', 'v1', 'NetworkPolicy']] },
);
export interface NetworkPolicy extends Infer<typeof NetworkPolicy> {}

export const NetworkPolicyList = rootStruct(
  'io.k8s.api.networking.v1.NetworkPolicyList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<NetworkPolicy>(NetworkPolicy))),
  }),
  { gvks: [['networking.k8s.io', 'v1', 'NetworkPolicyList']] },
);
export interface NetworkPolicyList extends Infer<typeof NetworkPolicyList> {}

export const IPBlock = struct('io.k8s.api.networking.v1.IPBlock', () => ({
  cidr: required(1, string),
  except: optional(2, list(string), { merge: 'atomic' }),
}));
export interface IPBlock extends Infer<typeof IPBlock> {}

export const NetworkPolicySpec = struct('io.k8s.api.networking.v1.NetworkPolicySpec', () => ({
  podSelector: embedded(1, ref<LabelSelector>(LabelSelector), { written: 'always' }),
  ingress: optional(2, list(ref<NetworkPolicyIngressRule>(NetworkPolicyIngressRule)), { merge: 'atomic' }),
  egress: optional(3, list(ref<NetworkPolicyEgressRule>(NetworkPolicyEgressRule)), { merge: 'atomic' }),
  policyTypes: optional(4, list(string), { enum: ['Egress', 'Ingress'], merge: 'atomic', goType: '[]v1.PolicyType' }),
}));
export interface NetworkPolicySpec extends Infer<typeof NetworkPolicySpec> {}

export const NetworkPolicyIngressRule = struct('io.k8s.api.networking.v1.NetworkPolicyIngressRule', () => ({
  ports: optional(1, list(ref<NetworkPolicyPort>(NetworkPolicyPort)), { merge: 'atomic' }),
  from: optional(2, list(ref<NetworkPolicyPeer>(NetworkPolicyPeer)), { merge: 'atomic' }),
}));
export interface NetworkPolicyIngressRule extends Infer<typeof NetworkPolicyIngressRule> {}

export const NetworkPolicyPort = struct('io.k8s.api.networking.v1.NetworkPolicyPort', () => ({
  protocol: pointer(1, string, { enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
  port: pointer(2, intOrString),
  endPort: pointer(3, int32),
}));
export interface NetworkPolicyPort extends Infer<typeof NetworkPolicyPort> {}

export const NetworkPolicyPeer = struct('io.k8s.api.networking.v1.NetworkPolicyPeer', () => ({
  podSelector: pointer(1, ref<LabelSelector>(LabelSelector)),
  namespaceSelector: pointer(2, ref<LabelSelector>(LabelSelector)),
  ipBlock: pointer(3, ref<IPBlock>(IPBlock)),
}));
export interface NetworkPolicyPeer extends Infer<typeof NetworkPolicyPeer> {}

export const NetworkPolicyEgressRule = struct('io.k8s.api.networking.v1.NetworkPolicyEgressRule', () => ({
  ports: optional(1, list(ref<NetworkPolicyPort>(NetworkPolicyPort)), { merge: 'atomic' }),
  to: optional(2, list(ref<NetworkPolicyPeer>(NetworkPolicyPeer)), { merge: 'atomic' }),
}));
export interface NetworkPolicyEgressRule extends Infer<typeof NetworkPolicyEgressRule> {}
