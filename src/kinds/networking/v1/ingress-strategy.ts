// How ingresses are written, and their cells.
import { validateIngressCreate, validateIngressStatusUpdate, validateIngressUpdate } from '#kinds/networking/v1/ingress-validation.ts';
import type { Ingress } from '#kinds/networking/v1/ingress.ts';
import { ipWarnings } from '#kinds/rules/addresses.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

export const ingressStrategy: Strategy<Ingress> = {
  prepareForCreate(ingress) {
    ingress.status = { loadBalancer: {} };
    startGeneration(ingress.metadata);
  },
  validate: validateIngressCreate,
  warnOnCreate: ({ metadata, spec }) =>
    metadata.annotations?.[classAnnotation] !== undefined && spec.ingressClassName === undefined
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],

  prepareForUpdate(ingress, old) {
    ingress.status = old.status;
    countGeneration(ingress.metadata, old.metadata, ingress.spec, old.spec);
  },
  validateUpdate: validateIngressUpdate,

  subresources: {
    status: statusStrategy<Ingress>({
      validateUpdate: validateIngressStatusUpdate,
      warnOnUpdate: ({ status }) =>
        (status.loadBalancer.ingress ?? []).flatMap(({ ip }, index) => (ip ? ipWarnings(ip, `status.loadBalancer.ingress[${index}]`) : [])),
    }),
  },
};

const shownHosts = 3;

function hostsCell(rules: Ingress['spec']['rules'] = []): string {
  const hosts: string[] = [];
  for (const { host } of rules) {
    if (hosts.length === shownHosts) return `${hosts.join(',')} + ${rules.length - shownHosts} more...`;
    if (host) hosts.push(host);
  }
  return hosts.length === 0 ? '*' : hosts.join(',');
}

function addressCell({ loadBalancer }: Ingress['status']): string {
  const addresses = (loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '').filter((address) => address !== '');
  return [...new Set(addresses)].toSorted().join(',');
}

export const ingressColumns: readonly Column<Ingress>[] = [
  nameColumn(),
  { name: 'Class', type: 'string', read: ({ spec }) => spec.ingressClassName ?? '<none>' },
  { name: 'Hosts', type: 'string', read: ({ spec }) => hostsCell(spec.rules) },
  { name: 'Address', type: 'string', read: ({ status }) => addressCell(status) },
  { name: 'Ports', type: 'string', read: ({ spec }) => (spec.tls?.length ? '80, 443' : '80') },
  ageColumn(),
];
