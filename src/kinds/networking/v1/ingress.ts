import { TypedLocalObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, inline, int32, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Ingress = rootStruct(
  'io.k8s.api.networking.v1.Ingress',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<IngressSpec>(IngressSpec)),
    status: embedded(3, ref<IngressStatus>(IngressStatus)),
  }),
  { gvks: [['networking.k8s.io', 'v1', 'Ingress']] },
);
export interface Ingress extends Infer<typeof Ingress> {}

export const IngressList = rootStruct(
  'io.k8s.api.networking.v1.IngressList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Ingress>(Ingress))),
  }),
  { gvks: [['networking.k8s.io', 'v1', 'IngressList']] },
);
export interface IngressList extends Infer<typeof IngressList> {}

export const HTTPIngressPath = struct('io.k8s.api.networking.v1.HTTPIngressPath', () => ({
  path: optional(1, string),
  pathType: pointer(3, string, { written: 'always', mandatory: true, enum: ['Exact', 'ImplementationSpecific', 'Prefix'], goType: 'v1.PathType' }),
  backend: required(2, ref<IngressBackend>(IngressBackend)),
}));
export interface HTTPIngressPath extends Infer<typeof HTTPIngressPath> {}

export const IngressBackend = struct('io.k8s.api.networking.v1.IngressBackend', () => ({
  service: pointer(4, ref<IngressServiceBackend>(IngressServiceBackend)),
  resource: pointer(3, ref<TypedLocalObjectReference>(TypedLocalObjectReference)),
}));
export interface IngressBackend extends Infer<typeof IngressBackend> {}

export const IngressServiceBackend = struct('io.k8s.api.networking.v1.IngressServiceBackend', () => ({
  name: required(1, string),
  port: embedded(2, ref<ServiceBackendPort>(ServiceBackendPort)),
}));
export interface IngressServiceBackend extends Infer<typeof IngressServiceBackend> {}

export const ServiceBackendPort = struct(
  'io.k8s.api.networking.v1.ServiceBackendPort',
  () => ({
    name: optional(1, string),
    number: optional(2, int32),
  }),
  { atomic: true },
);
export interface ServiceBackendPort extends Infer<typeof ServiceBackendPort> {}

export const HTTPIngressRuleValue = struct('io.k8s.api.networking.v1.HTTPIngressRuleValue', () => ({
  paths: required(1, list(ref<HTTPIngressPath>(HTTPIngressPath)), { merge: 'atomic' }),
}));
export interface HTTPIngressRuleValue extends Infer<typeof HTTPIngressRuleValue> {}

export const IngressSpec = struct('io.k8s.api.networking.v1.IngressSpec', () => ({
  ingressClassName: pointer(4, string),
  defaultBackend: pointer(1, ref<IngressBackend>(IngressBackend)),
  tls: optional(2, list(ref<IngressTLS>(IngressTLS)), { merge: 'atomic' }),
  rules: optional(3, list(ref<IngressRule>(IngressRule)), { merge: 'atomic' }),
}));
export interface IngressSpec extends Infer<typeof IngressSpec> {}

export const IngressTLS = struct('io.k8s.api.networking.v1.IngressTLS', () => ({
  hosts: optional(1, list(string), { merge: 'atomic' }),
  secretName: optional(2, string),
}));
export interface IngressTLS extends Infer<typeof IngressTLS> {}

export const IngressRule = struct('io.k8s.api.networking.v1.IngressRule', () => ({
  host: optional(1, string),
  ...inline(2, 'ingressRuleValue', IngressRuleValue),
}));
export interface IngressRule extends Infer<typeof IngressRule> {}

export const IngressRuleValue = struct(
  'io.k8s.api.networking.v1.IngressRuleValue',
  () => ({
    http: pointer(1, ref<HTTPIngressRuleValue>(HTTPIngressRuleValue)),
  }),
  { unpublished: true },
);
export interface IngressRuleValue extends Infer<typeof IngressRuleValue> {}

export const IngressStatus = struct('io.k8s.api.networking.v1.IngressStatus', () => ({
  loadBalancer: embedded(1, ref<IngressLoadBalancerStatus>(IngressLoadBalancerStatus)),
}));
export interface IngressStatus extends Infer<typeof IngressStatus> {}

export const IngressLoadBalancerStatus = struct('io.k8s.api.networking.v1.IngressLoadBalancerStatus', () => ({
  ingress: optional(1, list(ref<IngressLoadBalancerIngress>(IngressLoadBalancerIngress)), { merge: 'atomic' }),
}));
export interface IngressLoadBalancerStatus extends Infer<typeof IngressLoadBalancerStatus> {}

export const IngressLoadBalancerIngress = struct('io.k8s.api.networking.v1.IngressLoadBalancerIngress', () => ({
  ip: optional(1, string),
  hostname: optional(2, string),
  ports: optional(4, list(ref<IngressPortStatus>(IngressPortStatus)), { merge: 'atomic' }),
}));
export interface IngressLoadBalancerIngress extends Infer<typeof IngressLoadBalancerIngress> {}

export const IngressPortStatus = struct('io.k8s.api.networking.v1.IngressPortStatus', () => ({
  port: required(1, int32),
  protocol: required(2, string, { enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
  error: pointer(3, string),
}));
export interface IngressPortStatus extends Infer<typeof IngressPortStatus> {}
