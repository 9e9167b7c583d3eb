// How services are written: what a change of type drops, and what stays.
import type { Service } from '#kinds/core/v1/service/service.ts';
import { beginServiceCreate, beginServiceUpdate, releaseService } from '#kinds/core/v1/service/service-allocation.ts';
import {
  hasNodePortType,
  isExternallyAccessible,
  isExternalName,
  isLoadBalancer,
  needsHealthCheck,
  nodePortsOf,
  sameTexts,
} from '#kinds/core/v1/service/service-kinds.ts';
import { validateServiceCreate, validateServiceStatusUpdate, validateServiceUpdate } from '#kinds/core/v1/service/service-validation.ts';
import { serviceWarnings } from '#kinds/core/v1/service/service-warnings.ts';
import { ipWarnings } from '#kinds/rules/addresses.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

export const serviceStrategy: Strategy<Service> = {
  returnsDeleted: true,
  allowCreateOnUpdate: true,
  selectableFields: { 'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '', 'spec.type': ({ spec }) => spec.type ?? '' },
  beginCreate: beginServiceCreate,
  beginUpdate: beginServiceUpdate,
  afterDelete: releaseService,

  prepareForCreate(service) {
    service.status = { loadBalancer: {} };
    hideInternalPolicy(service);
  },
  validate: validateServiceCreate,
  warnOnCreate: serviceWarnings,

  prepareForUpdate(service, old) {
    service.status = old.status;
    dropUnneededFields(service, old);
    if (!isLoadBalancer(service) && service.status.loadBalancer.ingress !== undefined) service.status = { ...service.status, loadBalancer: {} };
    hideInternalPolicy(service);
  },
  validateUpdate: validateServiceUpdate,
  warnOnUpdate: serviceWarnings,

  subresources: {
    status: statusStrategy<Service>({
      validateUpdate: validateServiceStatusUpdate,
      warnOnUpdate: ({ status }) =>
        (status.loadBalancer.ingress ?? []).flatMap(({ ip }, index) => (ip ? ipWarnings(ip, `status.loadBalancer.ingress[${index}]`) : [])),
    }),
  },
};

/** A name elsewhere has no internal traffic; only values that validation would refuse stay to be refused. */
function hideInternalPolicy(service: Service): void {
  const { internalTrafficPolicy: policy } = service.spec;
  if (isExternalName(service) && (policy === 'Cluster' || policy === 'Local')) delete service.spec.internalTrafficPolicy;
}

/** Values that belong to the former type go when the client has not touched them. */
function dropUnneededFields(service: Service, old: Service): void {
  const { spec } = service;
  if (!isExternalName(old) && isExternalName(service)) dropAddresses(service, old);
  if (hasNodePortType(old) && !hasNodePortType(service)) {
    const before = new Set(nodePortsOf(old));
    if (nodePortsOf(service).every((port) => before.has(port))) for (const port of spec.ports ?? []) delete port.nodePort;
  }
  if (needsHealthCheck(old) && !needsHealthCheck(service) && spec.healthCheckNodePort === old.spec.healthCheckNodePort) delete spec.healthCheckNodePort;
  if (isLoadBalancer(old) && !isLoadBalancer(service)) {
    if (spec.allocateLoadBalancerNodePorts === old.spec.allocateLoadBalancerNodePorts) delete spec.allocateLoadBalancerNodePorts;
    if (spec.loadBalancerClass === old.spec.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (isExternallyAccessible(old) && !isExternallyAccessible(service) && spec.externalTrafficPolicy === old.spec.externalTrafficPolicy) {
    delete spec.externalTrafficPolicy;
  }
}

function dropAddresses({ spec }: Service, { spec: old }: Service): void {
  if (spec.clusterIP === old.clusterIP && sameTexts(spec.clusterIPs, old.clusterIPs)) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (sameTexts(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies;
  if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy;
}
