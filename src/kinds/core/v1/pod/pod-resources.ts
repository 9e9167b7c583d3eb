// What the containers of a pod need together, and the quality of service that follows.
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
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

/** A resource may be called `__proto__`. */
function knownAmount(total: ResourceList, name: string): string | undefined {
  return Object.hasOwn(total, name) ? total[name] : undefined;
}

function addTo(total: ResourceList, list: Readonly<ResourceList> = {}): void {
  for (const name in list) {
    const amount = list[name] ?? '0';
    const known = knownAmount(total, name);
    total[name] = known === undefined ? amount : addQuantities(known, amount);
  }
}

function raiseTo(total: ResourceList, list: Readonly<ResourceList>): void {
  for (const name in list) {
    const amount = list[name] ?? '0';
    const known = knownAmount(total, name);
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

/** In sum, which has to be worked out only where some request more than their limit and others less. */
function requestsAreLimits(holders: readonly Holder[], name: ComputeResource): boolean {
  let [hasMore, hasLess] = [false, false];
  for (const { resources } of holders) {
    const order = compareQuantities(positiveOf(resources.requests, name), positiveOf(resources.limits, name));
    hasMore ||= order > 0;
    hasLess ||= order < 0;
  }
  if (hasMore !== hasLess) return false;
  return !hasMore || compareQuantities(sumOf(holders, 'requests', name), sumOf(holders, 'limits', name)) === 0;
}

function sumOf(holders: readonly Holder[], list: 'requests' | 'limits', name: ComputeResource): string {
  return holders.reduce((sum, { resources }) => addQuantities(sum, positiveOf(resources[list], name)), '0');
}

function positiveOf(list: Readonly<ResourceList> | undefined, name: ComputeResource): string {
  const amount = list?.[name];
  return amount !== undefined && isPositive(amount) ? amount : '0';
}
