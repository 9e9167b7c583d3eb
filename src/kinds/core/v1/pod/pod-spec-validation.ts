// The rules of a pod's spec, in pods and in templates.
import { type FieldErrors, wholeObject } from '#api/field-error.ts';
import { byteLength, dns1123LabelProblems, dns1123SubdomainProblems, dns1123SubdomainUnderscoreProblems } from '#base/formats.ts';
import type { ObjectMeta } from '#api/object.ts';
import { validateAffinity } from '#kinds/core/v1/container/affinity-validation.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from '#kinds/core/v1/container/container-validation.ts';
import { forEachContainer } from '#kinds/core/v1/pod/pod-containers.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { validateHostProcess, validateHostUsers, validateOs, validatePodSecurityContext } from '#kinds/core/v1/pod/pod-security-context-validation.ts';
import { type HostAlias, type PodDNSConfig, PodResourceClaim, type PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { validateOverhead, validatePodLevelResources } from '#kinds/core/v1/container/resource-requirements-validation.ts';
import { validateTolerations } from '#kinds/core/v1/container/toleration-validation.ts';
import { validateTopologySpread } from '#kinds/core/v1/container/topology-spread-validation.ts';
import { validateVolumes } from '#kinds/core/v1/volume/volume-validation.ts';
import { validateLegacyIp } from '#kinds/rules/addresses.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { validateChoice } from '#kinds/rules/values.ts';
import { validateLabelKey, validateLabels } from '#resource/metadata-rules.ts';
import { lazily } from '#base/lazily.ts';

/** `pod` is the metadata of the pod itself; templates have none. */
export function validatePodSpec(spec: PodSpec, pod: ObjectMeta | undefined, path: string, errors: FieldErrors, rules: PodRules): void {
  if (spec.terminationGracePeriodSeconds === undefined) errors.required(`${path}.terminationGracePeriodSeconds`);
  const volumes = validateVolumes(spec.volumes, pod, `${path}.volumes`, errors, rules);
  const claims = new Set(spec.resourceClaims?.map(({ name }) => name).filter((name) => name !== ''));
  validateResourceClaims(spec.resourceClaims, pod, `${path}.resourceClaims`, errors);
  const surroundings = { spec, volumes, claims, rules };
  validateContainers(surroundings, `${path}.containers`, errors);
  validateInitContainers(surroundings, `${path}.initContainers`, errors);
  validateEphemeralContainers(surroundings, `${path}.ephemeralContainers`, errors);
  if (rules.podLevelResources) validatePodLevelResources(spec, claims, `${path}.resources`, errors, rules);
  if (spec.hostNetwork) validateHostNetworkPorts(spec, path, errors, rules);
  validateChoice(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`, errors);
  validateChoice(spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], `${path}.dnsPolicy`, errors);
  validateLabels(spec.nodeSelector, `${path}.nodeSelector`, errors);
  validatePodSecurityContext(spec, `${path}.securityContext`, errors, rules);
  validateAffinity(spec.affinity, `${path}.affinity`, errors, rules);
  validateDns(spec, path, errors, rules);
  spec.readinessGates?.forEach(({ conditionType }, index) => validateLabelKey(conditionType, `${path}.readinessGates[${index}].conditionType`, errors));
  validateSchedulingGates(spec, `${path}.schedulingGates`, errors);
  validateTopologySpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`, errors, rules);
  validateHostProcess(spec, path, errors, rules);
  validateHostUsers(spec, path, errors, rules);
  validatePlacement(spec, path, errors, rules);
  validateOs(spec, path, errors);
  if (spec.schedulingGroup !== undefined) validateSchedulingGroup(spec.schedulingGroup.podGroupName, `${path}.schedulingGroup.podGroupName`, errors);
  validateFileKeyVolumes(spec, path, errors);
}

function validateSchedulingGates({ schedulingGates }: PodSpec, path: string, errors: FieldErrors): void {
  const names = new Set<string>();
  schedulingGates?.forEach(({ name }, index) => {
    validateLabelKey(name, `${path}[${index}]`, errors);
    if (names.has(name)) errors.duplicate(`${path}[${index}]`, name);
    names.add(name);
  });
}

function validateHostNetworkPorts({ containers }: PodSpec, path: string, errors: FieldErrors, { isPod }: PodRules): void {
  containers?.forEach(({ ports }, container) => {
    ports?.forEach(({ hostPort = 0, containerPort }, index) => {
      // A template's host ports are filled in when a pod is made of it.
      if ((!isPod && hostPort === 0) || hostPort === containerPort) return;
      errors.invalid(`${path}.containers[${container}].ports[${index}].hostPort`, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    });
  });
}

/** Names of this pod and of what it refers to, and other single values. */
function validatePlacement(spec: PodSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  const { activeDeadlineSeconds: deadline, runtimeClassName, preemptionPolicy, overhead } = spec;
  if (spec.hostnameOverride !== undefined) validateHostnameOverride(spec.hostnameOverride, spec, `${path}.hostnameOverride`, errors);
  validateSubdomain(spec.serviceAccountName, `${path}.serviceAccountName`, errors);
  validateSubdomain(spec.nodeName, `${path}.nodeName`, errors);
  if (deadline !== undefined && (deadline < 1 || deadline > 2147483647)) {
    errors.invalid(`${path}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive');
  }
  for (const field of ['hostname', 'subdomain'] as const) {
    const value = spec[field];
    if (value) errors.invalidEach(`${path}.${field}`, value, dns1123LabelProblems(value));
  }
  validateTolerations(spec.tolerations, `${path}.tolerations`, errors, rules);
  validateHostAliases(spec.hostAliases, `${path}.hostAliases`, errors, rules);
  validateSubdomain(spec.priorityClassName, `${path}.priorityClassName`, errors);
  if (runtimeClassName !== undefined) errors.invalidEach(`${path}.runtimeClassName`, runtimeClassName, dns1123SubdomainProblems(runtimeClassName));
  if (preemptionPolicy !== undefined) validateChoice(preemptionPolicy, ['PreemptLowerPriority', 'Never'], `${path}.preemptionPolicy`, errors);
  if (overhead !== undefined) validateOverhead(overhead, `${path}.overhead`, errors, rules);
}

function validateSubdomain(value: string | undefined, path: string, errors: FieldErrors): void {
  if (value) errors.invalidEach(path, value, dns1123SubdomainProblems(value));
}

function validateHostnameOverride(hostname: string, spec: PodSpec, path: string, errors: FieldErrors): void {
  if (spec.setHostnameAsFQDN) errors.forbidden(path, 'may not be specified when setHostnameAsFQDN is true');
  if (spec.hostNetwork) errors.forbidden(path, 'may not be specified when hostNetwork is true');
  if (byteLength(hostname) > 64) errors.tooLong(path, 64);
  errors.invalidEach(path, hostname, dns1123SubdomainProblems(hostname));
}

function validateSchedulingGroup(name: string | undefined, path: string, errors: FieldErrors): void {
  if (name === undefined) errors.invalid(path, null, 'must specify one of: `podGroupName`');
  else errors.invalidEach(path, name, dns1123SubdomainProblems(name));
}

function validateHostAliases(aliases: readonly HostAlias[] | undefined, path: string, errors: FieldErrors, rules: PodRules): void {
  aliases?.forEach(({ ip, hostnames }, index) => {
    validateLegacyIp(ip, `${path}[${index}].ip`, errors, rules.strictAddresses);
    hostnames?.forEach((hostname, name) => {
      errors.invalidEach(`${path}[${index}].hostnames[${name}]`, hostname, dns1123SubdomainProblems(hostname));
    });
  });
}

function validateDns({ dnsPolicy, dnsConfig }: PodSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return errors.required(`${path}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None');
    if (!dnsConfig.nameservers?.length) {
      return errors.required(`${path}.dnsConfig.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
    }
  }
  if (dnsConfig !== undefined) validateDnsConfig(dnsConfig, `${path}.dnsConfig`, errors, rules);
}

function validateDnsConfig({ nameservers = [], searches = [], options }: PodDNSConfig, path: string, errors: FieldErrors, rules: PodRules): void {
  if (nameservers.length > 3) errors.invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers');
  nameservers.forEach((server, index) => validateLegacyIp(server, `${path}.nameservers[${index}]`, errors, rules.strictAddresses));
  if (searches.length > 32) errors.invalid(`${path}.searches`, searches, 'must not have more than 32 search paths');
  if (byteLength(searches.join(' ')) > 2048) {
    errors.invalid(`${path}.searches`, searches, 'must not have more than 2048 characters (including spaces) in the search list');
  }
  searches.forEach((search, index) => {
    const domain = search.replace(/\.$/, '');
    if (search !== '.') errors.invalidEach(`${path}.searches[${index}]`, domain, dns1123SubdomainUnderscoreProblems(domain));
  });
  options?.forEach(({ name }, index) => {
    if (!name) errors.required(`${path}.options[${index}]`, 'must not be empty');
  });
}

function validateResourceClaims(claims: readonly PodResourceClaim[] | undefined, pod: ObjectMeta | undefined, path: string, errors: FieldErrors): void {
  const names = new Set<string>();
  claims?.forEach((claim, index) => {
    if (pod?.annotations?.['kubernetes.io/config.mirror'] !== undefined) errors.forbidden(wholeObject, 'static pods do not support resource claims');
    else validateResourceClaim(claim, names, `${path}[${index}]`, errors);
  });
}

function validateResourceClaim(claim: PodResourceClaim, names: Set<string>, path: string, errors: FieldErrors): void {
  const { name, resourceClaimName, resourceClaimTemplateName } = claim;
  if (name === '') errors.required(`${path}.name`);
  else if (names.has(name)) errors.duplicate(`${path}.name`, name);
  else errors.invalidEach(`${path}.name`, name, dns1123LabelProblems(name));
  names.add(name);
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    errors.invalid(path, goForm(PodResourceClaim, claim), 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    errors.invalid(path, goForm(PodResourceClaim, claim), 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
  }
  for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
    const value = claim[field];
    if (value !== undefined) errors.invalidEach(`${path}.${field}`, value, dns1123SubdomainProblems(value));
  }
}

/** Files with environment variables live in an emptyDir. */
function validateFileKeyVolumes(spec: PodSpec, path: string, errors: FieldErrors): void {
  const volumes = lazily(() => new Map(spec.volumes?.map((volume) => [volume.name, volume])));
  forEachContainer(spec, path, ({ env }, at) => {
    env?.forEach(({ valueFrom }, index) => {
      const name = valueFrom?.fileKeyRef?.volumeName;
      if (name === undefined) return;
      const volume = volumes().get(name);
      const field = `${at()}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      if (volume === undefined) errors.notFound(field, name);
      else if (volume.emptyDir === undefined) errors.invalid(field, name, 'referenced volume must be of type emptyDir');
    });
  });
}
