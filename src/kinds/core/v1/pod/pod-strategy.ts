// How pods are written: what clients may not set, what the server works out, what each subresource may change.
import type { LabelSelectorObject } from '#api/label-selector.ts';
import type { PodAffinityTerm } from '#kinds/core/v1/container/affinity.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import { appArmorPrefix } from '#kinds/core/v1/pod/pod-annotations-validation.ts';
import { forEachContainer } from '#kinds/core/v1/pod/pod-containers.ts';
import { dropGatedFields, dropGatedStatus } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import { validateEphemeralContainersUpdate, validatePodResize } from '#kinds/core/v1/pod/pod-resize-validation.ts';
import { qosClassOf } from '#kinds/core/v1/pod/pod-resources.ts';
import { rulesForPod } from '#kinds/core/v1/pod/rules-for-pod.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { validatePodStatusUpdate } from '#kinds/core/v1/pod/pod-status-validation.ts';
import { validatePodCreate, validatePodUpdate } from '#kinds/core/v1/pod/pod-validation.ts';
import { appArmorMessage, appArmorProfileOf, hasContainerAnnotation, hostnameWarnings, podWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { validateAppArmorProfile } from '#kinds/core/v1/container/security-context-validation.ts';
import { FieldErrors } from '#api/field-error.ts';
import { ipWarnings } from '#kinds/rules/addresses.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { timestamp } from '#kinds/rules/timestamps.ts';
import { keepMetadata } from '#kinds/rules/status-updates.ts';
import type { Strategy, StrategyContext, SubresourceStrategy } from '#resource/strategy.ts';

export const podStrategy: Strategy<Pod> = {
  prepareForCreate(pod, { gate, now, warn }) {
    pod.metadata.generation = 1;
    pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec, gate('PodLevelResources')) };
    dropGatedFields(pod.spec, undefined, gate);
    markGated(pod, now);
    mergeLabelKeys(pod, gate);
    fillAppArmorProfiles(pod, warn);
  },
  validate: (pod, errors, context) => validatePodCreate(pod, errors, rulesForPod(context, true)),
  warnOnCreate: (pod) => [...hostnameWarnings(pod.metadata.name, "the Pod's hostname"), ...podWarnings(pod)],

  prepareForUpdate(pod, old, { gate }) {
    pod.status = old.status;
    dropGatedFields(pod.spec, old.spec, gate);
    countGeneration(pod, old);
  },
  validateUpdate: (pod, old, errors, context) => validatePodUpdate(pod, old, errors, updateRules(old, context)),

  returnsDeleted: true,
  gracePeriod({ spec, status }, asked) {
    if (!spec.nodeName || status.phase === 'Failed' || status.phase === 'Succeeded') return 0;
    const period = asked ?? spec.terminationGracePeriodSeconds ?? 0;
    return period < 0 ? 1 : period;
  },
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.host': ({ spec }) => spec.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status.phase ?? '',
    'status.podIP': ({ status }) => status.podIPs?.[0]?.ip ?? '',
    // Known to the API, but no pod has a value for it.
    'status.podIPs': () => '',
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName ?? '',
  },
  subresources: { status: statusStrategy(), ephemeralcontainers: ephemeralContainersStrategy(), resize: resizeStrategy() },
};

function updateRules(old: Pod, context: StrategyContext) {
  return rulesForPod(context, true, old.spec, old.metadata);
}

function countGeneration(pod: Pod, old: Pod): void {
  if (!semanticEqual(pod.spec, old.spec)) pod.metadata.generation = (pod.metadata.generation ?? 0) + 1;
}

function markGated({ spec, status }: Pod, now: Date): void {
  if (!spec.schedulingGates?.length) return;
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  status.conditions = [{ type: 'PodScheduled', status: 'False', lastTransitionTime: timestamp(now), reason: 'SchedulingGated', message }];
}

/** The pod's own labels become part of the selectors that ask for their keys. */
function mergeLabelKeys({ metadata, spec }: Pod, gate: StrategyContext['gate']): void {
  const labels = metadata.labels ?? {};
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    affinity?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ podAffinityTerm }) => mergeTermKeys(podAffinityTerm, labels));
    affinity?.requiredDuringSchedulingIgnoredDuringExecution?.forEach((term) => mergeTermKeys(term, labels));
  }
  if (!gate('MatchLabelKeysInPodTopologySpread') || !gate('MatchLabelKeysInPodTopologySpreadSelectorMerge')) return;
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) appendRequirements(labelSelector, matchLabelKeys, 'In', labels);
}

type Labels = Readonly<Record<string, string>>;

function mergeTermKeys({ labelSelector, matchLabelKeys, mismatchLabelKeys }: PodAffinityTerm, labels: Labels): void {
  appendRequirements(labelSelector, matchLabelKeys, 'In', labels);
  appendRequirements(labelSelector, mismatchLabelKeys, 'NotIn', labels);
}

function appendRequirements(selector: LabelSelectorObject | undefined, keys: readonly string[] = [], operator: string, labels: Labels): void {
  if (selector === undefined) return;
  const added = keys.flatMap((key) => (labels[key] === undefined ? [] : [{ key, operator, values: [labels[key]] }]));
  if (added.length > 0) Object.assign(selector, { matchExpressions: [...(selector.matchExpressions ?? []), ...added] });
}

/** Old clients say it with an annotation. They are warned when it says anything new, or nothing that can be understood. */
function fillAppArmorProfiles({ metadata, spec }: Pod, warn: StrategyContext['warn']): void {
  if (!hasContainerAnnotation(metadata.annotations) || spec.os?.name === 'windows') return;
  forEachContainer(spec, '', (container) => {
    const key = `${appArmorPrefix}${container.name}`;
    const annotation = metadata.annotations?.[key];
    if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return;
    const profile = validAppArmorProfile(annotation);
    if (profile !== undefined && semanticEqual(profile, spec.securityContext?.appArmorProfile)) return;
    if (profile !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    warn?.(`metadata.annotations[${key}]: ${appArmorMessage}`);
  });
}

function validAppArmorProfile(annotation: string): ReturnType<typeof appArmorProfileOf> {
  const profile = appArmorProfileOf(annotation);
  const problems = new FieldErrors();
  validateAppArmorProfile(profile, '', problems);
  return problems.empty ? profile : undefined;
}

function statusStrategy(): SubresourceStrategy<Pod> {
  return {
    prepareForUpdate(pod, old, { gate }) {
      pod.spec = old.spec;
      delete pod.metadata.deletionTimestamp;
      if (old.metadata.deletionTimestamp !== undefined) pod.metadata.deletionTimestamp = old.metadata.deletionTimestamp;
      keepMetadata(pod.metadata, old.metadata, ['ownerReferences']);
      if (!pod.status.qosClass && old.status.qosClass) pod.status.qosClass = old.status.qosClass;
      keepObservedGenerations(pod, old);
      dropGatedStatus(pod.status, old.status, gate);
    },
    validateUpdate(pod, old, errors, context) {
      const clearsNomination = context.gate('ClearingNominatedNodeNameAfterBinding');
      validatePodStatusUpdate(pod, old, errors, updateRules(old, context), clearsNomination);
    },
    warnOnUpdate: ({ status }) =>
      (['podIPs', 'hostIPs'] as const).flatMap((list) => (status[list] ?? []).flatMap(({ ip }, index) => ipWarnings(ip, `status.${list}[${index}].ip`))),
    resetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  };
}

/** A writer that does not know generations leaves those that are there. */
function keepObservedGenerations({ status }: Pod, { status: old }: Pod): void {
  if (!status.observedGeneration && old.observedGeneration) status.observedGeneration = old.observedGeneration;
  // Each stored condition counts for one of its type.
  const left = new Map<string, NonNullable<typeof old.conditions>>();
  for (const condition of (old.conditions ?? []).toReversed()) {
    const same = left.get(condition.type);
    if (same === undefined) left.set(condition.type, [condition]);
    else same.push(condition);
  }
  for (const condition of status.conditions ?? []) {
    const known = left.get(condition.type)?.pop();
    if (!condition.observedGeneration && known?.observedGeneration) condition.observedGeneration = known.observedGeneration;
  }
}

function ephemeralContainersStrategy(): SubresourceStrategy<Pod> {
  return {
    prepareForUpdate(pod, old, { gate }) {
      const { ephemeralContainers } = pod.spec;
      keepAllBut(pod, old, withOrWithout(old.spec, 'ephemeralContainers', ephemeralContainers));
      dropGatedFields(pod.spec, old.spec, gate);
      countGeneration(pod, old);
    },
    validateUpdate: (pod, old, errors, context) => validateEphemeralContainersUpdate(pod, old, errors, updateRules(old, context)),
  };
}

function keepAllBut(pod: Pod, old: Pod, spec: PodSpec): void {
  pod.spec = spec;
  pod.status = old.status;
  keepMetadata(pod.metadata, old.metadata, ['deletionTimestamp', 'generation', 'labels', 'annotations', 'finalizers', 'ownerReferences']);
}

function withOrWithout<K extends keyof PodSpec>(spec: PodSpec, field: K, value: PodSpec[K] | undefined): PodSpec {
  const { [field]: _dropped, ...rest } = spec;
  return (value === undefined ? rest : { ...rest, [field]: value }) as PodSpec;
}

function resizeStrategy(): SubresourceStrategy<Pod> {
  return {
    prepareForUpdate(pod, old, { gate }) {
      keepAllButResources(pod, old, gate('InPlacePodLevelResourcesVerticalScaling'));
      dropGatedFields(pod.spec, old.spec, gate);
      countGeneration(pod, old);
    },
    validateUpdate(pod, old, errors, context) {
      const { gate } = context;
      const gates = { initContainers: gate('InPlacePodVerticalScalingInitContainers'), podLevelResources: gate('PodLevelResources') };
      validatePodResize(pod, old, errors, updateRules(old, context), gates);
    },
  };
}

/** A different number of containers is left for validation to refuse. */
function keepAllButResources(pod: Pod, old: Pod, podLevel: boolean): void {
  const { containers = [], initContainers = [], resources } = pod.spec;
  if (containers.length !== (old.spec.containers?.length ?? 0) || initContainers.length !== (old.spec.initContainers?.length ?? 0)) return;
  let spec: PodSpec = { ...old.spec, containers: withResourcesOf(old.spec.containers, containers) };
  if (initContainers.length > 0) spec.initContainers = withResourcesOf(old.spec.initContainers, initContainers);
  if (podLevel) spec = withOrWithout(spec, 'resources', resources);
  keepAllBut(pod, old, spec);
}

function withResourcesOf(old: readonly Container[] = [], containers: Container[]): Container[] {
  if (containers.some(({ name }, index) => name !== old[index]?.name)) return containers;
  return old.map((container, index) => {
    const { resizePolicy: _resizePolicy, ...rest } = container;
    const wanted = containers[index] ?? container;
    return { ...rest, resources: wanted.resources, ...(wanted.resizePolicy !== undefined && { resizePolicy: wanted.resizePolicy }) };
  });
}
