import { TypedLocalObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, inline, int32, intOrString, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Ingress = rootStruct(
  'io.k8s.api.networking.v1beta1.Ingress',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<IngressSpec>(IngressSpec)),
    status: embedded(3, ref<IngressStatus>(IngressStatus)),
  }),
  { unpublished: true },
);
export interface Ingress extends Infer<typeof Ingress> {}

export const IngressList = rootStruct(
  'io.k8s.api.networking.v1beta1.IngressList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Ingress>(Ingress))),
  }),
  { unpublished: true },
);
export interface IngressList extends Infer<typeof IngressList> {}

export const HTTPIngressPath = struct(
  'io.k8s.api.networking.v1beta1.HTTPIngressPath',
  () => ({
    path: optional(1, string),
    pathType: pointer(3, string, { goType: 'v1beta1.PathType' }),
    backend: required(2, ref<IngressBackend>(IngressBackend)),
  }),
  { unpublished: true },
);
export interface HTTPIngressPath extends Infer<typeof HTTPIngressPath> {}

export const IngressBackend = struct(
  'io.k8s.api.networking.v1beta1.IngressBackend',
  () => ({
    serviceName: optional(1, string),
    servicePort: optional(2, intOrString),
    resource: pointer(3, ref<TypedLocalObjectReference>(TypedLocalObjectReference)),
  }),
  { unpublished: true },
);
export interface IngressBackend extends Infer<typeof IngressBackend> {}

export const HTTPIngressRuleValue = struct(
  'io.k8s.api.networking.v1beta1.HTTPIngressRuleValue',
  () => ({
    paths: required(1, list(ref<HTTPIngressPath>(HTTPIngressPath)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface HTTPIngressRuleValue extends Infer<typeof HTTPIngressRuleValue> {}

export const IngressSpec = struct(
  'io.k8s.api.networking.v1beta1.IngressSpec',
  () => ({
    ingressClassName: pointer(4, string),
    backend: pointer(1, ref<IngressBackend>(IngressBackend)),
    tls: optional(2, list(ref<IngressTLS>(IngressTLS)), { merge: 'atomic' }),
    rules: optional(3, list(ref<IngressRule>(IngressRule)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface IngressSpec extends Infer<typeof IngressSpec> {}

export const IngressTLS = struct(
  'io.k8s.api.networking.v1beta1.IngressTLS',
  () => ({
    hosts: optional(1, list(string), { merge: 'atomic' }),
    secretName: optional(2, string),
  }),
  { unpublished: true },
);
export interface IngressTLS extends Infer<typeof IngressTLS> {}

export const IngressRule = struct(
  'io.k8s.api.networking.v1beta1.IngressRule',
  () => ({
    host: optional(1, string),
    ...inline(2, 'ingressRuleValue', IngressRuleValue),
  }),
  { unpublished: true },
);
export interface IngressRule extends Infer<typeof IngressRule> {}

export const IngressRuleValue = struct(
  'io.k8s.api.networking.v1beta1.IngressRuleValue',
  () => ({
    http: pointer(1, ref<HTTPIngressRuleValue>(HTTPIngressRuleValue)),
  }),
  { unpublished: true },
);
export interface IngressRuleValue extends Infer<typeof IngressRuleValue> {}

export const IngressStatus = struct(
  'io.k8s.api.networking.v1beta1.IngressStatus',
  () => ({
    loadBalancer: embedded(1, ref<IngressLoadBalancerStatus>(IngressLoadBalancerStatus)),
  }),
  { unpublished: true },
);
export interface IngressStatus extends Infer<typeof IngressStatus> {}

export const IngressLoadBalancerStatus = struct(
  'io.k8s.api.networking.v1beta1.IngressLoadBalancerStatus',
  () => ({
    ingress: optional(1, list(ref<IngressLoadBalancerIngress>(IngressLoadBalancerIngress)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface IngressLoadBalancerStatus extends Infer<typeof IngressLoadBalancerStatus> {}

export const IngressLoadBalancerIngress = struct(
  'io.k8s.api.networking.v1beta1.IngressLoadBalancerIngress',
  () => ({
    ip: optional(1, string),
    hostname: optional(2, string),
    ports: optional(4, list(ref<IngressPortStatus>(IngressPortStatus)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface IngressLoadBalancerIngress extends Infer<typeof IngressLoadBalancerIngress> {}

export const IngressPortStatus = struct(
  'io.k8s.api.networking.v1beta1.IngressPortStatus',
  () => ({
    port: required(1, int32),
    protocol: required(2, string, { enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
    error: pointer(3, string),
  }),
  { unpublished: true },
);
export interface IngressPortStatus extends Infer<typeof IngressPortStatus> {}
