import type { Service } from '#kinds/core/v1/service/service.ts';
import { isExternallyAccessible, isLoadBalancer } from '#kinds/core/v1/service/service-kinds.ts';

const affinitySeconds = 10_800;

export function defaultService(service: Service): void {
  const { spec } = service;
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
  }
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isExternallyAccessible(service)) spec.externalTrafficPolicy ||= 'Cluster';
  if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type)) spec.internalTrafficPolicy ??= 'Cluster';
  if (isLoadBalancer(service)) defaultLoadBalancer(service);
}

function defaultLoadBalancer({ spec, status }: Service): void {
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status.loadBalancer.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}
