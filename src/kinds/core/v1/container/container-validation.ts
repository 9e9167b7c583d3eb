// The rules of containers, of init containers and of ephemeral containers.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { hasGivenEmpty, wasGivenEmpty } from '#schema/given-empty.ts';
import { dns1123LabelProblems, portNameProblems, portNumberProblems } from '#base/formats.ts';
import type { Container, ContainerPort, ContainerResizePolicy, ContainerRestartRule } from '#kinds/core/v1/container/container.ts';
import { validateVolumeDevices, validateVolumeMounts } from '#kinds/core/v1/container/container-volumes-validation.ts';
import { validateEnv, validateEnvFrom } from '#kinds/core/v1/container/env-var-validation.ts';
import type { EphemeralContainer } from '#kinds/core/v1/container/ephemeral-container.ts';
import { isSidecar } from '#kinds/core/v1/pod/pod-containers.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { validateLifecycle, validateOneSuccessProbe, validateReadinessProbe } from '#kinds/core/v1/container/probe-validation.ts';
import { validateContainerResources } from '#kinds/core/v1/container/resource-requirements-validation.ts';
import { validateSecurityContext } from '#kinds/core/v1/container/security-context-validation.ts';
import type { ValidVolumes } from '#kinds/core/v1/volume/volume-validation.ts';
import { hasOuterSpace, validateChoice } from '#kinds/rules/values.ts';

/** What containers must know of their pod. */
export interface ContainerSurroundings {
  readonly spec: PodSpec;
  readonly volumes: ValidVolumes;
  readonly claims: ReadonlySet<string>;
  readonly rules: PodRules;
}

export function validateContainers(surroundings: ContainerSurroundings, path: string, errors: FieldErrors): void {
  const { containers = [] } = surroundings.spec;
  if (containers.length === 0) return errors.required(path);
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    validateCommon(container, surroundings, at, errors);
    if (names.has(container.name)) errors.duplicate(`${at}.name`, container.name);
    names.add(container.name);
    validateHooksAndProbes(container, surroundings.spec, at, errors);
    if (surroundings.rules.restartRules) validateRestartPolicy(container, at, errors, surroundings.rules);
    else if (container.restartPolicy !== undefined) errors.forbidden(`${at}.restartPolicy`, 'may not be set for non-init containers');
  }
  validateHostPorts(containers, path, errors);
}

function validateHooksAndProbes(container: Container, spec: PodSpec, path: string, errors: FieldErrors): void {
  const grace = spec.terminationGracePeriodSeconds;
  if (container.lifecycle !== undefined) validateLifecycle(container.lifecycle, grace, spec.os, `${path}.lifecycle`, errors);
  validateOneSuccessProbe(container.livenessProbe, grace, `${path}.livenessProbe`, errors);
  validateReadinessProbe(container.readinessProbe, grace, `${path}.readinessProbe`, errors);
  validateOneSuccessProbe(container.startupProbe, grace, `${path}.startupProbe`, errors);
}

export function validateInitContainers(surroundings: ContainerSurroundings, path: string, errors: FieldErrors): void {
  const { spec, rules } = surroundings;
  const names = new Set(spec.containers?.map(({ name }) => name));
  spec.initContainers?.forEach((container, index) => {
    const at = `${path}[${index}]`;
    validateCommon(container, surroundings, at, errors);
    validateInitRestartPolicy(container, at, errors, rules);
    if (names.has(container.name)) errors.duplicate(`${at}.name`, container.name);
    else if (container.name !== '') names.add(container.name);
    // Each init container on its own, which upstream always reports as the first.
    validateHostPorts([container], path, errors);
    if (isSidecar(container)) validateHooksAndProbes(container, spec, at, errors);
    else refuseHooksAndProbes(container, at, errors, rules);
  });
}

const runningFields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** An init container that ends has no use for these. */
function refuseHooksAndProbes(container: Container, path: string, errors: FieldErrors, rules: PodRules): void {
  for (const field of runningFields) {
    if (container[field] !== undefined) errors.forbidden(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always');
  }
  if (rules.anyInitResizePolicy) return;
  container.resizePolicy?.forEach(({ restartPolicy }, index) => {
    if (restartPolicy !== 'RestartContainer') return;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    errors.invalid(`${path}.resizePolicy[${index}].restartPolicy`, restartPolicy, detail);
  });
}

const notForEphemeral = [
  'ports',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

export function validateEphemeralContainers(surroundings: ContainerSurroundings, path: string, errors: FieldErrors): void {
  const { spec } = surroundings;
  if (spec.ephemeralContainers === undefined) return;
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(others);
  spec.ephemeralContainers.forEach((container, index) => {
    const at = `${path}[${index}]`;
    validateCommon(container, surroundings, at, errors);
    validateImageText(container.image, at, errors);
    if (names.has(container.name)) errors.duplicate(`${at}.name`, container.name);
    names.add(container.name);
    const target = container.targetContainerName;
    if (target && !others.has(target)) errors.notFound(`${at}.targetContainerName`, target);
    refuseForEphemeral(container, at, errors);
  });
}

function refuseForEphemeral(container: EphemeralContainer, path: string, errors: FieldErrors): void {
  const detail = 'cannot be set for an Ephemeral Container';
  // What was sent empty was sent.
  for (const field of notForEphemeral) if (container[field] !== undefined || wasGivenEmpty(container, field)) errors.forbidden(`${path}.${field}`, detail);
  if (Object.keys(container.resources).length > 0 || hasGivenEmpty(container.resources)) errors.forbidden(`${path}.resources`, detail);
  container.volumeMounts?.forEach(({ subPath, subPathExpr }, index) => {
    if (subPath) errors.forbidden(`${path}.volumeMounts[${index}].subPath`, detail);
    if (subPathExpr) errors.forbidden(`${path}.volumeMounts[${index}].subPathExpr`, detail);
  });
}

/** Only pods, not templates, refuse blanks around an image's name. */
export function validateImageText(image: string | undefined, path: string, errors: FieldErrors): void {
  if (image && hasOuterSpace(image)) errors.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace');
}

function validateCommon(container: Container, { spec, volumes, claims, rules }: ContainerSurroundings, path: string, errors: FieldErrors): void {
  if (container.name === '') errors.required(`${path}.name`);
  else errors.invalidEach(`${path}.name`, container.name, dns1123LabelProblems(container.name));
  if (!container.image) errors.required(`${path}.image`);
  validateChoice(container.terminationMessagePolicy, ['File', 'FallbackToLogsOnError'], `${path}.terminationMessagePolicy`, errors);
  validatePorts(container.ports, `${path}.ports`, errors);
  validateEnv(container.env, `${path}.env`, errors, rules);
  validateEnvFrom(container.envFrom, `${path}.envFrom`, errors);
  validateVolumeMounts(container, volumes, `${path}.volumeMounts`, errors);
  validateVolumeDevices(container, volumes, `${path}.volumeDevices`, errors);
  validateChoice(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`, errors);
  validateContainerResources(container.resources, claims, `${path}.resources`, errors, rules);
  if (container.resizePolicy !== undefined) validateResizePolicy(container.resizePolicy, spec.restartPolicy, `${path}.resizePolicy`, errors);
  if (container.securityContext?.privileged && !rules.privileged) errors.forbidden(`${path}.securityContext.privileged`, 'disallowed by cluster policy');
  validateSecurityContext(container.securityContext, spec.hostUsers !== false, `${path}.securityContext`, errors);
}

function validatePorts(ports: readonly ContainerPort[] | undefined, path: string, errors: FieldErrors): void {
  if (ports === undefined) return;
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `${path}[${index}]`;
    if (port.name) validatePortName(port.name, names, `${at}.name`, errors);
    if (port.containerPort === 0) errors.required(`${at}.containerPort`);
    else errors.invalidEach(`${at}.containerPort`, port.containerPort, portNumberProblems(port.containerPort));
    if (port.hostPort) errors.invalidEach(`${at}.hostPort`, port.hostPort, portNumberProblems(port.hostPort));
    validateChoice(port.protocol, ['SCTP', 'TCP', 'UDP'], `${at}.protocol`, errors);
  }
}

function validatePortName(name: string, names: Set<string>, path: string, errors: FieldErrors): void {
  const problems = portNameProblems(name);
  if (problems.length > 0) errors.invalidEach(path, name, problems);
  else if (names.has(name)) errors.duplicate(path, name);
  else names.add(name);
}

function validateHostPorts(containers: readonly Container[], path: string, errors: FieldErrors): void {
  const taken = new Set<string>();
  containers.forEach(({ ports }, container) => {
    ports?.forEach(({ protocol = '', hostIP = '', hostPort }, index) => {
      if (!hostPort) return;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) errors.duplicate(`${path}[${container}].ports[${index}].hostPort`, key);
      taken.add(key);
    });
  });
}

function validateResizePolicy(policies: readonly ContainerResizePolicy[], podPolicy: string | undefined, path: string, errors: FieldErrors): void {
  const resources = new Set<string>();
  policies.forEach(({ resourceName, restartPolicy }, index) => {
    if (resources.has(resourceName)) errors.duplicate(`${path}[${index}]`, asJson(resourceName));
    resources.add(resourceName);
    validateChoice(resourceName, ['cpu', 'memory'], path, errors);
    validateChoice(restartPolicy, ['NotRequired', 'RestartContainer'], path, errors);
    if (podPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      errors.invalid(path, asJson(restartPolicy), "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  });
}

function validateInitRestartPolicy(container: Container, path: string, errors: FieldErrors, rules: PodRules): void {
  const { restartPolicy, restartPolicyRules = [] } = container;
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length > 0) errors.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
  } else if (!rules.restartRules) {
    if (restartPolicy !== 'Always') errors.notSupported(`${path}.restartPolicy`, restartPolicy, ['Always']);
  } else if (restartPolicy !== 'Always' || rules.restartAll) {
    validateRestartPolicy(container, path, errors, rules);
  } else if (restartPolicyRules.length > 0) {
    errors.forbidden(`${path}.restartPolicyRules`, 'restartPolicyRules are not allowed for init containers with restart policy Always');
  }
}

function validateRestartPolicy({ restartPolicy, restartPolicyRules }: Container, path: string, errors: FieldErrors, rules: PodRules): void {
  const policies = ['Always', 'Never', 'OnFailure'];
  if (restartPolicy !== undefined) {
    if (!policies.includes(restartPolicy)) errors.notSupported(`${path}.restartPolicy`, restartPolicy, policies);
  } else if (restartPolicyRules !== undefined) {
    errors.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
  }
  if (restartPolicyRules === undefined) return;
  if (restartPolicyRules.length > 20) errors.tooMany(`${path}.restartPolicyRules`, restartPolicyRules.length, 20);
  restartPolicyRules.forEach((rule, index) => validateRestartRule(rule, `${path}.restartPolicyRules[${index}]`, errors, rules));
}

function validateRestartRule({ action = '', exitCodes }: ContainerRestartRule, path: string, errors: FieldErrors, rules: PodRules): void {
  const actions = rules.restartAll ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  if (!actions.includes(action)) errors.notSupported(`${path}.action`, action, actions);
  if (exitCodes === undefined) return errors.required(`${path}.exitCodes`, 'must be specified');
  const { operator = '', values = [] } = exitCodes;
  if (operator !== 'In' && operator !== 'NotIn') errors.notSupported(`${path}.exitCodes.operator`, operator, ['In', 'NotIn']);
  if (values.length > 255) errors.tooMany(`${path}.exitCodes.values`, values.length, 255);
}
