import { isBestEffort, podAmounts } from '#admission/pod-amounts.ts';
import type { Amounts, ResourceList } from '#admission/resource-list.ts';
import { pods, type StoredPod } from '#admission/request-subject.ts';
import type { AdmissionRequest } from '#admission/admission.ts';
import { countName, type EvaluationFacts, nameMatches, one, type QuotaEvaluator, type ScopeRequirement } from '#admission/quota/evaluator.ts';

const compute = ['cpu', 'memory', 'ephemeral-storage'];
const limits = new Set([countName(pods), 'pods', ...compute, ...compute.map((name) => `requests.${name}`), ...compute.map((name) => `limits.${name}`)]);
/** Whoever is limited in one of these must say how much it takes. */
const mustSay = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);
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
  for (const [name, amount] of requests) {
    const plain = compute.includes(name) || name.startsWith('hugepages-');
    if (plain) used.set(name, amount);
    if (plain || isExtended(name)) used.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limited) if (compute.includes(name)) used.set(`limits.${name}`, amount);
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
  const required = requiredOf(names);
  const saysAll = ({ resources }: { readonly resources: Parameters<typeof says>[0] }) => required.every((limit) => says(resources, limit));
  if ((pod.spec.containers ?? []).every(saysAll) && (pod.spec.initContainers ?? []).every(saysAll)) return undefined;
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  const missing = required.flatMap((limit) => {
    const silent = containers.filter(({ resources }) => !says(resources, limit)).map(({ name }) => name);
    return silent.length === 0 ? [] : [`${limit} for: ${[...new Set(silent)].toSorted().join(',')}`];
  });
  return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`;
}

/** A quota asks with the same names each time. */
const required = new WeakMap<readonly string[], readonly string[]>();

function requiredOf(names: readonly string[]): readonly string[] {
  const known = required.get(names);
  if (known) return known;
  const found = names.filter((name) => mustSay.has(name)).toSorted();
  required.set(names, found);
  return found;
}

function saysForAll({ spec }: StoredPod): boolean {
  if (spec.resources === undefined) return false;
  const given = { ...(spec.resources.requests as ResourceList), ...(spec.resources.limits as ResourceList) };
  return Object.keys(given).some((name) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-'));
}

function says(resources: { readonly requests?: unknown; readonly limits?: unknown }, limit: string): boolean {
  const [side, name] = limit.startsWith('limits.')
    ? (['limits', limit.slice('limits.'.length)] as const)
    : (['requests', limit.replace(/^requests\./, '')] as const);
  return (resources[side] as ResourceList | undefined)?.[name] !== undefined;
}
