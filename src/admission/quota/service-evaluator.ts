import { countName, isWrite, one, type QuotaEvaluator } from '#admission/quota/evaluator.ts';
import type { Amounts } from '#admission/resource-list.ts';
import { quantityOf } from '#base/quantity.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';

const services = { group: '', resource: 'services' };
const limits = new Set([countName(services), 'services', 'services.nodeports', 'services.loadbalancers']);

export const serviceEvaluator: QuotaEvaluator = {
  resource: services,
  handles: isWrite,
  covers: (limit) => limits.has(limit),
  usage: (object) => usage(object as unknown as Service),
};

function usage({ spec }: Service): Amounts {
  return new Map([
    [countName(services), one],
    ['services', one],
    ['services.nodeports', quantityOf(nodePorts(spec))],
    ['services.loadbalancers', quantityOf(spec.type === 'LoadBalancer' ? 1 : 0)],
  ]);
}

function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: Service['spec']): number {
  if (type === 'NodePort') return ports.length;
  if (type !== 'LoadBalancer') return 0;
  return allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort).length : ports.length;
}
