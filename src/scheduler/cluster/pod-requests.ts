// What a pod asks a node for: its containers together or its largest step of initialization, amounts set on the pod itself, and overhead.
import { addAmount, amountOf, noResources, type ResourceList, type Resources, rounded } from '#scheduler/cluster/resources.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

type Amounts = Map<string, number>;

export interface RequestOptions {
  /** What the node has granted counts while a resize is under way. */
  readonly withStatus?: boolean;
  /** What a container counts as that asks for none of it. */
  readonly missing?: ReadonlyMap<string, number>;
  /** Amounts of the pod itself do not count. */
  readonly ofContainersAlone?: boolean;
}

/** Scores count a container without requests as if it asked for this, so that not all of them go to one node. */
const scoredContainer: ReadonlyMap<string, number> = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
]);

export function podRequests(pod: Pod, options: RequestOptions = {}): Resources {
  return toResources(podAmounts(pod, options));
}

/** For scores: of the pod that is placed. As in the original, which does not hand the gate on, amounts of the pod itself do not count. */
export function scoredRequests(pod: Pod): Resources {
  return podRequests(pod, { missing: scoredContainer, ofContainersAlone: true });
}

/** For scores: of a pod that is counted on its node. Amounts of the pod itself stand for those its containers lack. */
export function countedRequests(pod: Pod): Resources {
  const { requests } = pod.spec.resources ?? {};
  if (!Object.keys(requests ?? {}).some(isPodLevel)) return podRequests(pod, { withStatus: true, missing: scoredContainer });
  const known = podAmounts(pod, { withStatus: true });
  return podRequests(pod, { withStatus: true, missing: new Map([...scoredContainer].filter(([name]) => !known.has(name))) });
}

function podAmounts(pod: Pod, options: RequestOptions): Amounts {
  const { containers = [], initContainers = [], resources, overhead } = pod.spec;
  const statuses = options.withStatus ? [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])] : [];
  const infeasible = statuses.length > 0 && isInfeasible(pod);
  const running = (container: Container) => {
    const status = statuses.find(({ name }) => name === container.name);
    return withMissing(containerAmounts(container, status, infeasible), options.missing);
  };
  const initial = (container: Container) =>
    container.restartPolicy === 'Always' ? running(container) : withMissing(containerAmounts(container, undefined, false), options.missing);
  const sum: Amounts = new Map();
  for (const container of containers) add(sum, running(container));
  addInitial(sum, initContainers, initial);
  const ofPod = options.ofContainersAlone ? new Map<string, number>() : amountsOf(resources?.requests as ResourceList | undefined);
  for (const [name, amount] of ofPod) if (isPodLevel(name)) sum.set(name, amount);
  add(sum, amountsOf(overhead as ResourceList | undefined));
  return sum;
}

/** Steps of initialization run one after the other, beside the sidecars that were started before them. */
function addInitial(sum: Amounts, containers: readonly Container[], of: (container: Container) => Amounts): void {
  const most: Amounts = new Map();
  const sidecars: Amounts = new Map();
  for (const container of containers) {
    const own = of(container);
    const step = new Map(sidecars);
    add(step, own);
    raise(most, step);
    if (container.restartPolicy !== 'Always') continue;
    add(sum, own);
    add(sidecars, own);
  }
  raise(sum, most);
}

function containerAmounts({ resources }: Container, status: ContainerStatus | undefined, infeasible: boolean): Amounts {
  const asked = amountsOf(resources?.requests as ResourceList | undefined);
  if (status?.resources === undefined) return asked;
  const most: Amounts = infeasible ? new Map() : asked;
  raise(most, amountsOf(status.resources.requests as ResourceList | undefined));
  raise(most, amountsOf(status.allocatedResources as ResourceList | undefined));
  return most;
}

function isInfeasible({ status }: Pod): boolean {
  return (status.conditions ?? []).some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible');
}

function withMissing(amounts: Amounts, missing: ReadonlyMap<string, number> | undefined): Amounts {
  for (const [name, amount] of missing ?? []) if (!amounts.has(name)) amounts.set(name, amount);
  return amounts;
}

function isPodLevel(name: string): boolean {
  return name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
}

function amountsOf(list: ResourceList | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const name in list) amounts.set(name, amountOf(name, list[name] ?? '0'));
  return amounts;
}

function add(sum: Amounts, other: Amounts): void {
  for (const [name, amount] of other) sum.set(name, (sum.get(name) ?? 0) + amount);
}

function raise(most: Amounts, other: Amounts): void {
  for (const [name, amount] of other) if (amount > (most.get(name) ?? -1)) most.set(name, amount);
}

function toResources(amounts: Amounts): Resources {
  const resources = noResources();
  for (const [name, amount] of amounts) if (name !== 'pods') addAmount(resources, name, amount);
  return rounded(resources);
}
