// The rules of `resources` of a container, of a pod as a whole, and of overhead.
import { FieldError, type FieldErrors } from '#api/field-error.ts';
import { dns1123LabelProblems } from '#base/formats.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import type { ResourceClaim, ResourceRequirements } from '#kinds/core/v1/container/resource-requirements.ts';
import { aggregateResources } from '#kinds/core/v1/pod/pod-resources.ts';
import { compareQuantities, isWholeQuantity, quantitySign, quantityValue } from '#kinds/rules/quantities.ts';
import {
  isHugePages,
  isOvercommitAllowed,
  validateContainerResourceName,
  validatePodResourceName,
  validateResourceQuantity,
} from '#kinds/rules/resource-names.ts';

type ResourceList = Readonly<Record<string, string>>;

/** What differs between a container, a pod as a whole and overhead. */
interface Requirer {
  readonly name: (name: string, path: string, errors: FieldErrors) => void;
  /** The names in the pod's resourceClaims. */
  readonly claims: ReadonlySet<string>;
  readonly anyHugePages: boolean;
}

export function validateContainerResources(
  resources: ResourceRequirements,
  claims: ReadonlySet<string>,
  path: string,
  errors: FieldErrors,
  { anyHugePages }: PodRules,
): void {
  validateRequirements(resources, { name: validateContainerResourceName, claims, anyHugePages }, path, errors);
}

function validateRequirements({ limits = {}, requests = {}, claims }: ResourceRequirements, requirer: Requirer, path: string, errors: FieldErrors): void {
  for (const name in limits) validateEntry(name, limits[name] ?? '0', requirer, `${path}.limits`, errors);
  for (const name in requests) {
    const request = requests[name] ?? '0';
    validateEntry(name, request, requirer, `${path}.requests`, errors);
    validateAgainstLimit(name, request, limits[name], path, errors);
  }
  if (lacksHugePagesCompany(limits, requests)) errors.forbidden(path, 'HugePages require cpu or memory');
  if (claims !== undefined) validateResourceClaimNames(claims, requirer.claims, `${path}.claims`, errors);
}

function validateEntry(name: string, quantity: string, requirer: Requirer, list: string, errors: FieldErrors): void {
  const path = `${list}[${name}]`;
  requirer.name(name, path, errors);
  validateResourceQuantity(name, quantity, path, errors);
  if (isHugePages(name) && !requirer.anyHugePages && !isHugePagesMultiple(name, quantity)) {
    errors.invalid(path, quantity, `${quantity} is not positive integer multiple of ${name}`);
  }
}

function validateAgainstLimit(name: string, request: string, limit: string | undefined, path: string, errors: FieldErrors): void {
  if (limit === undefined) {
    if (!isOvercommitAllowed(name)) errors.required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    return;
  }
  const order = compareQuantities(request, limit);
  if (order !== 0 && !isOvercommitAllowed(name)) errors.invalid(`${path}.requests`, request, `must be equal to ${name} limit of ${limit}`);
  else if (order > 0) errors.invalid(`${path}.requests`, request, `must be less than or equal to ${name} limit of ${limit}`);
}

function lacksHugePagesCompany(limits: ResourceList, requests: ResourceList): boolean {
  let hugePages = false;
  for (const list of [limits, requests]) {
    for (const name in list) {
      if (name === 'cpu' || name === 'memory') return false;
      hugePages ||= isHugePages(name);
    }
  }
  return hugePages;
}

export function isHugePagesMultiple(name: string, quantity: string): boolean {
  const size = name.slice('hugepages-'.length);
  if (!/^[0-9]+(?:\.[0-9]*)?(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?$/.test(size)) return false;
  if (quantitySign(size) <= 0 || !isWholeQuantity(size)) return false;
  return quantityValue(quantity) % quantityValue(size) === 0n;
}

function validateResourceClaimNames(claims: readonly ResourceClaim[], podClaims: ReadonlySet<string>, path: string, errors: FieldErrors): void {
  const used: UsedClaims = { keys: new Set(), inParts: new Map() };
  claims.forEach(({ name, request = '' }, index) => {
    const at = `${path}[${index}]`;
    if (name === '') return errors.required(at);
    if (used.keys.has(name)) errors.duplicate(at, name);
    else useClaim(name, request, used, at, errors);
    if (!podClaims.has(name)) errors.add(unknownClaim(name, podClaims, at));
  });
}

interface UsedClaims {
  readonly keys: Set<string>;
  /** How many requests of a claim are used. */
  readonly inParts: Map<string, number>;
}

/** A whole claim and a request of it exclude each other. */
function useClaim(name: string, request: string, { keys, inParts }: UsedClaims, path: string, errors: FieldErrors): void {
  const key = request === '' ? name : `${name}/${request}`;
  if (request !== '') errors.invalidEach(`${path}.request`, request, dns1123LabelProblems(request));
  const isNew = !keys.has(key);
  if (!isNew) errors.duplicate(path, key);
  else if (request === '') for (let parts = inParts.get(name) ?? 0; parts > 0; parts--) errors.duplicate(path, name);
  keys.add(key);
  if (isNew && request !== '') inParts.set(name, (inParts.get(name) ?? 0) + 1);
}

/** One text for all errors: each of many thousand claims may have one. */
const shownClaims = new WeakMap<ReadonlySet<string>, string>();

function unknownClaim(name: string, podClaims: ReadonlySet<string>, path: string): FieldError {
  let known = shownClaims.get(podClaims);
  if (known === undefined) {
    known = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].toSorted().join(', ')}`;
    shownClaims.set(podClaims, known);
  }
  return new FieldError('FieldValueNotFound', path, name, `must be one of the names in pod.spec.resourceClaims${known}`);
}

export function validateOverhead(overhead: ResourceList, path: string, errors: FieldErrors, { anyHugePages }: Pick<PodRules, 'anyHugePages'>): void {
  validateRequirements({ limits: overhead }, { name: validateContainerResourceName, claims: new Set(), anyHugePages }, path, errors);
}

/** Resources of the pod as a whole. */
export function validatePodLevelResources(spec: PodSpec, claims: ReadonlySet<string>, path: string, errors: FieldErrors, rules: PodRules): void {
  const { resources } = spec;
  if (resources === undefined) return;
  if (spec.os?.name === 'windows') return errors.forbidden(path, 'may not be set for a windows pod');
  if (resources.claims !== undefined) errors.forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level');
  validateRequirements(resources, { name: validatePodResourceName, claims, anyHugePages: rules.anyHugePages }, path, errors);
  validateAggregates(spec, resources, path, errors);
  validateContainerLimits(spec, resources.limits ?? {}, path, errors);
}

function validateAggregates(spec: PodSpec, resources: ResourceRequirements, path: string, errors: FieldErrors): void {
  for (const [name, sum] of Object.entries(aggregateResources(spec, 'requests'))) {
    const request = resources.requests?.[name];
    if (request === undefined || compareQuantities(sum, request) <= 0) continue;
    errors.invalid(`${path}.requests[${name}]`, request, `must be greater than or equal to aggregate container requests of ${sum}`);
  }
  for (const [name, sum] of Object.entries(aggregateResources(spec, 'limits'))) {
    const limit = resources.limits?.[name];
    if (!isHugePages(name) || limit === undefined || compareQuantities(sum, limit) <= 0) continue;
    errors.invalid(`${path}.limits[${name}]`, limit, `must be greater than or equal to aggregate container limits of ${sum}`);
  }
}

function validateContainerLimits(spec: PodSpec, podLimits: ResourceList, path: string, errors: FieldErrors): void {
  spec.containers?.forEach(({ resources }, index) => {
    for (const [name, limit] of Object.entries(resources.limits ?? {})) {
      const podLimit = podLimits[name];
      if (podLimit === undefined || compareQuantities(limit, podLimit) <= 0) continue;
      errors.invalid(`${path}.containers[${index}][${name}].limits`, limit, `must be less than or equal to pod limits of ${podLimit}`);
    }
  });
}
