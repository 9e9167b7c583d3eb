import type { Service } from '#kinds/core/v1/service/service.ts';
import { ageColumn, labelsCell, nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

function externalCell({ spec, status }: Service): string {
  const { externalIPs = [], externalName = '' } = spec;
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>';
    case 'LoadBalancer': {
      const points = (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((point) => point !== '');
      return [...[...new Set(points)].toSorted(), ...externalIPs].join(',') || '<pending>';
    }
    case 'ExternalName':
      return externalName;
    default:
      return '<unknown>';
  }
}

function portsCell({ ports = [] }: Service['spec']): string {
  return ports.map(({ port, nodePort, protocol = '' }) => `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`).join(',') || '<none>';
}

export const serviceColumns: readonly Column<Service>[] = [
  nameColumn(),
  { name: 'Type', type: 'string', read: ({ spec }) => spec.type ?? '' },
  { name: 'Cluster-IP', type: 'string', read: ({ spec }) => spec.clusterIPs?.[0] ?? '<none>' },
  { name: 'External-IP', type: 'string', read: externalCell },
  { name: 'Port(s)', type: 'string', read: ({ spec }) => portsCell(spec) },
  ageColumn(),
  { name: 'Selector', type: 'string', priority: 1, read: ({ spec }) => labelsCell(spec.selector) },
];
