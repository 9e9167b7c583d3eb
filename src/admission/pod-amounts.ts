// What a pod asks for and is limited to as a whole: its containers together, or its largest step of initialization.
import { type Amounts, addTo, parseAmounts, raiseTo, type ResourceList } from '#admission/resource-list.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export type Side = 'requests' | 'limits';

export interface PodAmountsOptions {
  /** Amounts set on the pod itself win over those of its containers. */
  readonly podLevel: boolean;
  /** What the node still grants counts while a resize is under way. */
  readonly withStatus?: boolean;
  readonly overhead?: boolean;
}

type Container = NonNullable<Pod['spec']['containers']>[number];

const podLevelNames = (name: string) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

export function podAmounts(pod: Pod, side: Side, { podLevel, withStatus = false, overhead = false }: PodAmountsOptions): Amounts {
  const { spec } = pod;
  const ofContainer = withStatus && hasStatuses(pod) ? granted(pod, side) : specified(side);
  const [first, ...others] = spec.containers ?? [];
  const sum: Amounts = first ? ofContainer(first) : new Map();
  for (const container of others) addTo(sum, ofContainer(container));
  if (spec.initContainers?.length) addInitial(sum, spec.initContainers, ofContainer);
  if (podLevel && spec.resources) {
    for (const [name, amount] of parseAmounts(spec.resources[side] as ResourceList)) if (podLevelNames(name)) sum.set(name, amount);
  }
  if (overhead && spec.overhead) addOverhead(sum, spec.overhead as ResourceList, side);
  return sum;
}

/** Steps of initialization run one after the other, beside the sidecars that were started before them. */
function addInitial(sum: Amounts, containers: readonly Container[], ofContainer: (container: Container) => Amounts): void {
  const initial: Amounts = new Map();
  const sidecars: Amounts = new Map();
  for (const container of containers) {
    const own = ofContainer(container);
    const step: Amounts = new Map(sidecars);
    addTo(step, own);
    raiseTo(initial, step);
    if (container.restartPolicy !== 'Always') continue;
    addTo(sum, own);
    addTo(sidecars, own);
  }
  raiseTo(sum, initial);
}

function hasStatuses({ status }: Pod): boolean {
  return status?.containerStatuses !== undefined || status?.initContainerStatuses !== undefined;
}

/** Always a map of its own. */
function specified(side: Side): (container: Container) => Amounts {
  return ({ resources }) => parseAmounts(resources?.[side] as ResourceList | undefined);
}

/** The largest of what is asked for, what runs and what was granted; what cannot be granted does not count. */
function granted(pod: Pod, side: Side): (container: Container) => Amounts {
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const asked = specified(side);
  return (container) => {
    const status = statuses.find(({ name }) => name === container.name);
    const running = status?.resources?.[side] as ResourceList | undefined;
    const allocated = side === 'requests' ? (status?.allocatedResources as ResourceList | undefined) : undefined;
    if (running === undefined && allocated === undefined) return asked(container);
    const most = isInfeasible(pod) ? parseAmounts(undefined) : asked(container);
    raiseTo(most, parseAmounts(running));
    raiseTo(most, parseAmounts(allocated));
    return most;
  };
}

function isInfeasible({ status }: Pod): boolean {
  return (status.conditions ?? []).some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible');
}

/** Limits grow by the overhead only where there is a limit. */
function addOverhead(sum: Amounts, overhead: ResourceList, side: Side): void {
  const extra = parseAmounts(overhead);
  if (side === 'limits') for (const name of extra.keys()) if (!sum.has(name)) extra.delete(name);
  addTo(sum, extra);
}

/** No container asks for or is limited in processor or memory: the first to go. */
export function isBestEffort({ spec }: Pod, podLevel: boolean): boolean {
  const asks = (resources: { readonly requests?: unknown; readonly limits?: unknown } | undefined) =>
    (['requests', 'limits'] as const).some((side) => hasCompute(resources?.[side] as ResourceList | undefined));
  if (podLevel && spec.resources) return !asks(spec.resources);
  return ![...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(({ resources }) => asks(resources));
}

function hasCompute(list: ResourceList | undefined): boolean {
  return [...parseAmounts(list)].some(([name, { unscaled }]) => (name === 'cpu' || name === 'memory') && unscaled > 0n);
}
