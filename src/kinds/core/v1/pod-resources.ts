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

function qosClassFor(holders: readonly Pick<Container, 'resources'>[]): QosClass {
  const requests: ResourceList = {};
  const limits: ResourceList = {};
  let guaranteed = true;
  for (const { resources } of holders) {
    addTo(requests, computeAmounts(resources.requests));
    const own = computeAmounts(resources.limits);
    addTo(limits, own);
    if (own['cpu'] === undefined || own['memory'] === undefined) guaranteed = false;
  }
  if (Object.keys(requests).length === 0 && Object.keys(limits).length === 0) return 'BestEffort';
  return guaranteed && sameAmounts(requests, limits) ? 'Guaranteed' : 'Burstable';
}

/** Only cpu and memory count, and only above zero. */
function computeAmounts(list: Readonly<ResourceList> | undefined): ResourceList {
  const amounts: ResourceList = {};
  for (const name of ['cpu', 'memory']) {
    const amount = list?.[name];
    if (amount !== undefined && quantitySign(amount) > 0) amounts[name] = amount;
  }
  return amounts;
}

function sameAmounts(requests: Readonly<ResourceList>, limits: Readonly<ResourceList>): boolean {
  const names = Object.keys(requests);
  return names.length === Object.keys(limits).length && names.every((name) => compareQuantities(requests[name] ?? '0', limits[name] ?? '0') === 0);
}
