import type { Service } from '#kinds/core/v1/service/service.ts';
import { isExternalName } from '#kinds/core/v1/service/service-kinds.ts';
import { cidrWarnings, ipWarnings } from '#kinds/rules/addresses.ts';

const topologyHints = 'service.kubernetes.io/topology-aware-hints';

export function serviceWarnings(service: Service): readonly string[] {
  const { metadata, spec } = service;
  const { clusterIP, clusterIPs = [], externalIPs = [], loadBalancerIP, loadBalancerSourceRanges = [] } = spec;
  const headless = spec.type === 'ClusterIP' && clusterIP === 'None';
  const warnings: string[] = [];
  if (metadata.annotations?.[topologyHints] !== undefined) {
    warnings.push(`annotation ${topologyHints} is deprecated, please use service.kubernetes.io/topology-mode instead`);
  }
  if (clusterIP && clusterIP !== 'None') clusterIPs.forEach((ip, index) => warnings.push(...ipWarnings(ip, `spec.clusterIPs[${index}]`)));
  if (headless) warnings.push(...headlessWarnings(service));
  externalIPs.forEach((ip, index) => warnings.push(...ipWarnings(ip, `spec.externalIPs[${index}]`)));
  if (externalIPs.length > 0 && !headless && !isExternalName(service)) {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  if (loadBalancerIP) warnings.push(...ipWarnings(loadBalancerIP, 'spec.loadBalancerIP'));
  loadBalancerSourceRanges.forEach((cidr, index) => warnings.push(...cidrWarnings(cidr, `spec.loadBalancerSourceRanges[${index}]`)));
  warnings.push(...ignoredFieldWarnings(service));
  return warnings;
}

function headlessWarnings({ spec }: Service): readonly string[] {
  const ignored = [
    ...(spec.loadBalancerIP ? ['loadBalancerIP'] : []),
    ...(spec.externalIPs?.length ? ['externalIPs'] : []),
    ...(spec.sessionAffinity === 'None' ? [] : ['SessionAffinity']),
  ];
  return ignored.map((field) => `spec.${field} is ignored for headless services`);
}

function ignoredFieldWarnings(service: Service): readonly string[] {
  const { externalIPs = [], externalName, trafficDistribution } = service.spec;
  const named = isExternalName(service);
  return [
    ...(named && externalIPs.length > 0 ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(!named && externalName ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : []),
    ...(trafficDistribution === 'PreferClose' ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'] : []),
  ];
}
