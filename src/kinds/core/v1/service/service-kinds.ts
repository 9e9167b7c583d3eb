// Questions about services that several of their rules ask.
import { parseIpSloppy } from '#base/ip-address.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';

export function isExternalName({ spec }: Service): boolean {
  return spec.type === 'ExternalName';
}

export function isLoadBalancer({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer';
}

/** Known by its endpoints alone: without an address of its own. */
export function isHeadless({ spec }: Service): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === 'None';
}

export function hasNodePortType({ spec }: Service): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer';
}

/** Every port gets a node port. */
export function wantsNodePorts({ spec }: Service): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

export function needsHealthCheck({ spec }: Service): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

export function isExternallyAccessible(service: Service): boolean {
  return hasNodePortType(service) || (service.spec.type === 'ClusterIP' && (service.spec.externalIPs?.length ?? 0) > 0);
}

export function nodePortsOf({ spec }: Service): readonly number[] {
  return (spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [nodePort] : []));
}

export function familyOf(address: string): string {
  const family = parseIpSloppy(address)?.family;
  return family === undefined ? 'unknown' : `IPv${family}`;
}

export function otherFamily(family: string | undefined): string {
  return family === 'IPv4' ? 'IPv6' : 'IPv4';
}

export function sameTexts(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index]);
}
