// What the server fills in for pods and pod templates.
import type { Container } from '#kinds/core/v1/container/container.ts';
import { containerDefaults } from '#kinds/core/v1/container/container-defaults.ts';
import { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { aggregateResources } from '#kinds/core/v1/pod/pod-resources.ts';
import { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { volumeDefaults } from '#kinds/core/v1/volume/volume-defaults.ts';
import { roundResourceLists } from '#kinds/rules/resource-lists.ts';
import { isHugePages, isOvercommitAllowed, isPodLevelResource } from '#kinds/rules/resource-names.ts';
import { type Defaults, defaultsOf } from '#schema/defaults.ts';

type ResourceList = Record<string, string>;

const podSpecDefaults: Defaults = [...containerDefaults, ...volumeDefaults, defaultsOf(PodSpec, defaultPodSpec)];

export const podTemplateDefaults: Defaults = [...podSpecDefaults, defaultsOf(PodTemplateSpec, defaultPodTemplateSpec)];

export const podDefaults: Defaults = [
  ...podSpecDefaults,
  defaultsOf(Pod, defaultPod),
  defaultsOf(PodStatus, defaultPodStatus),
  defaultsOf(ContainerStatus, defaultContainerStatus),
];

/** Only pods, not templates, get these. */
function defaultPod({ metadata, spec }: Pod): void {
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

function defaultPodTemplateSpec({ metadata }: PodTemplateSpec): void {
  dropInitContainerAnnotations(metadata);
}

function defaultPodSpec(spec: PodSpec): void {
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
  roundResourceLists(spec.overhead);
}

/** The list and its first entry, an older field, agree; where they do not, the older field wins. */
function defaultPodStatus(status: PodStatus): void {
  const { podIP, podIPs } = status;
  if (podIP && podIP !== podIPs?.[0]?.ip) status.podIPs = [{ ip: podIP }];
  const first = status.podIPs?.[0]?.ip;
  if (first) status.podIP = first;
  roundResourceLists(status.allocatedResources);
}

function defaultContainerStatus({ allocatedResources }: ContainerStatus): void {
  roundResourceLists(allocatedResources);
}
