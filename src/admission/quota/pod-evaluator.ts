import { isBestEffort, podAmounts } from '#admission/pod-amounts.ts';
import type { Amounts, ResourceList } from '#admission/resource-list.ts';
import { pods, type StoredPod } from '#admission/request-subject.ts';
import type { AdmissionRequest } from '#admission/admission.ts';
import { countName, type EvaluationFacts, nameMatches, one, type QuotaEvaluator, type ScopeRequirement } from '#admission/quota/evaluator.ts';

const compute = ['cpu', 'memory', 'ephemeral-storage'];
const limits = new Set([countName(pods), 'pods', ...compute, ...compute.map((name) => `requests.${name}`), ...compute.map((name) => `limits.${name}`)]);
const limitsOnRequest = new Map(compute.map((name) => [name, [name, `requests.${name}`]]));
const limitOnLimit = new Map(compute.map((name) => [name, `limits.${name}`]));

interface Demand {
  readonly side: 'requests' | 'limits';
  readonly name: string;
}

/** By limit: whoever is limited in one of these must say how much it takes. */
const demands = new Map<string, Demand>(
  ['cpu', 'memory'].flatMap((name) => [
    [name, { side: 'requests', name }],
    [`requests.${name}`, { side: 'requests', name }],
    [`limits.${name}`, { side: 'limits', name }],
  ]),
);
const implicitDevices = 'deviceclass.resource.kubernetes.io/';

export const podEvaluator: QuotaEvaluator = {
  resource: pods,
  handles,
  covers: (limit) => limits.has(limit) || limit.startsWith('hugepages-') || limit.startsWith('requests.hugepages-') || isExtendedLimit(limit),
  usage: (object, facts) => usage(object as unknown as StoredPod, facts),
  isInScope: (scope, object, facts) => isInScope(scope, object as unknown as StoredPod, facts),
  lacks: (object, names, facts) => lacks(object as unknown as StoredPod, names, facts),
};

function handles({ operation, subresource, object, old }: AdmissionRequest): boolean {
  if (subresource === 'resize') return operation === 'UPDATE';
  if (subresource !== '') return false;
  if (operation === 'CREATE') return true;
  return operation === 'UPDATE' && isTerminating(object as unknown as StoredPod) !== isTerminating(old as unknown as StoredPod);
}

function isExtended(name: string): boolean {
  return (name.includes('/') && !name.includes('kubernetes.io/')) || name.startsWith(implicitDevices);
}

function isExtendedLimit(limit: string): boolean {
  return limit.startsWith('requests.') && isExtended(limit.slice('requests.'.length));
}

function usage(pod: StoredPod, facts: EvaluationFacts): Amounts {
  const used: Amounts = new Map([[countName(pods), one]]);
  if (!counts(pod, facts.now)) return used;
  const options = { podLevel: facts.gate('PodLevelResources'), withStatus: true, overhead: true };
  used.set('pods', one);
  addCompute(used, podAmounts(pod, 'requests', options), podAmounts(pod, 'limits', options));
  return used;
}

/** What has ended, or should have, uses nothing but its name. */
function counts({ metadata, status }: StoredPod, now: Date): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now.getTime() <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function addCompute(used: Amounts, requests: Amounts, limited: Amounts): void {
  for (const [name, amount] of requests) for (const limit of limitsOnRequest.get(name) ?? otherLimitsOn(name)) used.set(limit, amount);
  for (const [name, amount] of limited) {
    const limit = limitOnLimit.get(name);
    if (limit !== undefined) used.set(limit, amount);
  }
}

/** What a request for something else than compute counts against. */
function otherLimitsOn(name: string): readonly string[] {
  if (name.startsWith('hugepages-')) return [name, `requests.${name}`];
  return isExtended(name) ? [`requests.${name}`] : [];
}

function isInScope(scope: ScopeRequirement, pod: StoredPod, { gate }: EvaluationFacts): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod, gate('PodLevelResources'));
    case 'NotBestEffort':
      return !isBestEffort(pod, gate('PodLevelResources'));
    case 'PriorityClass':
      return nameMatches(scope, pod.spec.priorityClassName ?? '');
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(pod);
    default:
      return false;
  }
}

function isTerminating({ spec }: StoredPod): boolean {
  return spec.activeDeadlineSeconds !== undefined && Number(spec.activeDeadlineSeconds) >= 0;
}

function looksElsewhere({ spec }: StoredPod): boolean {
  return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].some((affinity) => {
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm);
    return [...required, ...preferred].some(({ namespaces, namespaceSelector }) => namespaces?.length || namespaceSelector !== undefined);
  });
}

function lacks(pod: StoredPod, names: readonly string[], { gate }: EvaluationFacts): string | undefined {
  if (gate('PodLevelResources') && saysForAll(pod)) return undefined;
  const missing: string[] = [];
  for (const limit of names) {
    const silent = silentOn(demands.get(limit), pod);
    if (silent.length > 0) missing.push(`${limit} for: ${[...new Set(silent)].toSorted().join(',')}`);
  }
  return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`;
}

/** The names of the containers that do not say how much they take. */
function silentOn(demand: Demand | undefined, { spec }: StoredPod): readonly string[] {
  if (demand === undefined) return everybodySays;
  let silent: string[] | undefined;
  for (const containers of [spec.containers, spec.initContainers]) {
    for (const { resources, name } of containers ?? []) if (!says(resources, demand)) (silent ??= []).push(name);
  }
  return silent ?? everybodySays;
}

const everybodySays: readonly string[] = [];

function saysForAll({ spec }: StoredPod): boolean {
  if (spec.resources === undefined) return false;
  const given = { ...(spec.resources.requests as ResourceList), ...(spec.resources.limits as ResourceList) };
  return Object.keys(given).some((name) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'));
}

function says(resources: { readonly requests?: unknown; readonly limits?: unknown }, { side, name }: Demand): boolean {
  return (resources[side] as ResourceList | undefined)?.[name] !== undefined;
}
