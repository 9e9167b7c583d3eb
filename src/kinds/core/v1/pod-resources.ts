// What the containers of a pod need together, and the quality of service that follows.
import type { Container } from '#kinds/core/v1/container.ts';
import type { PodSpec } from '#kinds/core/v1/pod-spec.ts';
import { addQuantities, compareQuantities, quantitySign } from '#kinds/rules/quantities.ts';

type ResourceList = Record<string, string>;

/** Regular containers and sidecars add up; an init container needs its own plus that of the sidecars started before it. */
export function aggregateResources(spec: PodSpec, field: 'requests' | 'limits'): ResourceList {
  const total: ResourceList = {};
  const sidecars: ResourceList = {};
  const starting: ResourceList = {};
  for (const { resources } of spec.containers ?? []) addTo(total, resources[field]);
  for (const container of spec.initContainers ?? []) {
    const own = container.resources[field];
    if (container.restartPolicy === 'Always') {
      addTo(total, own);
      addTo(sidecars, own);
      raiseTo(starting, sidecars);
    } else {
      const alone: ResourceList = {};
      addTo(alone, own);
      addTo(alone, sidecars);
      raiseTo(starting, alone);
    }
  }
  raiseTo(total, starting);
  return total;
}

function addTo(total: ResourceList, list: Readonly<ResourceList> = {}): void {
  for (const name in list) {
    const amount = list[name] ?? '0';
    const known = total[name];
    total[name] = known === undefined ? amount : addQuantities(known, amount);
  }
}

function raiseTo(total: ResourceList, list: Readonly<ResourceList>): void {
  for (const name in list) {
    const amount = list[name] ?? '0';
    const known = total[name];
    if (known === undefined || compareQuantities(amount, known) > 0) total[name] = amount;
  }
}

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** Guaranteed: every container has limits for cpu and memory, and the sums of requests and limits agree. */
export function qosClassOf(spec: PodSpec, podLevelResources: boolean): QosClass {
  const { resources } = spec;
  if (podLevelResources && resources !== undefined) return qosClassFor([{ resources }]);
  return qosClassFor([...(spec.containers ?? []), ...(spec.initContainers ?? [])]);
}

const computeResources = ['cpu', 'memory'] as const;
type ComputeResource = (typeof computeResources)[number];
type Holder = Pick<Container, 'resources'>;

/** Only cpu and memory count, and only above zero. */
function qosClassFor(holders: readonly Holder[]): QosClass {
  let isBounded = true;
  let hasAny = false;
  for (const { resources } of holders) {
    for (const name of computeResources) {
      const isLimited = isPositive(resources.limits?.[name]);
      isBounded &&= isLimited;
      hasAny ||= isLimited || isPositive(resources.requests?.[name]);
    }
  }
  if (!hasAny) return 'BestEffort';
  return isBounded && computeResources.every((name) => requestsAreLimits(holders, name)) ? 'Guaranteed' : 'Burstable';
}

function isPositive(amount: string | undefined): boolean {
  return amount !== undefined && quantitySign(amount) > 0;
}

/** In sum. */
function requestsAreLimits(holders: readonly Holder[], name: ComputeResource): boolean {
  let [requests, limits] = ['0', '0'];
  for (const { resources } of holders) {
    const [request, limit] = [resources.requests?.[name], resources.limits?.[name]];
    if (request === limit) continue;
    if (isPositive(request)) requests = addQuantities(requests, request as string);
    if (isPositive(limit)) limits = addQuantities(limits, limit as string);
  }
  return compareQuantities(requests, limits) === 0;
}
