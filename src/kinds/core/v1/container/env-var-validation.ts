// The rules of `env` and `envFrom`, and of the selectors they share with downward API volumes.
import type { FieldErrors } from '#api/field-error.ts';
import { configKeyProblems, dns1123LabelProblems, dns1123SubdomainProblems, environmentNameProblems, nameIsSubdomain } from '#base/formats.ts';
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector, ObjectFieldSelector, ResourceFieldSelector } from '#kinds/core/v1/container/env-var.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import { validateNoBacksteps } from '#kinds/rules/paths.ts';
import { quantitySign } from '#kinds/rules/quantities.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

export function validateEnv(variables: readonly EnvVar[] | undefined, path: string, errors: FieldErrors, rules: PodRules): void {
  if (variables === undefined) return;
  for (const [index, variable] of variables.entries()) {
    if (variable.name === '') errors.required(`${path}[${index}].name`);
    else {
      const problems = environmentNameProblems(variable.name);
      if (problems.length > 0) errors.invalidEach(`${path}[${index}].name`, variable.name, problems);
    }
    if (variable.valueFrom !== undefined) validateValueFrom(variable, variable.valueFrom, `${path}[${index}].valueFrom`, errors, rules);
  }
}

function validateValueFrom({ value }: EnvVar, source: EnvVarSource, path: string, errors: FieldErrors, rules: PodRules): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  if (fieldRef !== undefined) validateFieldSelector(fieldRef, environmentFields, `${path}.fieldRef`, errors);
  if (resourceFieldRef !== undefined) validateResourceFieldSelector(resourceFieldRef, `${path}.resourceFieldRef`, errors, { containerNeeded: false });
  if (configMapKeyRef !== undefined) validateKeySelector(configMapKeyRef, `${path}.configMapKeyRef`, errors);
  if (secretKeyRef !== undefined) validateKeySelector(secretKeyRef, `${path}.secretKeyRef`, errors);
  if (fileKeyRef !== undefined) validateFileKeySelector(fileKeyRef, `${path}.fileKeyRef`, errors);
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter((one) => one !== undefined).length;
  if (count === 0) errors.invalid(path, '', rules.envFiles ? oneOfFive : oneOfFour);
  else if (value) errors.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (count > 1) errors.invalid(path, '', 'may not have more than one field specified at a time');
}

const oneOfFour = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
const oneOfFive = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';

const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const volumeFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const knownFields = new Set([...environmentFields, ...volumeFields, 'spec.restartPolicy', 'spec.schedulerName', 'status.phase']);

export function validateVolumeFieldSelector(selector: ObjectFieldSelector, path: string, errors: FieldErrors): void {
  validateFieldSelector(selector, volumeFields, path, errors);
}

function validateFieldSelector({ apiVersion, fieldPath }: ObjectFieldSelector, allowed: readonly string[], path: string, errors: FieldErrors): void {
  if (!apiVersion) return errors.required(`${path}.apiVersion`);
  if (fieldPath === '') return errors.required(`${path}.fieldPath`);
  const problem = conversionProblem(apiVersion, fieldPath);
  if (problem !== undefined) return errors.invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${problem}`);
  const subscript = splitSubscript(fieldPath);
  if (subscript !== undefined) {
    validateLabelKey(subscript.path === 'metadata.annotations' ? subscript.key.toLowerCase() : subscript.key, path, errors);
    return;
  }
  const field = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (!allowed.includes(field)) errors.notSupported(`${path}.fieldPath`, field, allowed);
}

function conversionProblem(apiVersion: string, fieldPath: string): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  const subscript = splitSubscript(fieldPath);
  if (subscript !== undefined) {
    const mayHaveKey = subscript.path === 'metadata.annotations' || subscript.path === 'metadata.labels';
    return mayHaveKey ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  return knownFields.has(fieldPath) || fieldPath === 'spec.host' ? undefined : `field label not supported: ${fieldPath}`;
}

/** `metadata.labels['app']` in its two parts. */
function splitSubscript(fieldPath: string): { readonly path: string; readonly key: string } | undefined {
  const start = fieldPath.indexOf("['");
  if (start <= 0 || !fieldPath.endsWith("']") || start + 2 > fieldPath.length - 2) return undefined;
  return { path: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

const resourceFields = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory', 'requests.cpu', 'requests.ephemeral-storage', 'requests.memory'];

export function validateResourceFieldSelector(
  { containerName, resource, divisor }: ResourceFieldSelector,
  path: string,
  errors: FieldErrors,
  { containerNeeded }: { readonly containerNeeded: boolean },
): void {
  if (containerNeeded && !containerName) errors.required(`${path}.containerName`);
  else if (resource === '') errors.required(`${path}.resource`);
  else if (!resourceFields.includes(resource) && !isHugePagesField(resource)) errors.notSupported(`${path}.resource`, resource, resourceFields);
  validateDivisor(resource, divisor ?? '0', `${path}.divisor`, errors);
}

function isHugePagesField(resource: string): boolean {
  return resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-');
}

const sizeDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function validateDivisor(resource: string, divisor: string, path: string, errors: FieldErrors): void {
  if (quantitySign(divisor) === 0) return;
  const name = divisorName(resource);
  if (name === undefined) return;
  if (name === 'cpu') {
    if (divisor !== '1m' && divisor !== '1') errors.invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource");
  } else if (!sizeDivisors.includes(divisor)) {
    errors.invalid(path, resource, `only divisor's values ${sizeDivisors.join(', ')} are supported with the ${name} resource`);
  }
}

function divisorName(resource: string): string | undefined {
  if (isHugePagesField(resource)) return 'hugepages';
  if (!resourceFields.includes(resource)) return undefined;
  const name = resource.slice(resource.indexOf('.') + 1);
  return name === 'ephemeral-storage' ? 'local ephemeral storage' : name;
}

interface KeySelector {
  readonly name?: string | undefined;
  readonly key: string;
}

function validateKeySelector({ name = '', key }: KeySelector, path: string, errors: FieldErrors): void {
  errors.invalidEach(`${path}.name`, name, dns1123SubdomainProblems(name));
  if (key === '') errors.required(`${path}.key`);
  else errors.invalidEach(`${path}.key`, key, configKeyProblems(key));
}

function validateFileKeySelector({ key, volumeName, path: file }: FileKeySelector, path: string, errors: FieldErrors): void {
  if (key === '') errors.required(`${path}.key`);
  else errors.invalidEach(`${path}.key`, key, environmentNameProblems(key));
  if (volumeName === '') errors.required(`${path}.volumeName`);
  else errors.invalidEach(`${path}.volumeName`, volumeName, dns1123LabelProblems(volumeName));
  if (file === '') errors.required(`${path}.path`);
  else validateNoBacksteps(file, `${path}.path`, errors);
}

export function validateEnvFrom(sources: readonly EnvFromSource[] | undefined, path: string, errors: FieldErrors): void {
  sources?.forEach(({ prefix, configMapRef, secretRef }, index) => {
    const at = `${path}[${index}]`;
    if (prefix) errors.invalidEach(`${at}.prefix`, prefix, environmentNameProblems(prefix));
    if (configMapRef !== undefined) validateEnvSourceName(configMapRef.name, `${at}.configMapRef.name`, errors);
    if (secretRef !== undefined) validateEnvSourceName(secretRef.name, `${at}.secretRef.name`, errors);
    // Reported at the list, as upstream does.
    if (configMapRef === undefined && secretRef === undefined) errors.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    else if (configMapRef !== undefined && secretRef !== undefined) errors.invalid(path, '', 'may not have more than one field specified at a time');
  });
}

function validateEnvSourceName(name: string | undefined, path: string, errors: FieldErrors): void {
  if (!name) errors.required(path);
  else errors.invalidEach(path, name, nameIsSubdomain(name, true));
}
