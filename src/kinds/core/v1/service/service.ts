import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, int32, intOrString, list, map, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Service = rootStruct(
  'io.k8s.api.core.v1.Service',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ServiceSpec>(ServiceSpec)),
    status: embedded(3, ref<ServiceStatus>(ServiceStatus)),
  }),
  { gvks: [['', 'v1', 'Service']] },
);
export interface Service extends Infer<typeof Service> {}

export const ServiceList = rootStruct(
  'io.k8s.api.core.v1.ServiceList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Service>(Service))),
  }),
  { gvks: [['', 'v1', 'ServiceList']] },
);
export interface ServiceList extends Infer<typeof ServiceList> {}

export const ClientIPConfig = struct('io.k8s.api.core.v1.ClientIPConfig', () => ({
  timeoutSeconds: pointer(1, int32),
}));
export interface ClientIPConfig extends Infer<typeof ClientIPConfig> {}

export const LoadBalancerIngress = struct('io.k8s.api.core.v1.LoadBalancerIngress', () => ({
  ip: optional(1, string),
  hostname: optional(2, string),
  ipMode: pointer(3, string, { goType: 'v1.LoadBalancerIPMode' }),
  ports: optional(4, list(ref<PortStatus>(PortStatus)), { merge: 'atomic' }),
}));
export interface LoadBalancerIngress extends Infer<typeof LoadBalancerIngress> {}

export const PortStatus = struct('io.k8s.api.core.v1.PortStatus', () => ({
  port: required(1, int32),
  protocol: required(2, string, { enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
  error: pointer(3, string),
}));
export interface PortStatus extends Infer<typeof PortStatus> {}

export const LoadBalancerStatus = struct('io.k8s.api.core.v1.LoadBalancerStatus', () => ({
  ingress: optional(1, list(ref<LoadBalancerIngress>(LoadBalancerIngress)), { merge: 'atomic' }),
}));
export interface LoadBalancerStatus extends Infer<typeof LoadBalancerStatus> {}

export const ServiceSpec = struct('io.k8s.api.core.v1.ServiceSpec', () => ({
  ports: optional(1, list(ref<ServicePort>(ServicePort)), { merge: { keys: ['port', 'protocol'] }, patch: { strategy: 'merge', key: 'port' } }),
  selector: optional(2, map(string), { atomic: true }),
  clusterIP: optional(3, string),
  clusterIPs: optional(18, list(string), { merge: 'atomic' }),
  type: optional(4, string, { enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], goType: 'v1.ServiceType' }),
  externalIPs: optional(5, list(string), { merge: 'atomic' }),
  sessionAffinity: optional(7, string, { enum: ['ClientIP', 'None'], goType: 'v1.ServiceAffinity' }),
  loadBalancerIP: optional(8, string),
  loadBalancerSourceRanges: optional(9, list(string), { merge: 'atomic' }),
  externalName: optional(10, string),
  externalTrafficPolicy: optional(11, string, { enum: ['Cluster', 'Local'], goType: 'v1.ServiceExternalTrafficPolicy' }),
  healthCheckNodePort: optional(12, int32),
  publishNotReadyAddresses: optional(13, boolean),
  sessionAffinityConfig: pointer(14, ref<SessionAffinityConfig>(SessionAffinityConfig)),
  ipFamilies: optional(19, list(string), { enum: ['', 'IPv4', 'IPv6'], merge: 'atomic', goType: '[]v1.IPFamily' }),
  ipFamilyPolicy: pointer(17, string, { enum: ['PreferDualStack', 'RequireDualStack', 'SingleStack'], goType: 'v1.IPFamilyPolicy' }),
  allocateLoadBalancerNodePorts: pointer(20, boolean),
  loadBalancerClass: pointer(21, string),
  internalTrafficPolicy: pointer(22, string, { enum: ['Cluster', 'Local'], goType: 'v1.ServiceInternalTrafficPolicy' }),
  trafficDistribution: pointer(23, string),
}));
export interface ServiceSpec extends Infer<typeof ServiceSpec> {}

export const ServicePort = struct('io.k8s.api.core.v1.ServicePort', () => ({
  name: optional(1, string),
  protocol: optional(2, string, { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
  appProtocol: pointer(6, string),
  port: required(3, int32),
  targetPort: optional(4, intOrString),
  nodePort: optional(5, int32),
}));
export interface ServicePort extends Infer<typeof ServicePort> {}

export const SessionAffinityConfig = struct('io.k8s.api.core.v1.SessionAffinityConfig', () => ({
  clientIP: pointer(1, ref<ClientIPConfig>(ClientIPConfig)),
}));
export interface SessionAffinityConfig extends Infer<typeof SessionAffinityConfig> {}

export const ServiceStatus = struct('io.k8s.api.core.v1.ServiceStatus', () => ({
  loadBalancer: embedded(1, ref<LoadBalancerStatus>(LoadBalancerStatus)),
  conditions: optional(2, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface ServiceStatus extends Infer<typeof ServiceStatus> {}
