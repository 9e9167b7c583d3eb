// The names of compute resources: `cpu`, `hugepages-2Mi`, `example.com/gpu`.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import { isWholeQuantity, validateNonNegativeQuantity } from '#kinds/rules/quantities.ts';

const objectCounts = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const containerResources = ['cpu', 'memory', 'ephemeral-storage'];
const quotaAmounts = [
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
];

const integerResources = new Set(objectCounts);
const standardContainerResources = new Set(containerResources);
const standardQuotaResources = new Set([...containerResources, ...quotaAmounts, ...objectCounts]);
const standardResources = new Set([...standardQuotaResources, 'storage']);

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith('requests.hugepages-');
}

export function isStandardResource(name: string): boolean {
  return standardResources.has(name) || isQuotaHugePages(name);
}

export function isStandardQuotaResource(name: string): boolean {
  return standardQuotaResources.has(name) || isQuotaHugePages(name);
}

export function isStandardContainerResource(name: string): boolean {
  return standardContainerResources.has(name) || isHugePages(name);
}

/** Of the node itself, not of a device plugin. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return labelKeyProblems(`requests.${name}`).length === 0;
}

export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

export function isIntegerResource(name: string): boolean {
  return integerResources.has(name) || isExtendedResource(name);
}

/** What a pod as a whole may ask for. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

export function validateResourceName(name: string, path: string, errors: FieldErrors): void {
  const problems = labelKeyProblems(name);
  errors.invalidEach(path, asJson(name), problems);
  if (problems.length === 0 && !name.includes('/') && !isStandardResource(name)) {
    errors.invalid(path, asJson(name), 'must be a standard resource type or fully qualified');
  }
}

export function validateContainerResourceName(name: string, path: string, errors: FieldErrors): void {
  if (standardContainerResources.has(name)) return;
  validateResourceName(name, path, errors);
  if (!name.includes('/')) {
    if (!isStandardContainerResource(name)) errors.invalid(path, asJson(name), 'must be a standard resource for containers');
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.invalid(path, asJson(name), "doesn't follow extended resource name standard");
  }
}

export function validatePodResourceName(name: string, path: string, errors: FieldErrors): void {
  const before = errors.list.length;
  validateResourceName(name, path, errors);
  if (errors.list.length === before && !isPodLevelResource(name)) errors.notSupported(path, name, ['cpu', 'hugepages-', 'memory']);
}

/** Not negative, and a whole number for things that are counted. */
export function validateResourceQuantity(name: string, quantity: string, path: string, errors: FieldErrors): void {
  validateNonNegativeQuantity(quantity, path, errors);
  if (!standardContainerResources.has(name) && isIntegerResource(name) && !isWholeQuantity(quantity)) errors.invalid(path, quantity, 'must be an integer');
}
