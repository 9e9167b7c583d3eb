// What the resize and ephemeralcontainers subresources may change.
import { type FieldErrors, wholeObject } from '#api/field-error.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import { EphemeralContainer } from '#kinds/core/v1/container/ephemeral-container.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import { mirrorKey, validatePodAnnotations, validatePodAnnotationsUpdate } from '#kinds/core/v1/pod/pod-annotations-validation.ts';
import { isSidecar } from '#kinds/core/v1/pod/pod-containers.ts';
import { qosClassOf } from '#kinds/core/v1/pod/pod-resources.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { validatePod } from '#kinds/core/v1/pod/pod-validation.ts';
import type { ResourceRequirements } from '#kinds/core/v1/container/resource-requirements.ts';
import { differenceOf } from '#kinds/rules/differences.ts';
import { validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';

export function validateEphemeralContainersUpdate(pod: Pod, old: Pod, errors: FieldErrors, rules: PodRules): void {
  if (old.metadata.annotations?.[mirrorKey] !== undefined) return errors.forbidden(wholeObject, 'static pods do not support ephemeral containers');
  validateObjectMetaUpdate(pod.metadata, old.metadata, errors);
  validatePod(pod, errors, rules);
  validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, 'metadata.annotations', errors);
  validatePodAnnotations(pod.metadata.annotations, pod.spec, 'metadata.annotations', errors, rules);
  const path = 'spec.ephemeralContainers';
  const latest = new Map(pod.spec.ephemeralContainers?.map((container) => [container.name, container]));
  for (const container of old.spec.ephemeralContainers ?? []) {
    const now = latest.get(container.name);
    if (now === undefined) errors.forbidden(path, `existing ephemeral containers "${container.name}" may not be removed\n`);
    else if (!semanticEqual(now, container)) {
      const difference = differenceOf(EphemeralContainer, container, now);
      errors.forbidden(path, `existing ephemeral containers "${container.name}" may not be changed\n${difference}`);
    }
  }
}

/** What gates say about resizing. */
export interface ResizeGates {
  readonly initContainers: boolean;
  readonly podLevelResources: boolean;
}

export function validatePodResize(pod: Pod, old: Pod, errors: FieldErrors, rules: PodRules, gates: ResizeGates): void {
  if (old.metadata.annotations?.[mirrorKey] !== undefined) return errors.forbidden(wholeObject, 'static pods cannot be resized');
  if (old.spec.os?.name === 'windows') return errors.forbidden(wholeObject, 'windows pods cannot be resized');
  validateObjectMetaUpdate(pod.metadata, old.metadata, errors);
  validatePod(pod, errors, rules);
  if ((old.status.qosClass ?? qosClassOf(old.spec, gates.podLevelResources)) !== qosClassOf(pod.spec, gates.podLevelResources)) {
    errors.invalid('spec', pod.status.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing');
  }
  if (!isResizeSupported(old)) errors.forbidden('spec', 'Pod running on node without support for resize');
  if (hasPodLevelResources(old) || hasPodLevelResources(pod)) {
    if (!rules.resizePodLevel) {
      const detail = 'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';
      return errors.forbidden(wholeObject, detail);
    }
    validatePodLevelResize(pod.spec.resources, old.spec.resources, errors);
  }
  if (old.status.nodeAllocatableResourceClaimStatuses?.length) {
    errors.forbidden('spec', 'pods with node allocatable resource claims cannot be resized');
  }
  if (!validateSameOrder(pod, old, errors)) return;
  validateContainersResize(pod, old, errors, gates);
}

/** Nodes that know of resizing report the resources of running containers. */
function isResizeSupported({ status }: Pod): boolean {
  const running = status.containerStatuses?.find(({ state }) => state.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function hasPodLevelResources({ spec: { resources } }: Pod): boolean {
  return Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;
}

function validatePodLevelResize(resources: ResourceRequirements | undefined, old: ResourceRequirements | undefined, errors: FieldErrors): void {
  if (old !== undefined && resources === undefined) return errors.forbidden('spec.resources', 'pod-level resources cannot be removed');
  if (old !== undefined) {
    if (isRemoved(resources?.requests, old.requests)) errors.forbidden('spec.resources.requests', 'pod-level resource requests cannot be removed');
    if (isRemoved(resources?.limits, old.limits)) errors.forbidden('spec.resources.limits', 'pod-level resource limits cannot be removed');
  }
  const kept = resources === undefined ? undefined : withComputeOf(resources, old ?? {});
  if (!semanticEqual(kept, old) && !(old === undefined && isEmpty(kept))) errors.forbidden('spec', 'only cpu and memory resources are mutable at pod-level');
}

function isEmpty(resources: ResourceRequirements | undefined): boolean {
  return resources === undefined || [resources.requests, resources.limits, resources.claims].every((list) => Object.keys(list ?? {}).length === 0);
}

function validateSameOrder(pod: Pod, old: Pod, errors: FieldErrors): boolean {
  const before = errors.list.length;
  for (const field of ['containers', 'initContainers'] as const) {
    const containers = pod.spec[field] ?? [];
    const oldContainers = old.spec[field] ?? [];
    if (containers.length !== oldContainers.length) errors.forbidden(`spec.${field}`, `${field} may not be added or removed on resize`);
    else {
      oldContainers.forEach(({ name }, index) => {
        if (containers[index]?.name !== name) errors.forbidden(`spec.${field}[${index}].name`, `${field} may not be renamed or reordered on resize`);
      });
    }
  }
  return errors.list.length === before;
}

function validateContainersResize(pod: Pod, old: Pod, errors: FieldErrors, gates: ResizeGates): void {
  pairs(pod.spec.initContainers, old.spec.initContainers).forEach(([container, oldContainer], index) => {
    if (gates.initContainers || isSidecar(oldContainer)) validateNothingRemoved(container, oldContainer, `spec.initContainers[${index}].resources`, errors);
  });
  pairs(pod.spec.containers, old.spec.containers).forEach(([container, oldContainer], index) => {
    validateNothingRemoved(container, oldContainer, `spec.containers[${index}].resources`, errors);
  });
  for (const [container, oldContainer] of pairs(pod.spec.containers, old.spec.containers)) {
    if (!isSameButCompute(container, oldContainer)) errors.forbidden('spec', 'only cpu and memory resources are mutable');
  }
  pairs(pod.spec.initContainers, old.spec.initContainers).forEach(([container, oldContainer], index) => {
    validateInitContainerResize(container, oldContainer, `spec.initContainers[${index}]`, errors, gates);
  });
  if (errors.empty && !isSameElsewhere(pod, old)) errors.forbidden('spec', 'only cpu and memory resources are mutable');
}

function pairs(containers: readonly Container[] = [], old: readonly Container[] = []): readonly (readonly [Container, Container])[] {
  return containers.flatMap((container, index) => {
    const other = old[index];
    return other === undefined ? [] : [[container, other] as const];
  });
}

function validateNothingRemoved({ resources }: Container, old: Container, path: string, errors: FieldErrors): void {
  if (isRemoved(resources.requests, old.resources.requests)) errors.forbidden(`${path}.requests`, 'resource requests cannot be removed');
  if (isRemoved(resources.limits, old.resources.limits)) errors.forbidden(`${path}.limits`, 'resource limits cannot be removed');
}

function validateInitContainerResize(container: Container, old: Container, path: string, errors: FieldErrors, gates: ResizeGates): void {
  const sidecar = isSidecar(container);
  const changed = !semanticEqual(container, old);
  if (!sidecar && !gates.initContainers) {
    if (changed) errors.forbidden('spec', 'resources for non-sidecar init containers are immutable');
    return;
  }
  if (!isSameButCompute(container, old)) errors.forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable');
  if (!changed || sidecar) return;
  for (const { restartPolicy } of container.resizePolicy ?? []) {
    if (restartPolicy !== 'RestartContainer') continue;
    errors.forbidden(path, 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized');
  }
}

type ResourceList = Readonly<Record<string, string>>;

function isRemoved(list: ResourceList = {}, old: ResourceList = {}): boolean {
  return Object.keys(old).some((name) => list[name] === undefined);
}

/** Upstream drops claims on the way, so a container with claims is never «the same». */
function isSameButCompute(container: Container, old: Container): boolean {
  return semanticEqual({ ...container, resources: withComputeOf({ ...container.resources, claims: undefined }, old.resources) }, old);
}

function withComputeOf(resources: ResourceRequirements, old: ResourceRequirements): ResourceRequirements {
  return { ...resources, requests: withAmountsOf(resources.requests, old.requests), limits: withAmountsOf(resources.limits, old.limits) };
}

function withAmountsOf(list: ResourceList | undefined, old: ResourceList | undefined): Record<string, string> | undefined {
  if (list === undefined && old === undefined) return undefined;
  const { cpu: _cpu, memory: _memory, ...others } = list ?? {};
  const kept: Record<string, string> = { ...others };
  for (const name of ['cpu', 'memory']) if (old?.[name] !== undefined) kept[name] = old[name];
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function isSameElsewhere(pod: Pod, old: Pod): boolean {
  const { containers: _containers, initContainers: _initContainers, resources: _resources, ...rest } = pod.spec;
  const { containers, initContainers, resources, ...oldRest } = old.spec;
  return semanticEqual(rest, oldRest);
}
