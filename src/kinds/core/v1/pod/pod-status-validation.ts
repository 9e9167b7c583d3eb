// The rules of a pod's status, which its kubelet and the scheduler write.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems, dns1123SubdomainProblems, idProblems } from '#base/formats.ts';
import { parseIpSloppy } from '#base/ip-address.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import { validatePodAnnotations, validatePodAnnotationsUpdate } from '#kinds/core/v1/pod/pod-annotations-validation.ts';
import { allContainersCouldRestart, containerShouldRestart } from '#kinds/core/v1/pod/pod-restarts.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import type { PodExtendedResourceClaimStatus, PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import { validateLegacyIp } from '#kinds/rules/addresses.ts';
import { validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { quantitySign } from '#kinds/rules/quantities.ts';
import { isNativeResource } from '#kinds/rules/resource-names.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import { firstBy } from '#kinds/rules/first-by.ts';
import { lazily } from '#base/lazily.ts';
import type { ResourceClaim } from '#kinds/core/v1/container/resource-requirements.ts';

const statusLists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

export function validatePodStatusUpdate(pod: Pod, old: Pod, errors: FieldErrors, rules: PodRules, clearsNomination: boolean): void {
  const { metadata, spec, status } = pod;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  validatePodAnnotationsUpdate(metadata.annotations, old.metadata.annotations, 'metadata.annotations', errors);
  validatePodAnnotations(metadata.annotations, spec, 'metadata.annotations', errors, rules);
  validatePodConditions(status, errors);
  validateNomination(pod, old, errors, clearsNomination);
  const generation = status.observedGeneration ?? 0;
  if (generation < 0) errors.invalid('status.observedGeneration', generation, 'must be a non-negative integer');
  if (status.qosClass !== old.status.qosClass) errors.invalid('status.qosClass', status.qosClass ?? '', 'field is immutable');
  validateTransitions(status, old, errors, rules);
  validateClaimStatuses(status, spec, errors);
  if (status.extendedResourceClaimStatus !== undefined) validateExtendedClaim(status.extendedResourceClaimStatus, spec, errors);
  validateAllocatableClaims(status, spec, errors);
  validateAddresses(status.podIPs, old.status.podIPs, 'status.podIPs', errors, rules);
  validateHostAddresses(status, old.status, errors, rules);
  for (const list of statusLists) validateUsers(status[list], spec, `status.${list}`, errors);
  validateAllocations(status.containerStatuses, spec.containers, 'status.containerStatuses', errors);
  validateAllocations(status.initContainerStatuses, spec.initContainers, 'status.initContainerStatuses', errors);
  status.ephemeralContainerStatuses?.forEach(({ allocatedResourcesStatus }, index) => {
    if (!allocatedResourcesStatus?.length) return;
    errors.forbidden(`status.ephemeralContainerStatuses[${index}].allocatedResourcesStatus`, 'must not be specified in container status');
  });
  if (rules.imageDigests) for (const list of statusLists) validateVolumeStatuses(status[list], `status.${list}`, errors);
}

function validatePodConditions({ conditions }: PodStatus, errors: FieldErrors): void {
  conditions?.forEach(({ type, observedGeneration = 0 }, index) => {
    const at = `status.conditions[${index}]`;
    if (observedGeneration < 0) errors.invalid(`${at}.observedGeneration`, observedGeneration, 'must be a non-negative integer');
    if (!['PodScheduled', 'Ready', 'Initialized'].includes(type)) validateLabelKey(type, `${at}.Type`, errors);
  });
}

function validateNomination({ spec, status }: Pod, old: Pod, errors: FieldErrors, clearsNomination: boolean): void {
  if (spec.nodeName !== old.spec.nodeName) errors.forbidden('status.nodeName', 'may not be changed directly');
  const nominated = status.nominatedNodeName ?? '';
  if (nominated === '' || nominated === old.status.nominatedNodeName) return;
  errors.invalidEach('status.nominatedNodeName', nominated, dns1123SubdomainProblems(nominated));
  if (clearsNomination && old.spec.nodeName) errors.forbidden('status.nominatedNodeName', 'may not be set on pods that are already bound to a node');
}

/** What has ended stays ended, unless it may be started again. */
function validateTransitions(status: PodStatus, old: Pod, errors: FieldErrors, rules: PodRules): void {
  const { spec } = old;
  const restartsAll = rules.restartRules && rules.restartAll && allContainersCouldRestart(spec);
  if (!restartsAll) {
    validateEnded(status.containerStatuses, old.status.containerStatuses, 'status.containerStatuses', errors, restartable(spec, spec.containers, rules));
    const initContainers = restartable(spec, spec.initContainers, rules);
    validateEnded(status.initContainerStatuses, old.status.initContainerStatuses, 'status.initContainerStatuses', errors, initContainers);
  }
  validateEnded(status.ephemeralContainerStatuses, old.status.ephemeralContainerStatuses, 'status.ephemeralContainerStatuses', errors, () => false);
}

type MayRestart = (name: string, exitCode: number) => boolean;

function restartable(spec: PodSpec, containers: readonly Container[] | undefined, rules: PodRules): MayRestart {
  const named = lazily(() => firstBy(containers, ({ name }) => name));
  return (name, exitCode) => {
    const container = named().get(name);
    if (rules.restartRules) return container !== undefined && containerShouldRestart(container, spec, exitCode);
    if (spec.restartPolicy === 'Always' || (spec.restartPolicy === 'OnFailure' && exitCode !== 0)) return true;
    return containers === spec.initContainers && container?.restartPolicy === 'Always';
  };
}

function validateEnded(
  statuses: readonly ContainerStatus[] | undefined,
  old: readonly ContainerStatus[] | undefined,
  path: string,
  errors: FieldErrors,
  mayRestart: MayRestart,
): void {
  const named = lazily(() => firstBy(statuses, ({ name }) => name));
  old?.forEach(({ name, state }, index) => {
    const ended = state.terminated;
    if (ended === undefined) return;
    const now = named().get(name);
    if (now === undefined || now.state.terminated !== undefined || mayRestart(name, ended.exitCode)) return;
    errors.forbidden(`${path}[${index}].state`, 'may not be transitioned to non-terminated state');
  });
}

function validateClaimStatuses({ resourceClaimStatuses }: PodStatus, { resourceClaims = [] }: PodSpec, errors: FieldErrors): void {
  const names = new Set<string>();
  const claims = new Set(resourceClaims.map(({ name }) => name));
  resourceClaimStatuses?.forEach(({ name, resourceClaimName }, index) => {
    const at = `status.resourceClaimStatuses[${index}]`;
    if (!claims.has(name)) {
      errors.invalid(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`');
    }
    if (names.has(name)) errors.duplicate(`${at}.name`, name);
    names.add(name);
    if (resourceClaimName !== undefined) errors.invalidEach(`${at}.resourceClaimName`, resourceClaimName, dns1123SubdomainProblems(resourceClaimName));
  });
}

function validateExtendedClaim({ requestMappings = [], resourceClaimName }: PodExtendedResourceClaimStatus, spec: PodSpec, errors: FieldErrors): void {
  const path = 'status.extendedResourceClaimStatus';
  if (requestMappings.length === 0) errors.required(`${path}.requestMappings`, 'at least one request mapping is required');
  const containers = new Map([...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((container) => [container.name, container]));
  const seen = new Set<string>();
  requestMappings.forEach(({ containerName, resourceName, requestName }, index) => {
    const at = `${path}.requestMappings[${index}]`;
    const container = containers.get(containerName);
    if (container === undefined) {
      errors.invalid(`${at}.containerName`, containerName, 'must match the name of an entry in spec.initContainers.name or spec.containers.name');
    } else if (container.resources.requests?.[resourceName] === undefined) {
      const detail = 'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
      errors.invalid(`${at}.resourceName`, resourceName, detail);
    }
    errors.invalidEach(`${path}.requestName`, requestName, dns1123LabelProblems(requestName));
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      errors.duplicate(`${at}.containerName`, containerName);
      errors.duplicate(`${at}.resourceName`, resourceName);
      errors.duplicate(`${at}.requestName`, requestName);
    }
    seen.add(key);
  });
  if (resourceClaimName === '') errors.required(`${path}.resourceClaimName`);
  else errors.invalidEach(`${path}.resourceClaimName`, resourceClaimName, dns1123SubdomainProblems(resourceClaimName));
}

function validateAllocatableClaims(status: PodStatus, spec: PodSpec, errors: FieldErrors): void {
  const known = new Set([...(spec.resourceClaims ?? []), ...(status.resourceClaimStatuses ?? [])].map((claim) => claim.resourceClaimName));
  status.nodeAllocatableResourceClaimStatuses?.forEach(({ resourceClaimName, containers = [], resources = {} }, index) => {
    const at = `status.nodeAllocatableResourceClaimStatuses[${index}]`;
    if (resourceClaimName === '') errors.required(`${at}.resourceClaimName`, 'must not be empty');
    if (!known.has(resourceClaimName)) errors.invalid(`${at}.resourceClaimName`, resourceClaimName, 'no mapping found in pod reference');
    if (containers.length === 0) errors.required(`${at}.containers`, 'must not be empty');
    if (Object.keys(resources).length === 0) errors.required(`${at}.resources`, 'must not be empty');
    for (const [name, quantity] of Object.entries(resources)) {
      if (!isNativeResource(name)) errors.invalid(`${at}.resources[${name}]`, asJson(name), 'must be a node allocatable resource name');
      if (quantitySign(quantity) < 0) errors.invalid(`${at}.resources[${name}]`, quantity, 'must be non-negative');
    }
  });
}

type Addresses = readonly { readonly ip?: string | undefined }[] | undefined;

function validateAddresses(addresses: Addresses, old: Addresses, path: string, errors: FieldErrors, rules: PodRules): void {
  const stored = (old ?? []).map(({ ip = '' }) => ip);
  const ips = (addresses ?? []).map(({ ip = '' }) => ip);
  ips.forEach((ip, index) => validateLegacyIp(ip, `${path}[${index}]`, errors, rules.strictAddresses, stored));
  if (ips.length < 2) return;
  const bad = ips.findIndex((ip) => parseIpSloppy(ip) === undefined);
  if (bad >= 0) errors.internal(path, `failed to check for dual stack with error:invalid IP[${bad}]: ${ips[bad]}`);
  const families = new Set(ips.map((ip) => parseIpSloppy(ip)?.family));
  if (bad < 0 && families.size === 2 && ips.length === 2) return;
  errors.invalid(
    path,
    ips.map((ip) => ({ IP: ip })),
    'may specify no more than one IP for each IP family',
  );
}

function validateHostAddresses({ hostIP = '', hostIPs }: PodStatus, old: PodStatus, errors: FieldErrors, rules: PodRules): void {
  const first = hostIPs?.[0]?.ip ?? '';
  if (hostIPs?.length && first !== hostIP) errors.invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`');
  validateAddresses(hostIPs, old.hostIPs, 'status.hostIPs', errors, rules);
}

function validateUsers(statuses: readonly ContainerStatus[] | undefined, { os }: PodSpec, path: string, errors: FieldErrors): void {
  statuses?.forEach(({ user }, index) => {
    const linux = user?.linux;
    if (linux === undefined) return;
    const at = `${path}[${index}].user.linux`;
    if (os?.name === 'windows') return errors.forbidden(at, 'cannot be set for a windows pod');
    errors.invalidEach(`${at}.uid`, linux.uid, idProblems(linux.uid));
    errors.invalidEach(`${at}.gid`, linux.gid, idProblems(linux.gid));
    linux.supplementalGroups?.forEach((group, number) => errors.invalidEach(`${at}.supplementalGroups[${number}]`, group, idProblems(group)));
  });
}

function validateAllocations(
  statuses: readonly ContainerStatus[] | undefined,
  containers: readonly Container[] | undefined,
  path: string,
  errors: FieldErrors,
): void {
  const named = lazily(() => firstBy(containers, ({ name }) => name));
  statuses?.forEach((status, index) => {
    const container = status.allocatedResourcesStatus === undefined ? undefined : named().get(status.name);
    const claims = lazily(() => new Set(container?.resources.claims?.map(allocationOf)));
    status.allocatedResourcesStatus?.forEach(({ name, resources = [] }, allocation) => {
      const at = `${path}[${index}].allocatedResourcesStatus[${allocation}]`;
      if (container !== undefined) validateAllocationName(name, container, claims, `${at}.name`, errors);
      validateHealth(resources, `${at}.resources`, errors);
    });
  });
}

function allocationOf({ name, request }: ResourceClaim): string {
  return `claim:${name}${request ? `/${request}` : ''}`;
}

function validateAllocationName(name: string, { resources }: Container, claims: () => ReadonlySet<string>, path: string, errors: FieldErrors): void {
  if (name.startsWith('claim:')) {
    const detail = "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
    if (!claims().has(name)) errors.invalid(path, name, detail);
  } else if (resources.requests?.[name] === undefined) {
    errors.invalid(path, name, "must match one of the container's resource requests");
  }
}

type Health = { readonly health?: string | undefined; readonly message?: string | undefined; readonly resourceID: string };

function validateHealth(resources: readonly Health[], path: string, errors: FieldErrors): void {
  const states = ['Healthy', 'Unhealthy', 'Unknown'];
  const ids = new Set<string>();
  resources.forEach(({ health = '', message, resourceID }, index) => {
    const at = `${path}[${index}]`;
    if (!states.includes(health)) errors.notSupported(`${at}.health`, health, states);
    if (message === '') errors.required(`${at}.message`, 'must be non-empty if specified');
    else if (message !== undefined && byteLength(message) > 1024) errors.tooLong(`${at}.message`, 1024);
    if (ids.has(resourceID)) errors.duplicate(`${at}.resourceID`, asJson(resourceID));
    ids.add(resourceID);
  });
}

function validateVolumeStatuses(statuses: readonly ContainerStatus[] | undefined, path: string, errors: FieldErrors): void {
  statuses?.forEach(({ volumeMounts }, index) => {
    volumeMounts?.forEach(({ volumeStatus }, mount) => {
      const reference = volumeStatus?.image?.imageRef;
      if (volumeStatus?.image === undefined) return;
      const at = `${path}[${index}].volumeMounts[${mount}].volumeStatus.imageVolumeStatus.imageRef`;
      if (!reference) errors.required(at, 'imageRef must not be empty');
      else if (byteLength(reference) > 256) errors.tooLong(at, 256);
    });
  });
}
