// What the server fills in for pods, pod templates and what they are made of.
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from '#kinds/core/v1/container/env-var.ts';
import type { PersistentVolumeClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import { aggregateResources } from '#kinds/core/v1/pod/pod-resources.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import type { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import type { HTTPGetAction, Probe } from '#kinds/core/v1/container/probe.ts';
import type { ServiceAccountTokenProjection, Volume } from '#kinds/core/v1/volume/volume.ts';
import type { HostPathVolumeSource } from '#kinds/core/v1/volume/volume-sources.ts';
import { defaultPullPolicy } from '#kinds/rules/images.ts';
import { roundToMilli } from '#kinds/rules/quantities.ts';
import { isHugePages, isOvercommitAllowed, isPodLevelResource } from '#kinds/rules/resource-names.ts';

type ResourceList = Record<string, string>;

/** Only pods, not templates, get these. */
export function defaultPod({ metadata, spec }: Pod): void {
  for (const { resources } of spec.containers ?? []) defaultRequests(resources);
  for (const { resources } of spec.initContainers ?? []) defaultRequests(resources);
  if (spec.resources !== undefined) defaultPodLevelResources(spec, spec.resources);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) {
    defaultHostPorts(spec.containers);
    defaultHostPorts(spec.initContainers);
  }
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
  dropInitContainerAnnotations(metadata);
}

/** What is limited is requested. */
function defaultRequests(resources: Container['resources']): void {
  const { limits } = resources;
  if (limits === undefined) return;
  const requests = (resources.requests ??= {});
  for (const name in limits) if (requests[name] === undefined) requests[name] = limits[name] ?? '0';
}

function defaultPodLevelResources(spec: PodSpec, resources: Container['resources']): void {
  if (isEmpty(resources.limits) && isEmpty(resources.requests)) return;
  const limits: ResourceList = { ...resources.limits };
  for (const [name, amount] of Object.entries(aggregateResources(spec, 'limits'))) {
    if (isHugePages(name) && resources.requests?.[name] === undefined) limits[name] ??= amount;
  }
  if (isEmpty(limits)) return;
  resources.limits = limits;
  const requests: ResourceList = { ...resources.requests };
  for (const [name, amount] of Object.entries(aggregateResources(spec, 'requests'))) {
    if (isPodLevelResource(name) && isOvercommitAllowed(name)) requests[name] ??= amount;
  }
  for (const name in limits) if (isPodLevelResource(name)) requests[name] ??= limits[name] ?? '0';
  if (!isEmpty(requests)) resources.requests = requests;
}

function isEmpty(list: ResourceList | undefined): boolean {
  for (const _ in list) return false;
  return true;
}

function defaultHostPorts(containers: readonly Container[] | undefined): void {
  for (const { ports } of containers ?? []) for (const port of ports ?? []) port.hostPort ||= port.containerPort;
}

const initContainerKeys = ['beta', 'alpha'].flatMap((level) => [
  `pod.${level}.kubernetes.io/init-containers`,
  `pod.${level}.kubernetes.io/init-container-statuses`,
]);

/** Once the form of init containers; upstream drops them wherever it reads a pod. */
function dropInitContainerAnnotations(metadata: Pod['metadata']): void {
  const { annotations } = metadata;
  if (annotations === undefined) return;
  for (const key of initContainerKeys) if (annotations[key] !== undefined) delete annotations[key];
  if (isEmpty(annotations)) delete metadata.annotations;
}

export function defaultPodTemplateSpec({ metadata }: PodTemplateSpec): void {
  dropInitContainerAnnotations(metadata);
}

export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  // Two names for one thing; the newer wins.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
  if (spec.overhead !== undefined) defaultResourceList(spec.overhead);
}

export function defaultContainer(container: Pick<Container, 'image' | 'imagePullPolicy' | 'terminationMessagePath' | 'terminationMessagePolicy'>): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
}

export function defaultResourceRequirements({ limits, requests }: { limits?: ResourceList | undefined; requests?: ResourceList | undefined }): void {
  if (limits !== undefined) defaultResourceList(limits);
  if (requests !== undefined) defaultResourceList(requests);
}

export function defaultResourceList(list: ResourceList): void {
  for (const name in list) {
    const amount = list[name] ?? '0';
    const rounded = roundToMilli(amount);
    if (rounded !== amount) list[name] = rounded;
  }
}

export function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
}

export function defaultHttpGet(action: HTTPGetAction): void {
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

export function defaultFieldSelector(selector: ObjectFieldSelector): void {
  selector.apiVersion ||= 'v1';
}

/** Printed as `0` when it is not given. */
export function defaultResourceFieldSelector(selector: ResourceFieldSelector): void {
  selector.divisor ??= '0';
}

export function defaultVolume(volume: Volume): void {
  let empty = true;
  for (const field in volume) if (field !== 'name' && volume[field as keyof Volume] !== undefined) empty = false;
  if (empty) volume.emptyDir = {};
  if (volume.image !== undefined) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? '');
}

export function defaultFileMode(source: { defaultMode?: number | undefined }): void {
  source.defaultMode ??= 0o644;
}

export function defaultTokenProjection(token: ServiceAccountTokenProjection): void {
  token.expirationSeconds ??= 3600;
}

export function defaultHostPath(source: HostPathVolumeSource): void {
  source.type ??= '';
}

/** The list and its first entry, an older field, agree; where they do not, the older field wins. */
export function defaultPodStatus(status: PodStatus): void {
  const { podIP, podIPs } = status;
  if (podIP && podIP !== podIPs?.[0]?.ip) status.podIPs = [{ ip: podIP }];
  const first = status.podIPs?.[0]?.ip;
  if (first) status.podIP = first;
  if (status.allocatedResources !== undefined) defaultResourceList(status.allocatedResources);
}

export function defaultContainerStatus({ allocatedResources }: ContainerStatus): void {
  if (allocatedResources !== undefined) defaultResourceList(allocatedResources);
}

export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
}
